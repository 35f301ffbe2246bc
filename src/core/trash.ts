import { isCompanion } from './companions.js';
import { cursorParts } from './cursor.js';
import { trashWithCompanions } from './entries.js';
import { MemoryError } from './errors.js';
import type { PageRequest } from './listing.js';
import type { Memory, MemoryKind } from './memory.js';
import { isSeenFrom, visibleTo } from './memoryIndex.js';
import type { Parts } from './parts.js';
import type { Call, MemoryStore, TrashedRow, TrashQuery } from './ports.js';
import { namedProject, type NamedProject } from './projectName.js';
import { eachOf } from './review.js';
import { successors, successorsFirst } from './supersede.js';
import { shorten, TASK_LENGTH } from './text.js';

export interface TrashRequest extends PageRequest {
  /** The asker's project. */
  readonly own: NamedProject;
}

export interface TrashListing {
  /** On all pages together. */
  readonly total: number;
  readonly entries: readonly {
    readonly entry_id: string;
    readonly kind: MemoryKind;
    readonly task_text: string;
    readonly project: NamedProject;
    readonly deleted_at: number;
  }[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: string;
}

/**
 * What was forgotten and can be restored, of all projects, last deleted first. What went there with another entry comes
 * back with that one and is not listed; `total` counts it.
 */
export async function listTrash(parts: Parts, request: TrashRequest): Promise<TrashListing> {
  const { limit, cursor, own } = request;
  const after = cursor === undefined ? undefined : placeOf(cursor);
  const found = await parts.store.trashed({ limit: limit + 1, after });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    total: (await parts.store.state()).trashed,
    entries: (await withoutFollowers(parts, page)).map(({ id, kind, task, project, deletedAt }) => ({
      entry_id: id,
      kind,
      task_text: shorten(task, TASK_LENGTH),
      project: namedProject(project, own),
      deleted_at: deletedAt,
    })),
    ...(last ? { next: JSON.stringify([last.deletedAt, last.id]) } : {}),
  };
}

/** Rows whose entry went into the trash in the same step are left out. */
async function withoutFollowers({ store }: Parts, rows: readonly TrashedRow[]): Promise<TrashedRow[]> {
  const kept: TrashedRow[] = [];
  for (const row of rows) {
    const entry = row.supersededBy === null ? null : await store.get(row.supersededBy);
    if (entry?.deletedAt !== row.deletedAt) kept.push(row);
  }
  return kept;
}

function placeOf(cursor: string): TrashQuery['after'] {
  const [deletedAt, id, ...rest] = cursorParts(cursor);
  if (typeof deletedAt === 'number' && typeof id === 'string' && rest.length === 0) return { deletedAt, id };
  throw new MemoryError(
    'invalid',
    'cursor: this is none that the trash gave. Leave it out to begin with what was deleted last.',
  );
}

export interface ForgetRequest {
  readonly ids: readonly string[];
  /** Key of the project that has to see them; null: any. */
  readonly project: string | null;
  readonly call?: Call | undefined;
}

type IsOurs = (row: Pick<Memory, 'kind' | 'project'>) => boolean;

/**
 * Puts entries in the trash, with the episodes they were made of and what they were before they were edited. Returns
 * the ids of all that lie there because of this call, in the order in which they can be restored one after the other.
 */
export function forgetEntries(parts: Parts, { ids, project, call }: ForgetRequest): Promise<string[]> {
  const isOurs: IsOurs = (row) => project === null || isSeenFrom(visibleTo(project), row);
  return parts.exclusive(async () => {
    const gone: Pick<Memory, 'id' | 'supersededBy'>[] = await doneBefore(parts, ids, call, isOurs);
    const forget = async (id: string) => {
      const memory = await parts.store.get(id);
      if (!memory || !isOurs(memory)) return null;
      const rows = await trashWithCompanions(parts, memory);
      if (rows) gone.push(...rows);
      return rows && [...rows, ...(await successors(parts, memory))];
    };
    await eachOf(parts, ids, forget, { forgotten: true });
    return successorsFirst(gone).map(({ id }) => id);
  });
}

/** What a call that its sender repeats has put in the trash before its host died, the whole of it or a part. */
async function doneBefore(
  { store, sources }: Parts,
  ids: readonly string[],
  call: Call | undefined,
  isOurs: IsOurs,
): Promise<TrashedRow[]> {
  const since = call?.repeatedSince ?? null;
  if (since === null) return [];
  const named = new Set(ids);
  const found: TrashedRow[] = [];
  for (let after: TrashedRow | undefined; ;) {
    const page = await store.trashed({ limit: BATCH, after });
    const recent = page.filter(({ deletedAt }) => deletedAt >= since);
    for (const row of recent) {
      const isMeant = named.has(row.id) ? isOurs(row) : await wentWith(store, row, named, isOurs);
      if (isMeant) found.push(row);
    }
    after = recent.at(-1);
    if (recent.length < BATCH || !after) return found;
    await sources.turn();
  }
}

/** Be it of another project: the entry may have become global since. */
async function wentWith(
  store: MemoryStore,
  { id, supersededBy }: TrashedRow,
  named: ReadonlySet<string>,
  isOurs: IsOurs,
): Promise<boolean> {
  if (supersededBy === null || !named.has(supersededBy)) return false;
  const [row, entry] = await Promise.all([store.get(id), store.get(supersededBy)]);
  return row !== null && entry !== null && isCompanion(row, entry.id) && isOurs(entry);
}

/** Rows removed in one step: few enough that nobody notices. */
const BATCH = 100;

/**
 * Removes for good what went into the trash at or before `until`, epoch seconds. Returns how many rows that were. Their
 * text is in the files until the next snapshot: a large store is compacted for seconds, and everybody waits.
 */
export async function emptyTrash(parts: Parts, until: number): Promise<number> {
  const ids = await parts.store.trashedBefore(until);
  let purged = 0;
  for (let at = 0; at < ids.length; at += BATCH)
    purged += await parts.exclusive(() => purge(parts, ids.slice(at, at + BATCH)));
  return purged;
}

async function purge({ store, changes }: Parts, ids: readonly string[]): Promise<number> {
  const rows: Memory[] = [];
  for (const id of ids) {
    const memory = await store.get(id);
    // It may have been restored meanwhile.
    if (memory && memory.deletedAt !== null) rows.push(memory);
  }
  const purging = rows.map(({ id }) => id);
  const purged = purging.length > 0 ? await store.purge(purging, { more: true }) : 0;
  if (purged > 0) changes.tell(rows, { bookkeeping: true });
  return purged;
}

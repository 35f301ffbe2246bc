import { companionsOf } from './companions.js';
import { MemoryError } from './errors.js';
import { ledgerRow, resultOf } from './ledger.js';
import { isExpired, GLOBAL_PROJECT, type Memory, type MemoryKind } from './memory.js';
import { isSeenFrom, visibleTo } from './memoryIndex.js';
import type { Parts } from './parts.js';
import type { Call, LedgerRow } from './ports.js';
import { successors } from './supersede.js';

export interface Entry {
  readonly entry_id: string;
  readonly kind: MemoryKind;
  readonly task_text: string;
  readonly answer: string;
  readonly tags: readonly string[];
  readonly scope: 'project' | 'global' | 'other_project';
  readonly source: string;
  readonly stored_at: number;
  readonly expires_at: number | null;
  readonly expired: boolean;
  readonly superseded_by: string | null;
  /** What this entry replaced, newest first. */
  readonly history: readonly Version[];
}

export interface Version {
  readonly entry_id: string;
  readonly task_text: string;
  readonly answer: string;
  readonly stored_at: number;
}

export interface GetRequest {
  readonly id: string;
  readonly project: string;
  /** `all` also reads an entry of another project, as a search everywhere finds them. */
  readonly scope: 'project' | 'all';
}

/** One whole entry with what it replaced. */
export async function getEntry(parts: Parts, { id, project, scope }: GetRequest): Promise<Entry> {
  const memory = await parts.store.get(id);
  if (!memory || memory.deletedAt !== null) {
    const why = memory ? ': it was forgotten and lies in the trash' : '';
    throw new MemoryError('not_found', `No entry ${id}${why}. Take an entry_id from recall, echo or search.`);
  }
  if (scope === 'project' && !isSeenFrom(visibleTo(project), memory)) {
    throw new MemoryError(
      'not_found',
      `No entry ${id} in this project. Pass scope "all" to read one of another project.`,
    );
  }
  const readable = (version: Memory) =>
    isSeenFrom(visibleTo(project), version) || (scope === 'all' && version.project === memory.project);
  // An entry that became global may have replaced one that was private to another project.
  const history = (await parts.store.replacedBy(id)).filter(readable);
  return {
    entry_id: memory.id,
    kind: memory.kind,
    task_text: memory.task,
    answer: memory.answer,
    tags: memory.tags,
    scope: scopeOf(memory, project),
    source: memory.source,
    stored_at: memory.storedAt,
    expires_at: memory.expiresAt,
    expired: isExpired(memory, parts.sources.now()),
    superseded_by: memory.supersededBy,
    history: history.map(({ id: version, task, answer, storedAt }) => ({
      entry_id: version,
      task_text: task,
      answer,
      stored_at: storedAt,
    })),
  };
}

export function scopeOf(memory: Memory, project: string): Entry['scope'] {
  if (memory.project === GLOBAL_PROJECT) return 'global';
  return memory.project === project ? 'project' : 'other_project';
}

/** Puts an entry in the trash, with what it was made of and what it was before it was edited; false where this project has no such entry. */
export function forget(parts: Parts, id: string, project: string, call?: Call): Promise<boolean> {
  return parts.exclusive(async () => {
    const done = await resultOf<boolean>(parts, call);
    if (done !== null) return done;
    const memory = await visibleEntry(parts, id, project);
    if (!memory) return false;
    const gone = await trashWithCompanions(parts, memory, ledgerRow(call, true, parts.sources.now()));
    // What replaced it has one version less in its history.
    if (gone) parts.changes.tell([...gone, ...(await successors(parts, memory))], { forgotten: true });
    return gone !== null;
  });
}

/**
 * Puts a row in the trash, as it was read in this turn of `exclusive`. Returns all that lie there because of it, itself
 * first; null where it lay there already.
 */
export async function trashWithCompanions(
  parts: Parts,
  memory: Memory,
  ledger?: LedgerRow,
): Promise<Memory[] | null> {
  const { store, index, sources } = parts;
  if (memory.deletedAt !== null) return null;
  // The same for all: by that they are known to belong together when the entry is restored.
  const now = sources.now();
  const made = await companionsOf(parts, memory);
  for (const earlier of made) {
    if (await store.trash(earlier.id, now)) index.remove(earlier);
    // Each is waited for by the disk, and there is one for every edit.
    await sources.turn();
  }
  if (!(await store.trash(memory.id, now, { ledger }))) return null;
  index.remove(memory);
  return [memory, ...made];
}

async function visibleEntry(parts: Parts, id: string, project: string): Promise<Memory | null> {
  const memory = await parts.store.get(id);
  if (!memory || memory.deletedAt !== null) return null;
  return isSeenFrom(visibleTo(project), memory) ? memory : null;
}

import { trashedVersions } from './companions.js';
import { statusOf } from './episode.js';
import { requireEpisode } from './episodes.js';
import { MemoryError } from './errors.js';
import { resultOf } from './ledger.js';
import { EDITED, type Memory } from './memory.js';
import { isSeenFrom, visibleTo } from './memoryIndex.js';
import type { Hurry, Parts, Settings } from './parts.js';
import type { Call } from './ports.js';
import { remember, type RememberResult } from './remember.js';
import { liveSuccessor, successors, successorsFirst } from './supersede.js';

export interface KeepRequest {
  readonly id: string;
  /** Key of the project it has to be of; null: any. */
  readonly project: string | null;
  /** Default: what the session began with. */
  readonly task?: string | undefined;
  /** Default: what came of it; all turns where there are several. */
  readonly answer?: string | undefined;
  readonly tags: readonly string[];
  readonly ttlSeconds: number | null;
  readonly scope: 'project' | 'global';
  readonly settings: Settings;
  readonly hurry?: Hurry | undefined;
  readonly call?: Call | undefined;
}

/** Makes a memory of an episode, which becomes its history. */
export async function keepEpisode(parts: Parts, request: KeepRequest): Promise<RememberResult> {
  const done = await resultOf<RememberResult>(parts, request.call);
  for (let attempt = 1; !done; attempt += 1) {
    try {
      return await keepAsItIs(parts, request);
    } catch (error) {
      if (!(error instanceof Grown) || attempt === ATTEMPTS) throw error;
    }
  }
  return done;
}

/** Its session went on while the memory was being made: the new turns would be lost in its history. */
class Grown extends MemoryError {
  constructor(id: string) {
    super('invalid', `Episode ${id} grows too fast. Nothing was stored; try again when its session pauses.`);
  }
}
const ATTEMPTS = 5;

async function keepAsItIs(parts: Parts, request: KeepRequest): Promise<RememberResult> {
  const { id, project, task, answer, ...rest } = request;
  const { memory, record } = await requireEpisode(parts, id, project);
  requireUndiscarded(memory);
  const [only, ...others] = record.turns;
  return remember(parts, {
    ...rest,
    task: task ?? memory.task,
    answer: answer ?? (only && others.length === 0 ? only.outcome : memory.answer),
    project: memory.project,
    skipIfDuplicate: false,
    supersedes: id,
    source: 'episode',
    // No earlier: the same call sent again is answered before this, and is no second keep.
    check: async () => {
      const now = await parts.store.get(id);
      if (now?.answer !== memory.answer) throw new Grown(id);
      requireUndiscarded(now);
      const kept = await liveSuccessor(parts, now);
      if (kept) throw alreadyKept(id, kept);
    },
  });
}

function requireUndiscarded(episode: Memory): void {
  if (statusOf(episode) !== 'discarded') return;
  const message = `Episode ${episode.id} was discarded. Nothing was stored; restore it first.`;
  throw new MemoryError('invalid', message);
}

function alreadyKept(id: string, memory: Memory): MemoryError {
  const message = `Episode ${id} was already kept, as ${memory.id}. Nothing was stored; edit that memory instead.`;
  return new MemoryError('invalid', message);
}

/** Puts episodes of a project (null: of any) in the trash. Returns the ids of those that lie there now. */
export function discardEpisodes(
  parts: Parts,
  ids: readonly string[],
  project: string | null,
): Promise<string[]> {
  const discard = async (id: string) => {
    const memory = (await parts.store.episode(id))?.memory;
    const isOurs = memory && statusOf(memory) !== 'kept' && (project ?? memory.project) === memory.project;
    return isOurs ? await toTrash(parts, memory) : null;
  };
  return parts.exclusive(() => eachOf(parts, ids, discard, { forgotten: true }));
}

/** The row, unless it lies there already. */
async function toTrash({ store, sources, index }: Parts, memory: Memory): Promise<Memory[]> {
  if (!(await store.trash(memory.id, sources.now()))) return [];
  index.remove(memory);
  return [memory];
}

/**
 * Takes entries that a project sees (null: of any) out of the trash, with the versions that went there with them; an
 * episode whose memory was forgotten is one to look at again. With a version its entry comes back, of which it is the
 * history. Returns the ids of those that are back, those entries last.
 */
export function restoreEntries(
  parts: Parts,
  ids: readonly string[],
  project: string | null,
): Promise<string[]> {
  return parts.exclusive(async () => {
    const wanted = new Map<string, Memory>();
    const want = async (id: string) => {
      const memory = await parts.store.get(id);
      const isOurs = memory && (project === null || isSeenFrom(visibleTo(project), memory));
      if (isOurs) wanted.set(id, memory);
    };
    for (const id of ids) await want(id);
    for (const { source, supersededBy } of [...wanted.values()]) {
      if (source === EDITED && supersededBy !== null && (await isTrashed(parts, supersededBy)))
        await want(supersededBy);
    }
    // An episode that comes back before the memory it was made of would not be its history.
    const inOrder = successorsFirst([...wanted.values()]).map(({ id }) => id);
    const restored = new Set(await eachOf(parts, inOrder, (id) => backAgain(parts, id)));
    return [...wanted.keys()].filter((id) => restored.has(id));
  });
}

async function isTrashed({ store }: Parts, id: string): Promise<boolean> {
  const memory = await store.get(id);
  return memory !== null && memory.deletedAt !== null;
}

/**
 * The ids that `act` does not answer with null, each once. It answers with the rows that look different now; they
 * are told together, also where it fails in the middle. Each is waited for by the disk, so others have a turn between.
 */
export async function eachOf(
  parts: Parts,
  ids: readonly string[],
  act: (id: string) => Promise<readonly Memory[] | null>,
  { forgotten = false } = {},
): Promise<string[]> {
  const changed: Memory[] = [];
  const done: string[] = [];
  try {
    for (const id of new Set(ids)) {
      const rows = await act(id);
      if (rows === null) continue;
      changed.push(...rows);
      done.push(id);
      await parts.sources.turn();
    }
  } finally {
    if (changed.length > 0) parts.changes.tell(changed, { forgotten });
  }
  return done;
}

async function backAgain(parts: Parts, id: string): Promise<readonly Memory[] | null> {
  const { store } = parts;
  const before = await store.get(id);
  if (!before) return null;
  // First: where this is interrupted, restoring the entry once more brings back the rest.
  const versions = await trashedVersions(parts, before);
  for (const version of versions) {
    await outOfTrash(parts, version);
    await parts.sources.turn();
  }
  const restored = await outOfTrash(parts, before);
  const memory = { ...before, deletedAt: null };
  const newer = await successors(parts, memory);
  if (memory.kind !== 'episode' || memory.supersededBy === null) {
    return restored ? [memory, ...versions, ...newer] : [];
  }
  if (newer.length > 0) return restored ? [memory, ...newer] : null;
  const reopened = { ...memory, supersededBy: null };
  await store.update(reopened);
  parts.index.refresh(reopened);
  return [reopened];
}

async function outOfTrash({ store, index }: Parts, memory: Memory): Promise<boolean> {
  if (!(await store.restore(memory.id))) return false;
  index.add({ ...memory, deletedAt: null }, null);
  return true;
}

/** Puts episodes nobody made a memory of in the trash when they are too old or too many. */
export function retireEpisodes(parts: Parts): Promise<void> {
  const { store, sources, retention } = parts;
  return parts.exclusive(async () => {
    const before = sources.now() - retention.days * 24 * 3600;
    const surplus = await store.surplusEpisodes(before, retention.episodes);
    const retire = async (id: string) => {
      const memory = await store.get(id);
      return memory ? await toTrash(parts, memory) : null;
    };
    await eachOf(parts, surplus.slice(0, RETIRED_AT_ONCE), retire, { forgotten: true });
  });
}

/** The rest waits for the next time: nobody shall wait for housekeeping. */
const RETIRED_AT_ONCE = 200;

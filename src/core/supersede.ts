import { MemoryError } from './errors.js';
import { GLOBAL_PROJECT, type Memory } from './memory.js';
import { isSeenFrom, visibleTo } from './memoryIndex.js';
import type { Parts } from './parts.js';

interface Superseding {
  readonly project: string;
  readonly scope: 'project' | 'global';
}

/** The entry that a new one is to replace. Rejects, naming what to do, where it cannot be replaced from here. */
export async function replacedEntry(parts: Parts, request: Superseding, id: string): Promise<Memory> {
  const memory = await parts.store.get(id);
  if (!memory || memory.deletedAt !== null || !isSeenFrom(visibleTo(request.project), memory)) {
    throw new MemoryError(
      'not_found',
      `supersedes: no entry ${id} in this project. Nothing was stored; leave it out or take an entry_id from search or echo.`,
    );
  }
  const successor = await liveSuccessor(parts, memory);
  if (successor) {
    throw new MemoryError(
      'invalid',
      `supersedes: entry ${id} was already replaced by ${successor.id}. Nothing was stored; supersede that one instead.`,
    );
  }
  const everywhere = request.scope === 'global' || request.project === GLOBAL_PROJECT;
  if (memory.project === GLOBAL_PROJECT && !everywhere) {
    throw new MemoryError(
      'invalid',
      `supersedes: entry ${id} is global, and other projects would lose it. Nothing was stored; pass scope "global" to replace it for all, or leave supersedes out.`,
    );
  }
  return memory;
}

/** The entry that stands for this one now, or null where it was never replaced or all that did were forgotten. */
export async function liveSuccessor(parts: Parts, memory: Memory): Promise<Memory | null> {
  return (await successors(parts, memory)).find((next) => next.supersededBy === null) ?? null;
}

/** These rows, what replaced a row before that row; else in the order they are given. */
export function successorsFirst<T extends Pick<Memory, 'id' | 'supersededBy'>>(rows: readonly T[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const sorted = new Set<T>();
  for (const row of byId.values()) {
    const chain = new Set<T>();
    for (let next: T | undefined = row; next && !sorted.has(next) && !chain.has(next);) {
      chain.add(next);
      next = byId.get(next.supersededBy ?? next.id);
    }
    for (const one of [...chain].reverse()) sorted.add(one);
  }
  return [...sorted];
}

/** The live entries that replaced this one, directly or through others, oldest version first. */
export async function successors(parts: Parts, memory: Memory): Promise<Memory[]> {
  const found: Memory[] = [];
  const seen = new Set([memory.id]);
  for (let id = memory.supersededBy; id !== null && !seen.has(id);) {
    seen.add(id);
    const next = await parts.store.get(id);
    if (next?.deletedAt === null) found.push(next);
    id = next?.supersededBy ?? null;
  }
  return found;
}

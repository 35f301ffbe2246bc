import { TopRanked } from '../search/ranked.js';
import { cursorParts } from './cursor.js';
import { scopeOf, type Entry } from './entries.js';
import { MemoryError } from './errors.js';
import { isExpired, type Memory } from './memory.js';
import { isSeenFrom, visibleTo, type Row } from './memoryIndex.js';
import type { Parts } from './parts.js';
import { eachRow } from './rowWalk.js';
import { shorten, TASK_LENGTH } from './text.js';

export interface ListRequest extends PageRequest {
  readonly project: string;
}

export interface PageRequest {
  /** Entries on a page, at least 1. */
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
}

/** An entry without its answer; the task is cut off at {@link TASK_LENGTH}. */
export type ListedEntry = Pick<
  Entry,
  'entry_id' | 'kind' | 'task_text' | 'tags' | 'scope' | 'source' | 'stored_at' | 'expires_at' | 'expired'
>;

export interface Listing {
  /** On all pages together. */
  readonly total: number;
  readonly entries: readonly ListedEntry[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: string;
}

/** The current entries this project sees, page by page, as {@link pageOf} orders them. */
export async function listEntries(parts: Parts, request: ListRequest): Promise<Listing> {
  const { project } = request;
  const projects = visibleTo(project);
  const accept = (row: Row) => !row.superseded && isSeenFrom(projects, row);
  const { memories, ...page } = await pageOf(parts, accept, request);
  return { ...page, entries: memories.map((memory) => listed(parts, memory, project)) };
}

function listed({ sources }: Parts, memory: Memory, project: string): ListedEntry {
  return {
    entry_id: memory.id,
    kind: memory.kind,
    task_text: shorten(memory.task, TASK_LENGTH),
    tags: memory.tags,
    scope: scopeOf(memory, project),
    source: memory.source,
    stored_at: memory.storedAt,
    expires_at: memory.expiresAt,
    expired: isExpired(memory, sources.now()),
  };
}

/**
 * The accepted rows, newest first; of the same time the one stored last. A page begins behind the last entry of the one
 * before, whatever was added or forgotten meanwhile.
 * Rejects with a `MemoryError` (reason `invalid`) where the cursor is none.
 */
export async function pageOf(
  parts: Parts,
  accept: (row: Row) => boolean,
  { limit, cursor }: PageRequest,
): Promise<Pick<Listing, 'total' | 'next'> & { readonly memories: readonly Memory[] }> {
  const last = cursor === undefined ? null : placeOf(parts, cursor);
  const newest = new TopRanked(limit + 1, limit + 1);
  let total = 0;
  await eachRow(parts, (row) => {
    if (!accept(row)) return;
    total += 1;
    if (!last || comesAfter(row, last)) newest.offer(row.slot, row.storedAt);
  });
  const ranked = newest.take();
  const page = ranked.slice(0, limit).flatMap(({ slot }) => parts.index.at(slot) ?? []);
  const end = ranked.length > limit ? page.at(-1) : undefined;
  const memories: Memory[] = [];
  for (const { id } of page) {
    const memory = await parts.store.get(id);
    if (memory?.deletedAt === null) memories.push(memory);
  }
  return { total, memories, ...(end ? { next: cursorAt(end) } : {}) };
}

type Place = Pick<Row, 'storedAt' | 'slot'>;

function comesAfter(row: Row, last: Place): boolean {
  return row.storedAt === last.storedAt ? row.slot < last.slot : row.storedAt < last.storedAt;
}

function cursorAt({ storedAt, slot, id }: Row): string {
  return JSON.stringify([storedAt, slot, id]);
}

/** The slot by the id where it can be: a restart gives out slots anew. Without its row the old slot is the best guess. */
function placeOf({ index }: Parts, cursor: string): Place {
  const [storedAt, slot, id, ...rest] = cursorParts(cursor);
  if (typeof storedAt !== 'number' || typeof slot !== 'number' || typeof id !== 'string' || rest.length > 0) {
    throw new MemoryError(
      'invalid',
      'cursor: this is none that a listing gave. Leave it out to begin with the newest entries.',
    );
  }
  return { storedAt, slot: index.row(id)?.slot ?? slot };
}

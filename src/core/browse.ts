import { pageOf, type PageRequest } from './listing.js';
import { isExpired } from './memory.js';
import type { Row } from './memoryIndex.js';
import type { Parts } from './parts.js';
import { namedProject, type NamedProject } from './projectName.js';
import { browsedBy, type Browsed } from './rowWalk.js';
import { shorten, TASK_LENGTH } from './text.js';

export interface BrowseRequest extends PageRequest, Browsed {
  /** The asker's. */
  readonly own: NamedProject;
  /** Key of the only project to look in. */
  readonly project?: string | undefined;
  /** Null: only what has no tag. */
  readonly tag?: string | null | undefined;
  /** Stored at this time or later, epoch seconds. */
  readonly from?: number | undefined;
  /** Stored before this time, epoch seconds. */
  readonly before?: number | undefined;
}

/** A memory without its answer; the task is cut off at {@link TASK_LENGTH}. */
export interface BrowsedEntry {
  readonly entry_id: string;
  readonly task_text: string;
  readonly tags: readonly string[];
  readonly project: NamedProject;
  readonly source: string;
  readonly stored_at: number;
  readonly expires_at: number | null;
  readonly expired: boolean;
  readonly superseded: boolean;
  /** Recalls that hit it, of all projects. */
  readonly hits: number;
  /** Entries it replaced directly. */
  readonly versions: number;
}

export interface BrowsePage {
  /** On all pages together. */
  readonly total: number;
  readonly entries: readonly BrowsedEntry[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: string;
}

/** Memories of any project, newest first. Rejects with a `MemoryError` (reason `invalid`) where the cursor is none. */
export async function browse(parts: Parts, request: BrowseRequest): Promise<BrowsePage> {
  const now = parts.sources.now();
  const wanted = browsedBy(request, now);
  const { memories, ...page } = await pageOf(parts, (row) => isIn(request, row) && wanted(row), request);
  const usage = await parts.store.usage(memories.map(({ id }) => id));
  const entries = memories.map((memory) => ({
    entry_id: memory.id,
    task_text: shorten(memory.task, TASK_LENGTH),
    tags: memory.tags,
    project: namedProject(memory.project, request.own),
    source: memory.source,
    stored_at: memory.storedAt,
    expires_at: memory.expiresAt,
    expired: isExpired(memory, now),
    superseded: memory.supersededBy !== null,
    hits: usage.get(memory.id)?.hits ?? 0,
    versions: usage.get(memory.id)?.versions ?? 0,
  }));
  return { ...page, entries };
}

function isIn({ project, tag, from = -Infinity, before = Infinity }: BrowseRequest, row: Row): boolean {
  if (project !== undefined && row.project !== project) return false;
  if (row.storedAt < from || row.storedAt >= before) return false;
  if (tag === undefined) return true;
  return tag === null ? row.tags.length === 0 : row.tags.includes(tag);
}

import { scopeOf, type Entry, type Version } from './entries.js';
import { MemoryError } from './errors.js';
import { isExpired, type Memory, type MemoryKind } from './memory.js';
import type { Parts } from './parts.js';
import { namedProject, type NamedProject } from './projectName.js';

/** All that is known of an entry, wherever and in whatever state it is. */
export interface EntryDetails extends Omit<Entry, 'history'> {
  readonly project: NamedProject;
  /** When it went into the trash, epoch seconds; null while it is live. */
  readonly deleted_at: number | null;
  /** Recalls that hit it, of all projects. */
  readonly hits: number;
  /** See {@link revisionOf}. */
  readonly revision: string;
  /** What this entry replaced, newest first. */
  readonly history: readonly (Omit<Version, 'answer'> & { readonly kind: MemoryKind })[];
}

/** Rejects with a `MemoryError` (reason `not_found`) where there is no such row. `own` is the asker's project. */
export async function entryDetails(parts: Parts, id: string, own: NamedProject): Promise<EntryDetails> {
  const memory = await parts.store.get(id);
  if (!memory) {
    throw new MemoryError(
      'not_found',
      `No entry ${id}: it never was there, or was removed for good. Take an entry_id from list or search.`,
    );
  }
  const usage = await parts.store.usage([id]);
  const history = await parts.store.replacedBy(id);
  return {
    entry_id: memory.id,
    kind: memory.kind,
    task_text: memory.task,
    answer: memory.answer,
    tags: memory.tags,
    project: namedProject(memory.project, own),
    scope: scopeOf(memory, own.key),
    source: memory.source,
    stored_at: memory.storedAt,
    expires_at: memory.expiresAt,
    expired: isExpired(memory, parts.sources.now()),
    superseded_by: memory.supersededBy,
    deleted_at: memory.deletedAt,
    hits: usage.get(id)?.hits ?? 0,
    revision: revisionOf(parts, memory),
    history: history.map(({ id: version, kind, task, storedAt }) => ({
      entry_id: version,
      kind,
      task_text: task,
      stored_at: storedAt,
    })),
  };
}

/**
 * A digest of what a person can edit, not a count: what was changed and changed back has the revision it had, so an edit
 * based on it is no conflict.
 */
export function revisionOf({ sources }: Parts, memory: Memory): string {
  const { task, answer, tags, expiresAt, project } = memory;
  return sources.digest(JSON.stringify([task, answer, tags, expiresAt, project]));
}

/** Project key of memories that every project sees. */
export const GLOBAL_PROJECT = '';

/** Most tags an entry has. */
export const MAX_TAGS = 100;

/** Source of what an entry was before somebody edited it. */
export const EDITED = 'edit';

export type MemoryKind = 'memory' | 'episode';

/** One stored entry. Times are epoch seconds, fractions allowed. */
export interface Memory {
  readonly id: string;
  readonly kind: MemoryKind;
  /** Key from `src/project`, or {@link GLOBAL_PROJECT}. */
  readonly project: string;
  readonly task: string;
  readonly answer: string;
  readonly tags: readonly string[];
  /** Who wrote it, e.g. `remember` or `import`; free text, never interpreted. */
  readonly source: string;
  readonly storedAt: number;
  /** null: never expires. */
  readonly expiresAt: number | null;
  /** Id of the entry that replaced this one, or null while it is current. */
  readonly supersededBy: string | null;
  /** When it was put in the trash, or null while it is live. */
  readonly deletedAt: number | null;
}

/** An embedding and the vector space it lives in. Vectors of two models are never compared. */
export interface Vector {
  readonly model: string;
  readonly values: Float32Array;
}

/** One recall, as the drift report and the hit rate see it. */
export interface RecallRecord {
  readonly at: number;
  readonly project: string;
  /** The question, or null where the recall log is switched off: then only the outcome is kept. */
  readonly query: string | null;
  /** Nearest entry, also on a miss; null when there was none or the log is switched off. */
  readonly entryId: string | null;
  readonly similarity: number;
  readonly hit: boolean;
  readonly threshold: number;
}

export function isExpired(memory: Pick<Memory, 'expiresAt'>, now: number): boolean {
  return memory.expiresAt !== null && memory.expiresAt <= now;
}

import type { Memory, RecallRecord, Vector } from './memory.js';

/**
 * A result kept under a key, so that the same request is answered again instead of done again.
 * It is written in the same atomic step as the change it reports.
 */
export interface Receipt {
  readonly key: string;
  /** JSON text, replayed verbatim. */
  readonly result: string;
  readonly at: number;
}

export interface StoredMemory {
  readonly memory: Memory;
  readonly vector: Vector | null;
}

/** Something people should know about the store, e.g. that a damaged file was set aside. */
export interface HealthNote {
  readonly code: string;
  /** What happened, why, and what to do next. */
  readonly message: string;
}

export interface StoreState {
  /** Bytes of the snapshot and of the change log on disk; 0 where nothing is on disk. */
  readonly storeBytes: number;
  readonly logBytes: number;
  readonly schemaVersion: number;
  readonly trashed: number;
  readonly notes: readonly HealthNote[];
}

/**
 * Durable home of memories. Every operation is atomic and, unless said otherwise, on disk when its promise
 * resolves. A refused write rejects with a `MemoryError` (reason `storage`) and changes nothing.
 */
export interface MemoryStore {
  /** Every live row (not in the trash), with its vector of `model` if it has one, in order of storing. */
  all(model: string): AsyncIterable<StoredMemory>;
  /** A row by id, rows in the trash included. */
  get(id: string): Promise<Memory | null>;
  /** Live rows that `id` replaced, directly or through others, newest first. */
  replacedBy(id: string): Promise<Memory[]>;

  /** Inserts a row; where `supersedes` is given that row gets `supersededBy` in the same step. */
  insert(
    entry: StoredMemory,
    options?: { supersedes?: string | undefined; receipt?: Receipt | undefined },
  ): Promise<void>;
  /** Overwrites the stored row with the same id, keeping its vectors when the task is unchanged. */
  update(
    memory: Memory,
    options?: { supersedes?: string | undefined; receipt?: Receipt | undefined },
  ): Promise<void>;
  /** Moves a live row to the trash; false where there is no such live row. */
  trash(id: string, at: number): Promise<boolean>;
  /** Takes a row out of the trash; false where it is not in the trash. */
  restore(id: string): Promise<boolean>;
  /** Removes rows for good: row, vectors, recall records, receipts, log and previous snapshot. Returns how many. */
  purge(ids: readonly string[]): Promise<number>;
  /** Ids of rows that went into the trash at or before `at`. */
  trashedBefore(at: number): Promise<string[]>;

  /** Derived data: kept, but not waited for. Ids that no longer exist are skipped. */
  setVectors(vectors: readonly { id: string; vector: Vector }[]): Promise<void>;

  /** Appended without waiting for the disk. Past `maxBytes` of log text the older half goes. */
  appendRecall(record: RecallRecord, maxBytes: number): Promise<void>;
  /** Records of one project, oldest first; at most the `last` newest ones where given. */
  recalls(project: string, last?: number): Promise<RecallRecord[]>;
  /** When a recall of this project last hit, or null. */
  lastHitAt(project: string): Promise<number | null>;

  receipt(key: string): Promise<Receipt | null>;

  state(): Promise<StoreState>;
  /** Brings everything into one compact file. Called when nobody waits. */
  snapshot(): Promise<void>;
  close(): Promise<void>;
}

export type EmbedderState =
  | { readonly status: 'idle' | 'loading' | 'ready' }
  | { readonly status: 'unavailable'; readonly reason: string };

/** Text to vectors. One instance embeds with one model. */
export interface Embedder {
  /** Vector space id; part of every stored vector. */
  readonly model: string;
  readonly dimension: number;
  /** e.g. `onnxruntime-node 1.14.0`. */
  readonly runtime: string;
  readonly state: EmbedderState;
  /**
   * Unit vectors, one per text, in order. Bulk work gives way to interactive work.
   * Rejects with a `MemoryError` (reason `no_model`) where no vectors can be had.
   */
  embed(texts: readonly string[], priority?: 'interactive' | 'bulk'): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** Time and randomness, handed in so that behaviour is repeatable. */
export interface Sources {
  /** Epoch seconds, fractions allowed. */
  now(): number;
  newId(): string;
  /** Resolves after `milliseconds`, at once when cancelled. */
  timer(milliseconds: number): { readonly done: Promise<void>; cancel(): void };
}

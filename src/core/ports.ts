import type { EpisodeRecord, EpisodeStatus, StoredEpisode } from './episode.js';
import type { Memory, MemoryKind, RecallRecord, Vector } from './memory.js';

/**
 * A result kept under a key, so that the same request is answered again instead of done again.
 * It is written in the same atomic step as the change it reports.
 */
export interface Receipt {
  readonly key: string;
  /** JSON text, replayed verbatim. */
  readonly result: string;
  /** Epoch seconds. */
  readonly at: number;
}

/** A request under the name its sender has for it. */
export interface Call {
  /** Who asked, and the JSON-RPC id of the request. */
  readonly key: string;
  /** Of method and parameters. */
  readonly digest: string;
  /** Where its sender says that it sent this before and got no answer: since when it has it, epoch seconds. */
  readonly repeatedSince: number | null;
}

/** The result of a call that wrote, kept in the same atomic step for the case that its sender never gets it. */
export interface LedgerRow {
  readonly key: string;
  readonly digest: string;
  /** JSON text. */
  readonly result: string;
  /** Epoch seconds. */
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

/** Results kept in the same atomic step as a write; each replaces the one under the same key. */
export interface Results {
  readonly receipt?: Receipt | undefined;
  readonly ledger?: LedgerRow | undefined;
}

/** What happens in the same atomic step as a write. */
export interface WriteOptions extends Results {
  /** Id of a row that gets `supersededBy`. */
  readonly supersedes?: string | undefined;
  /** What an episode has beside its row; replaces what it had. */
  readonly episode?: EpisodeRecord | undefined;
}

/** What happens in the same atomic step as an update. */
export interface UpdateOptions extends WriteOptions {
  /** The row as it was, under an id of its own: stored as it is given, with a copy of the vectors the row had. */
  readonly version?: Memory | undefined;
}

/** What is known of an entry beside its row. */
export interface Usage {
  /** Recalls of all projects that hit it. */
  readonly hits: number;
  /** Live rows that it replaced directly. */
  readonly versions: number;
}

/** A row in the trash, without its answer. */
export interface TrashedRow {
  readonly id: string;
  readonly kind: MemoryKind;
  readonly project: string;
  readonly task: string;
  readonly supersededBy: string | null;
  /** Epoch seconds. */
  readonly deletedAt: number;
}

/** Rows in the trash, last deleted first; of the same time the one with the higher id. */
export interface TrashQuery {
  readonly limit: number;
  /** The last one of the page before. */
  readonly after?: Pick<TrashedRow, 'deletedAt' | 'id'> | undefined;
}

/** Which episodes, newest first; of the same time the one with the higher number. */
export interface EpisodeQuery {
  /** Project keys; null for all. */
  readonly projects: readonly string[] | null;
  readonly status?: EpisodeStatus | undefined;
  readonly limit: number;
  /** The last one of the page before. */
  readonly after?: { readonly storedAt: number; readonly number: number } | undefined;
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

  insert(entry: StoredMemory, options?: WriteOptions): Promise<void>;
  /** Overwrites the stored row with the same id, keeping its vectors when the task is unchanged. */
  update(memory: Memory, options?: UpdateOptions): Promise<void>;
  /** Moves a live row to the trash at `at`, in epoch seconds; false where there is no such live row. */
  trash(id: string, at: number, results?: Pick<Results, 'ledger'>): Promise<boolean>;
  /** Takes a row out of the trash; false where it is not in the trash. */
  restore(id: string): Promise<boolean>;
  /**
   * Removes rows for good: row, vectors, recall records, reviews, receipts, ledger, log and previous snapshot. Returns
   * how many. Rows they replaced stay replaced: their `supersededBy` goes on naming a row that no longer exists.
   * With `more` others follow, and what is left in log and snapshot goes with the next {@link snapshot}.
   */
  purge(ids: readonly string[], options?: { readonly more?: boolean }): Promise<number>;
  /** Ids of rows that went into the trash at or before `at`, in epoch seconds. */
  trashedBefore(at: number): Promise<string[]>;
  trashed(query: TrashQuery): Promise<TrashedRow[]>;
  /** By id; rows that were never hit and replaced nothing may be left out. */
  usage(ids: readonly string[]): Promise<ReadonlyMap<string, Usage>>;

  /**
   * Derived data: kept, but not waited for. Ids that no longer exist are skipped. A vector replaces the one of the
   * same model; those of other models stay until the row's task changes or the row is purged.
   */
  setVectors(vectors: readonly { id: string; vector: Vector }[]): Promise<void>;

  /**
   * Appended without waiting for the disk. Past `maxBytes` of questions of one project the older half of them
   * goes; whether the last 100 recalls hit, and when one last did, stays known.
   */
  appendRecall(record: RecallRecord, maxBytes: number): Promise<void>;
  /** Records of one project, oldest first; at most the `last` newest ones where given. */
  recalls(project: string, last?: number): Promise<RecallRecord[]>;
  /** When a recall of this project last hit, in epoch seconds, or null. */
  lastHitAt(project: string): Promise<number | null>;

  /** Entries that recalls of this project hit, most often first; of equal ones the one hit last. */
  mostRecalled(
    project: string,
    limit: number,
  ): Promise<{ readonly entryId: string; readonly hits: number }[]>;

  /** When somebody looked at what recalls of this project say of an entry, in epoch seconds, by id of the entry. */
  reviews(project: string): Promise<ReadonlyMap<string, number>>;
  /** Replaces what {@link reviews} says of these entries. Ids that no longer exist are skipped. */
  markReviewed(project: string, ids: readonly string[], at: number): Promise<void>;

  /** An episode by the id of its row, in whatever state. */
  episode(id: string): Promise<StoredEpisode | null>;
  /** Episodes of one session, in whatever state, oldest first. */
  episodesOf(project: string, sessionId: string): Promise<StoredEpisode[]>;
  episodes(query: EpisodeQuery): Promise<StoredEpisode[]>;
  /** How many there are in each state; `projects` as in {@link EpisodeQuery}. */
  episodeCounts(projects: readonly string[] | null): Promise<Readonly<Record<EpisodeStatus, number>>>;
  /** Number for the next episode: higher than any that was ever given. */
  nextEpisode(): Promise<number>;
  /** Ids of `ingested` episodes stored before `before` (epoch seconds), or older than the newest `keep` of their project. */
  surplusEpisodes(before: number, keep: number): Promise<string[]>;

  /** Keeps the results of a request that changed nothing. */
  keep(results: Results): Promise<void>;
  receipt(key: string): Promise<Receipt | null>;
  /** Bounded: rows of the last 2,000 writes that left one, and none older than an hour before the newest. */
  ledgerRow(key: string): Promise<LedgerRow | null>;

  state(): Promise<StoreState>;
  /**
   * Brings everything into one compact file. Called when nobody waits. Does nothing where there is too little new
   * to be worth writing a large store again, unless purged text is still to be removed from older files.
   */
  snapshot(): Promise<void>;
  /** Everything written is on disk afterwards, in one file as far as {@link snapshot} would bring it there. */
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
   * Rejects with a `MemoryError` (reason `no_model`) where no vectors can be had, or where `wanted`, asked when
   * the texts' turn comes, says that nobody waits for them any more.
   */
  embed(
    texts: readonly string[],
    priority?: 'interactive' | 'bulk',
    wanted?: () => boolean,
  ): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** A span that must not be kept, in UTF-16 units of the text as it was given. */
export interface Finding {
  /** Id of the rule that found it, e.g. `github_token`. */
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

export interface Redacted {
  /** Each finding replaced by `[REDACTED:<rule>]`. */
  readonly text: string;
  /** In order, never overlapping. Never holds what was found. */
  readonly findings: readonly Finding[];
}

/** Masks secrets. Pure, in linear time, and without effect on what it has masked already. */
export type Redact = (text: string) => Redacted;

/** Time and randomness, handed in so that behaviour is repeatable. */
export interface Sources {
  /** Epoch seconds, fractions allowed. */
  now(): number;
  newId(): string;
  /** A fingerprint that tells texts apart and gives none of them away. */
  digest(text: string): string;
  /** Resolves after `milliseconds`, at once when cancelled. */
  timer(milliseconds: number): { readonly done: Promise<void>; cancel(): void };
  /** Lets others have a turn: clients, timers, signals. */
  turn(): Promise<void>;
}

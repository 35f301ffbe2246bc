import type { ChangeFeed } from './changes.js';
import { MemoryError } from './errors.js';
import type { Memory } from './memory.js';
import type { MemoryIndex } from './memoryIndex.js';
import type { Embedder, HealthNote, MemoryStore, Redact, Sources } from './ports.js';

/** How the one who asks has configured memory. */
export interface Settings {
  /** Similarity from which a recall is a hit, 0..1. */
  readonly defaultThreshold: number;
  /** Lifetime of what is remembered without a ttl; null keeps it for good. */
  readonly defaultTtlSeconds: number | null;
  /** Off: questions are not written down, only whether they hit. */
  readonly recallLogEnabled: boolean;
  readonly recallLogMaxBytes: number;
}

/** How long episodes stay that nobody made a memory of. */
export interface Retention {
  readonly days: number;
  /** Per project; the newest stay. */
  readonly episodes: number;
}

/** What the program around the engine brings along. */
export interface EngineOptions {
  readonly redact: Redact;
  readonly retention: Retention;
  /** What people should know of things around the store, e.g. that a hook failed. */
  readonly notes: () => readonly HealthNote[];
  /** Captured sessions that were not taken in yet, of all projects. */
  readonly pending: () => number;
  /** Told of failures in the background, which no caller waits for. */
  readonly report: (error: unknown) => void;
}

/** What every use-case works with. */
export interface Parts extends Pick<EngineOptions, 'redact' | 'retention' | 'notes' | 'pending'> {
  readonly store: MemoryStore;
  readonly index: MemoryIndex;
  readonly embedder: Embedder;
  readonly sources: Sources;
  readonly changes: ChangeFeed;
  /** Runs one change at a time, so that looking and writing are one step. Nothing embeds inside. */
  readonly exclusive: <T>(change: () => Promise<T>) => Promise<T>;
}

/**
 * Calls `act` when whoever asked is about to leave and cannot wait for the model any longer. Returns what ends the
 * listening.
 */
export type Hurry = (act: () => void) => () => void;

/** How long a call waits for a model that is still loading, in milliseconds; loading takes about 500. */
const LOADING_WAIT = 2000;
/** How long it waits for one that is loaded but busy or stuck: longer, and clients begin to give up. */
const BUSY_WAIT = 10_000;

/**
 * The text's vector, or null where the model cannot be had or has not loaded in time. A loaded model that is
 * only busy is waited for longer: answering without it would turn a burst of calls into wrong misses.
 * @param hurry ends the waiting at once
 */
export async function embedOrNull(parts: Parts, text: string, hurry?: Hurry): Promise<Float32Array | null> {
  const { embedder, sources } = parts;
  const loading = sources.timer(LOADING_WAIT);
  const busy = sources.timer(BUSY_WAIT);
  let wanted = true;
  let unhurried: (() => void) | undefined;
  const vector = embedder
    .embed([text], 'interactive', () => wanted)
    .then(
      ([first]) => first ?? null,
      (error: unknown) => {
        if (error instanceof MemoryError && error.reason === 'no_model') return null;
        throw error;
      },
    );
  try {
    const late = loading.done.then(() => (embedder.state.status === 'ready' ? busy.done : null));
    const hurried = new Promise<void>((resolve) => (unhurried = hurry?.(resolve)));
    return await Promise.race([vector, late.then(() => null), hurried.then(() => null)]).finally(() =>
      sources.turn(),
    );
  } finally {
    wanted = false;
    unhurried?.();
    loading.cancel();
    busy.cancel();
    // A model that answers too late is nobody's error any more.
    vector.catch(() => undefined);
  }
}

/** The stored row at a place of the index, or null where it has just gone. */
export async function memoryAt({ index, store }: Parts, slot: number): Promise<Memory | null> {
  const row = index.at(slot);
  return row ? store.get(row.id) : null;
}

/** Similarity as contract and people see it: cosine, never below 0, six decimals. */
export function similarityOf(cosine: number): number {
  return Math.round(Math.min(1, Math.max(0, cosine)) * 1e6) / 1e6;
}

export function fourDecimals(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** A lock that admits one change at a time, in order of arrival, and lets others have a turn in between. */
export function createExclusive({ turn }: Pick<Sources, 'turn'>): Parts['exclusive'] {
  let last: Promise<unknown> = Promise.resolve();
  return async (change) => {
    const run = last.then(turn).then(change);
    last = run.catch(() => undefined);
    return run;
  };
}

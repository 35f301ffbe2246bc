import { setImmediate as nextTurn } from 'node:timers/promises';
import { Engine } from '../../src/core/engine.js';
import type { Memory } from '../../src/core/memory.js';
import type { Settings, EngineOptions } from '../../src/core/parts.js';
import type { MemoryStore, Sources } from '../../src/core/ports.js';
import type { RecallRequest } from '../../src/core/recall.js';
import type { RememberRequest } from '../../src/core/remember.js';
import { createInMemoryStore } from '../../src/storage/inMemoryStore.js';
import { WordEmbedder } from './wordEmbedder.js';

export const PROJECT = 'project-a';
export const OTHER_PROJECT = 'project-b';

/** Time stands still until a test moves it; ids count up. */
export class ManualSources implements Sources {
  time = 1_700_000_000.5;
  private ids = 0;
  private readonly timers = new Map<() => void, number>();

  now(): number {
    return this.time;
  }

  newId(): string {
    this.ids += 1;
    return `id-${this.ids}`;
  }

  readonly digest = (text: string): string => `digest of ${text}`;

  readonly turn = (): Promise<void> => nextTurn();

  timer(milliseconds: number): ReturnType<Sources['timer']> {
    let end = (): void => undefined;
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    const cancel = (): void => {
      this.timers.delete(end);
      end();
    };
    this.timers.set(end, milliseconds);
    return { done, cancel };
  }

  /** Timers that run. */
  get waiting(): number {
    return this.timers.size;
  }

  /** Waits until a timer runs, and ends those of at most this many milliseconds. */
  async elapse(milliseconds: number): Promise<void> {
    while (this.timers.size === 0) await nextTurn();
    for (const [end, length] of this.timers) {
      if (length > milliseconds) continue;
      end();
      this.timers.delete(end);
    }
  }
}

/** As nobody has configured anything. */
export const SETTINGS: Settings = {
  defaultThreshold: 0.85,
  defaultTtlSeconds: null,
  recallLogEnabled: true,
  recallLogMaxBytes: 5_000_000,
};

/** What is masked, of how much is kept, and whom it tells, where a test does not care. */
export const ENGINE_OPTIONS: EngineOptions = {
  redact: (text) => ({ text, findings: [] }),
  retention: { days: 5000, episodes: 2000 },
  notes: () => [],
  pending: () => 0,
  report: () => undefined,
};

export interface Bench {
  readonly engine: Engine;
  readonly store: MemoryStore;
  readonly embedder: WordEmbedder;
  readonly sources: ManualSources;
  /** Failures in the background. */
  readonly reported: readonly unknown[];
  /** Another engine over the same store, as after a restart. */
  reopen(): Promise<Bench>;
}

interface BenchOptions {
  readonly store?: MemoryStore;
  readonly embedder?: WordEmbedder;
  readonly sources?: ManualSources;
  readonly engine?: Partial<EngineOptions>;
  /** Rows that are there before the engine opens; with a vector unless `vector` is false. */
  readonly rows?: readonly (Partial<Memory> & { readonly vector?: boolean })[];
}

export async function openBench(options: BenchOptions = {}): Promise<Bench> {
  const {
    store = createInMemoryStore(),
    embedder = new WordEmbedder(),
    sources = new ManualSources(),
  } = options;
  for (const { vector = true, ...given } of options.rows ?? []) {
    const memory = aMemory({ id: sources.newId(), ...given });
    const values = embedder.vectorOf(memory.task);
    await store.insert({ memory, vector: vector ? { model: embedder.model, values } : null });
  }
  const reported: unknown[] = [];
  const engine = await Engine.open(store, embedder, sources, {
    ...ENGINE_OPTIONS,
    ...options.engine,
    report: (error) => reported.push(error),
  });
  return {
    engine,
    reported,
    store,
    embedder,
    sources,
    reopen: () => openBench({ store, embedder, sources, engine: options.engine ?? {} }),
  };
}

export function aMemory(given: Partial<Memory> = {}): Memory {
  return {
    id: 'row',
    kind: 'memory',
    project: PROJECT,
    task: 'a task',
    answer: 'an answer',
    tags: [],
    source: 'remember',
    storedAt: 1_600_000_000,
    expiresAt: null,
    supersededBy: null,
    deletedAt: null,
    ...given,
  };
}

export function asking(task: string, given: Partial<RecallRequest> = {}): RecallRequest {
  return { task, project: PROJECT, settings: SETTINGS, topK: 1, ...given };
}

export function storing(task: string, given: Partial<RememberRequest> = {}): RememberRequest {
  return {
    task,
    answer: `answer to ${task}`,
    project: PROJECT,
    settings: SETTINGS,
    scope: 'project',
    tags: [],
    ttlSeconds: null,
    skipIfDuplicate: false,
    source: 'remember',
    ...given,
  };
}

/** Stores one answer and says under which id. */
export async function rememberId(
  { engine }: Bench,
  task: string,
  given?: Partial<RememberRequest>,
): Promise<string> {
  const { entry_id } = await engine.remember(storing(task, given));
  if (entry_id === undefined) throw new Error(`"${task}" was not stored.`);
  return entry_id;
}

/** Resolves when the background work has given every row a vector, or does not get on within so many turns. */
export async function untilFilled({ engine }: Bench, turns = 100): Promise<number> {
  for (let turn = 0; turn < turns; turn += 1) {
    if ((await engine.stats(PROJECT)).without_vector === 0) return 0;
    await nextTurn();
  }
  return (await engine.stats(PROJECT)).without_vector;
}

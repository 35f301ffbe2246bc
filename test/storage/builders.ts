import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Memory, RecallRecord, Vector } from '../../src/core/memory.js';
import type { LedgerRow, MemoryStore, Receipt, StoredMemory, TrashedRow } from '../../src/core/ports.js';

/** A directory that goes away with the test. */
export function temporaryDirectory(t: Pick<TestContext, 'after'>): string {
  const path = mkdtempSync(join(tmpdir(), 'store-'));
  t.after(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

export function memory(id: string, over: Partial<Memory> = {}): Memory {
  return {
    id,
    kind: 'memory',
    project: 'project-a',
    task: `task of ${id}`,
    answer: `answer of ${id}`,
    tags: ['tag', id],
    source: 'remember',
    storedAt: 1_700_000_000.25,
    expiresAt: null,
    supersededBy: null,
    deletedAt: null,
    ...over,
  };
}

/** The same numbers for the same seed, some negative and none round. */
export function vector(seed: number, model = 'model-a', dimension = 4): Vector {
  return { model, values: Float32Array.from({ length: dimension }, (_, i) => Math.sin(seed * 31 + i)) };
}

export function entry(id: string, over: Partial<Memory> = {}, of: Vector | null = null): StoredMemory {
  return { memory: memory(id, over), vector: of };
}

export function recall(at: number, over: Partial<RecallRecord> = {}): RecallRecord {
  return {
    at,
    project: 'project-a',
    query: `question ${at}`,
    entryId: null,
    similarity: 0.5,
    hit: false,
    threshold: 0.85,
    ...over,
  };
}

export function receipt(key: string, at = 1_700_000_000, result = `{"key":"${key}"}`): Receipt {
  return { key, result, at };
}

export function ledgerRow(key: string, over: Partial<LedgerRow> = {}): LedgerRow {
  return { key, digest: `digest of ${key}`, result: `{"key":"${key}"}`, at: 1_700_000_000, ...over };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Everything a store tells about these ids, keys, models and projects. */
export interface Contents {
  readonly live: Record<string, { id: string; vector: number[] | null }[]>;
  readonly rows: (Memory | null)[];
  readonly replaced: string[][];
  readonly recalls: RecallRecord[][];
  readonly hits: (number | null)[];
  readonly receipts: (Receipt | null)[];
  readonly ledger: (LedgerRow | null)[];
  readonly trash: string[];
  readonly trashed: TrashedRow[];
  readonly usage: (readonly [number, number])[];
  readonly reviews: [string, number][][];
}

export interface Names {
  readonly ids: readonly string[];
  readonly keys?: readonly string[];
  readonly models?: readonly string[];
  readonly projects?: readonly string[];
}

export async function contents(store: MemoryStore, names: Names): Promise<Contents> {
  const { ids, keys = [], models = ['model-a'], projects = ['project-a'] } = names;
  const live: Contents['live'] = {};
  for (const model of models) {
    live[model] = (await collect(store.all(model))).map((row) => ({
      id: row.memory.id,
      vector: row.vector ? [...row.vector.values] : null,
    }));
  }
  return {
    live,
    rows: await Promise.all(ids.map((id) => store.get(id))),
    replaced: await Promise.all(ids.map(async (id) => (await store.replacedBy(id)).map((row) => row.id))),
    recalls: await Promise.all(projects.map((project) => store.recalls(project))),
    hits: await Promise.all(projects.map((project) => store.lastHitAt(project))),
    receipts: await Promise.all(keys.map((key) => store.receipt(key))),
    ledger: await Promise.all(keys.map((key) => store.ledgerRow(key))),
    trash: await store.trashedBefore(Number.MAX_VALUE),
    trashed: await store.trashed({ limit: 100 }),
    usage: await usageOf(store, ids),
    reviews: await Promise.all(projects.map(async (project) => [...(await store.reviews(project))].sort())),
  };
}

/** Hits and versions of each, in this order. */
async function usageOf(store: MemoryStore, ids: readonly string[]): Promise<(readonly [number, number])[]> {
  const usage = await store.usage(ids);
  return ids.map((id) => [usage.get(id)?.hits ?? 0, usage.get(id)?.versions ?? 0]);
}

/** Name, time and content of every file. */
export function listing(directory: string): { name: string; modified: number; bytes: string }[] {
  return readdirSync(directory)
    .sort()
    .map((name) => ({
      name,
      modified: statSync(join(directory, name)).mtimeMs,
      bytes: readFileSync(join(directory, name)).toString('latin1'),
    }));
}

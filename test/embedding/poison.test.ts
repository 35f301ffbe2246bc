import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { fillVectors } from '../../src/core/backfill.js';
import { ChangeFeed } from '../../src/core/changes.js';
import { Engine } from '../../src/core/engine.js';
import { MemoryIndex } from '../../src/core/memoryIndex.js';
import type { Parts } from '../../src/core/parts.js';
import { createInMemoryStore } from '../../src/storage/inMemoryStore.js';
import { aMemory, ENGINE_OPTIONS, ManualSources, PROJECT, storing } from '../core/fixture.js';
import { embedderFor, fixture } from './builders.js';

/** Rows without a vector, the first of which ends every process that embeds it. */
async function poisoned(t: TestContext) {
  const { embedder } = embedderFor(t, { script: fixture('diesOnPoison.mjs') });
  const store = createInMemoryStore();
  const tasks = ['poison', ...Array.from({ length: 40 }, (_, n) => `task ${n}`)];
  const memories = tasks.map((task) => aMemory({ id: task, task }));
  for (const memory of memories) await store.insert({ memory, vector: null });
  return { embedder, store, memories };
}

test('a row whose text kills the child is tried twice, and every other row gets its vector', async (t) => {
  const { embedder, store, memories } = await poisoned(t);
  const index = new MemoryIndex(embedder.dimension);
  for (const memory of memories) index.add(memory, null);
  const failures = new Map<string, number>();
  const changes = new ChangeFeed(assert.ifError);
  const exclusive: Parts['exclusive'] = (change) => change();
  const parts = {
    ...ENGINE_OPTIONS,
    store,
    index,
    embedder,
    sources: new ManualSources(),
    changes,
    exclusive,
  };
  await fillVectors(parts, { stopped: () => false, failures });
  assert.equal(index.pending, 1);
  assert.deepEqual([...failures], [['poison', 2]]);
});

test('questions and new rows are embedded meanwhile', { timeout: 60_000 }, async (t) => {
  const { embedder, store } = await poisoned(t);
  const engine = await Engine.open(store, embedder, new ManualSources(), ENGINE_OPTIONS);
  t.after(() => engine.close());
  for (let asked = 0; (await engine.stats(PROJECT)).without_vector > 1; asked += 1) {
    assert.equal((await engine.echo({ task: 'a question', project: PROJECT, topK: 1 })).degraded, undefined);
    assert.equal((await engine.remember(storing(`new task ${asked}`))).embedding_dim, 384);
    await engine.tidy();
  }
  assert.deepEqual(embedder.state, { status: 'ready' });
});

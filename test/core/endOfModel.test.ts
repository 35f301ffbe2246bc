import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Engine } from '../../src/core/engine.js';
import { asking, openBench, PROJECT, storing, untilFilled, type Bench } from './fixture.js';
import { WordEmbedder } from './wordEmbedder.js';

const ROWS = 3000;

/** An engine that has begun to give a vector to each of many rows, with a model that takes its time. */
async function filling(): Promise<Bench> {
  const embedder = new WordEmbedder();
  embedder.busy = true;
  embedder.hold();
  const rows = Array.from({ length: ROWS }, (_, at) => ({
    id: `row ${at}`,
    task: `task ${at}`,
    vector: false,
  }));
  const bench = await openBench({ embedder, rows });
  while (embedder.calls.length === 0) await nextTurn();
  return bench;
}

const WAYS: readonly [name: string, end: (engine: Engine) => Promise<void>][] = [
  ['its model is ended', (engine) => engine.endModel()],
  ['it is closed', (engine) => engine.close()],
  [
    'its model is ended and then it is closed',
    async (engine) => {
      await engine.endModel();
      await engine.close();
    },
  ],
];

describe('an engine that has many rows without a vector', () => {
  for (const [name, end] of WAYS) {
    it(`asks the model for no further one when ${name}`, async () => {
      const { engine, embedder, reported } = await filling();
      await end(engine);
      // What would be tried again would be tried in the turns that follow.
      for (let turn = 0; turn < 50; turn += 1) await nextTurn();
      assert.equal(embedder.calls.length, 1);
      assert.deepEqual(reported, []);
    });
  }

  it('goes on without the model when that is ended, and leaves the rows to the next engine', async () => {
    const bench = await filling();
    const { engine, embedder } = bench;
    await engine.endModel();
    assert.equal((await engine.remember(storing('stored after that'))).stored, true);
    const { hit, degraded, reason } = await engine.recall(asking('something else'));
    assert.deepEqual({ hit, degraded, reason }, { hit: false, degraded: 'no_model', reason: 'busy' });
    await engine.tidy();
    assert.equal(embedder.calls.filter(({ priority }) => priority === 'bulk').length, 1);
    assert.equal((await engine.stats(PROJECT)).without_vector, ROWS + 1);

    const next = await openBench({ store: bench.store, sources: bench.sources });
    assert.equal(await untilFilled(next, 1000), 0);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { asking, openBench, PROJECT, rememberId, untilFilled, type Bench } from './fixture.js';
import { WordEmbedder } from './wordEmbedder.js';

const GONE = 'The model file is missing.';

async function withoutModel(tasks: readonly string[]): Promise<Bench> {
  const bench = await openBench();
  for (const task of tasks) bench.embedder.axis(task);
  bench.embedder.unavailable = GONE;
  for (const task of tasks) await rememberId(bench, task);
  // The attempts in the background have failed by then.
  await turns(5);
  return bench;
}

async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await nextTurn();
}

describe('rows without a vector', () => {
  it('get one, in batches and with low priority, when the engine opens', async () => {
    const rows = Array.from({ length: 70 }, (_, n) => ({ id: `row ${n}`, task: `task ${n}`, vector: false }));
    const bench = await openBench({ rows });
    assert.equal(await untilFilled(bench), 0);
    assert.deepEqual(
      bench.embedder.calls.map(({ texts, priority }) => [texts.length, priority]),
      [
        [32, 'bulk'],
        [32, 'bulk'],
        [6, 'bulk'],
      ],
    );
    for await (const { memory, vector } of bench.store.all('words')) {
      assert.deepEqual(vector?.values, bench.embedder.vectorOf(memory.task));
    }
    const reopened = await bench.reopen();
    await turns(5);
    assert.equal(reopened.embedder.calls.length, 3, 'nothing is left to do');
  });

  it('get one when the model comes back: after the next remember, or when the engine tidies up', async () => {
    for (const wake of [
      (bench: Bench) => rememberId(bench, 'the next'),
      (bench: Bench) => bench.engine.tidy(),
    ]) {
      const bench = await withoutModel(['the task']);
      bench.embedder.place('question', { 'the task': 0.9 });
      bench.embedder.unavailable = null;
      assert.equal((await bench.engine.recall(asking('question'))).hit, false);
      await wake(bench);
      assert.equal(await untilFilled(bench), 0);
      assert.equal((await bench.engine.recall(asking('question'))).hit, true);
    }
  });

  it('get one although the model fails on a text among them, which keeps its words', async () => {
    const bench = await withoutModel(['first', 'the poison', 'last']);
    bench.embedder.poison.add('the poison');
    bench.embedder.unavailable = null;
    await bench.engine.tidy();
    for (const task of ['first', 'last']) {
      bench.embedder.place(`near ${task}`, { [task]: 0.9 });
      while (!(await bench.engine.recall(asking(`near ${task}`))).hit) await nextTurn();
    }
    const found = await bench.engine.search({
      query: 'poison',
      project: PROJECT,
      limit: 5,
      maxTokens: 2000,
      scope: 'all',
    });
    assert.equal(found.results[0]?.task_text, 'the poison');
    await turns(5);
    const calls = bench.embedder.calls.length;
    await bench.engine.tidy();
    await turns(5);
    assert.equal(bench.embedder.calls.length, calls, 'it is not tried again and again');
  });

  it('keep what they got, and their failures, when the model goes away in the middle', async () => {
    class LeavesAfterFirst extends WordEmbedder {
      override async embed(texts: readonly string[], priority?: 'interactive' | 'bulk') {
        const vectors = await super.embed(texts, priority);
        this.unavailable = GONE;
        return vectors;
      }
    }
    const embedder = new LeavesAfterFirst();
    embedder.poison.add('the poison');
    const rows = ['the poison', 'first', 'last'].map((task) => ({ id: task, task, vector: false }));
    const bench = await openBench({ embedder, rows });
    await turns(5);
    assert.equal((await bench.engine.stats(PROJECT)).without_vector, 2, 'the first has its vector');
    for (let again = 0; again < 3; again += 1) {
      embedder.unavailable = null;
      await bench.engine.tidy();
      await turns(5);
    }
    assert.equal((await bench.engine.stats(PROJECT)).without_vector, 1);
    const alone = embedder.calls.filter(({ texts }) => texts.length === 1 && texts[0] === 'the poison');
    assert.equal(alone.length, 2);
  });

  it('are left alone when the model makes vectors of another length than it says', async () => {
    class Short extends WordEmbedder {
      override vectorOf(): Float32Array {
        return new Float32Array(3);
      }
    }
    const embedder = new Short();
    const bench = await openBench({ embedder, rows: [{ vector: false }] });
    await turns(20);
    assert.equal(embedder.calls.length, 2);
    assert.equal((await bench.engine.stats(PROJECT)).without_vector, 1);
  });

  it('get one although the model loads too slowly for the remember itself', async () => {
    const bench = await openBench();
    bench.embedder.hold();
    const pending = rememberId(bench, 'the task');
    await bench.sources.elapse(2000);
    await pending;
    assert.equal((await bench.engine.stats(PROJECT)).without_vector, 1);
    bench.embedder.release();
    assert.equal(await untilFilled(bench), 0);
  });

  it('are not asked for over and over while the model fails', async () => {
    const bench = await withoutModel(['one', 'two', 'three']);
    const bulk = () => bench.embedder.calls.filter(({ priority }) => priority === 'bulk').length;
    await turns(20);
    assert.equal(bulk(), 3, 'once after each remember');
    bench.embedder.failure = new Error('out of memory');
    bench.embedder.unavailable = null;
    await bench.engine.tidy();
    await turns(20);
    assert.equal(bulk(), 4);
    assert.equal((await bench.engine.stats(PROJECT)).without_vector, 3);
  });

  it('are asked for once at a time', async () => {
    const bench = await withoutModel(['one']);
    await turns(5);
    bench.embedder.unavailable = null;
    bench.embedder.hold();
    const before = bench.embedder.calls.length;
    await Promise.all([bench.engine.tidy(), bench.engine.tidy(), bench.engine.tidy()]);
    assert.equal(bench.embedder.calls.length, before + 1);
    bench.embedder.release();
    assert.equal(await untilFilled(bench), 0);
  });

  it('may disappear while their vector is being made', async () => {
    const bench = await openBench({
      rows: [
        { id: 'row', vector: false },
        { task: 'stays', vector: false },
      ],
    });
    bench.embedder.hold();
    const again = await bench.reopen();
    await again.engine.forget('row', PROJECT);
    bench.embedder.release();
    assert.equal(await untilFilled(again), 0);
    assert.equal((await again.engine.stats(PROJECT)).total_entries, 1);
  });

  it('are those of another model, too: spaces are never compared', async () => {
    const before = await openBench();
    await rememberId(before, 'the task');
    const embedder = new WordEmbedder('another model');
    embedder.place('question', { 'the task': 0.9 });
    embedder.hold();
    const bench = await openBench({ store: before.store, embedder });
    assert.equal((await bench.engine.stats(PROJECT)).without_vector, 1);
    embedder.release();
    assert.equal(await untilFilled(bench), 0);
    assert.equal((await bench.engine.recall(asking('question'))).hit, true);
  });
});

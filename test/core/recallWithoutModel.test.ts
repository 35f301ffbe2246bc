import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asking, openBench, rememberId, storing } from './fixture.js';
import { WordEmbedder } from './wordEmbedder.js';

describe('recall without a model', () => {
  it('still hits the identical text, and says that it is degraded', async () => {
    const bench = await openBench();
    bench.embedder.unavailable = 'The model file is missing.';
    const id = await rememberId(bench, 'Deploy the blog');
    const result = await bench.engine.recall(asking('deploy  the BLOG'));
    assert.deepEqual(
      [result.hit, result.similarity, result.entry_id, result.degraded],
      [true, 1, id, 'no_model'],
    );
  });

  it('misses everything else, with the nearest entry by words', async () => {
    const bench = await openBench();
    bench.embedder.unavailable = 'The model file is missing.';
    const id = await rememberId(bench, 'deploy the blog to the server');
    await rememberId(bench, 'bake bread');
    assert.deepEqual(await bench.engine.recall(asking('how to deploy a blog', { threshold: 0 })), {
      hit: false,
      similarity: 0,
      answer: null,
      task_text: null,
      entry_id: null,
      stored_at: null,
      tags: [],
      reason: 'no_model',
      nearest: { entry_id: id, similarity: null, task_text: 'deploy the blog to the server' },
      degraded: 'no_model',
    });
    assert.equal('nearest' in (await bench.engine.recall(asking('zzz'))), false);
  });

  it('misses by words as well where there is a model, but no row has a vector of it yet', async () => {
    const embedder = new WordEmbedder();
    const tasks = ['bake bread', 'deploy the blog to the server'];
    // The model fails on them, so they stay without.
    for (const task of tasks) embedder.poison.add(task);
    const rows = tasks.map((task) => ({ id: task, task, vector: false }));
    const bench = await openBench({ embedder, rows });
    const { hit, reason, degraded, nearest } = await bench.engine.recall(asking('how to deploy a blog'));
    assert.deepEqual(
      { hit, reason, degraded, nearest: nearest?.entry_id, similarity: nearest?.similarity },
      { hit: false, reason: 'busy', degraded: 'no_model', nearest: tasks[1], similarity: null },
    );
    assert.equal((await bench.engine.recall(asking('Bake  bread'))).hit, true);
  });

  it('waits for a model that is loading, but no longer than its patience', async () => {
    const bench = await openBench();
    bench.embedder.place('question', { 'the task': 0.9 });
    await rememberId(bench, 'the task');

    bench.embedder.hold();
    const inTime = bench.engine.recall(asking('question'));
    bench.embedder.release();
    assert.equal((await inTime).hit, true);

    bench.embedder.hold();
    const tooLate = bench.engine.recall(asking('question'));
    await bench.sources.elapse(2000);
    assert.deepEqual([(await tooLate).hit, (await tooLate).reason], [false, 'no_model']);
    bench.embedder.release();
  });

  it('waits longer for a loaded model that is only busy, but not for ever', async () => {
    const bench = await openBench();
    bench.embedder.place('question', { 'the task': 0.9 });
    await rememberId(bench, 'the task');
    bench.embedder.busy = true;
    bench.embedder.hold();
    const late = bench.engine.recall(asking('question'));
    await bench.sources.elapse(2000);
    bench.embedder.release();
    assert.equal((await late).hit, true);

    bench.embedder.hold();
    const stuck = bench.engine.recall(asking('question'));
    await bench.sources.elapse(2000);
    await bench.sources.elapse(10_000);
    assert.deepEqual([(await stuck).degraded, (await stuck).reason], ['no_model', 'busy']);
    bench.embedder.release();
  });

  it('does not call the identical text degraded while the model is only loading', async () => {
    const bench = await openBench();
    await rememberId(bench, 'the task');
    bench.embedder.hold();
    assert.equal('degraded' in (await bench.engine.recall(asking('the task'))), false);
    bench.embedder.release();
  });

  it('passes on a failure that is not the absence of a model', async () => {
    const bench = await openBench();
    await rememberId(bench, 'the task');
    bench.embedder.failure = new Error('out of memory');
    await assert.rejects(bench.engine.recall(asking('question')), /out of memory/);
    await assert.rejects(bench.engine.remember(storing('question')), /out of memory/);
  });
});

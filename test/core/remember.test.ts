import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId, storing, untilFilled } from './fixture.js';

describe('remember', () => {
  it('stores an entry and answers with its id and the size of its vector', async () => {
    const bench = await openBench();
    const result = await bench.engine.remember(storing('the task', { tags: ['one'], source: 'import' }));
    assert.deepEqual(result, { stored: true, entry_id: 'id-1', embedding_dim: 64 });
    assert.deepEqual(Object.keys(result), ['stored', 'entry_id', 'embedding_dim']);
    assert.deepEqual(await bench.store.get('id-1'), {
      id: 'id-1',
      kind: 'memory',
      project: PROJECT,
      task: 'the task',
      answer: 'answer to the task',
      tags: ['one'],
      source: 'import',
      storedAt: bench.sources.time,
      expiresAt: null,
      supersededBy: null,
      deletedAt: null,
    });
  });

  it('accepts an empty answer', async () => {
    const bench = await openBench();
    await rememberId(bench, 'the task', { answer: '' });
    const { hit, answer } = await bench.engine.recall(asking('the task'));
    assert.deepEqual({ hit, answer }, { hit: true, answer: '' });
  });

  it('is seen by its own project only, or by all when its scope is global', async () => {
    const bench = await openBench();
    await rememberId(bench, 'mine');
    await rememberId(bench, 'shared', { scope: 'global' });
    const hits = async (task: string, project: string) =>
      (await bench.engine.recall(asking(task, { project }))).hit;
    assert.deepEqual([await hits('mine', PROJECT), await hits('mine', OTHER_PROJECT)], [true, false]);
    assert.deepEqual([await hits('shared', PROJECT), await hits('shared', OTHER_PROJECT)], [true, true]);
  });

  it('stores without a vector while there is no model, and says what that means', async () => {
    const bench = await openBench();
    bench.embedder.unavailable = 'The model file is missing.';
    const { note, ...result } = await bench.engine.remember(storing('the task'));
    assert.deepEqual(result, { stored: true, entry_id: 'id-1', embedding_dim: null, degraded: 'no_model' });
    assert.match(note ?? '', /only the identical text recalls this/);
  });

  it('stores nothing when the store refuses, and can be repeated', async () => {
    const bench = await openBench();
    const insert = bench.store.insert.bind(bench.store);
    bench.store.insert = () => Promise.reject(new Error('disk full'));
    await assert.rejects(bench.engine.remember(storing('the task')), /disk full/);
    assert.equal((await bench.engine.recall(asking('the task'))).hit, false);
    bench.store.insert = insert;
    await rememberId(bench, 'the task');
    assert.equal((await bench.engine.recall(asking('the task'))).hit, true);
  });
});

describe('remember of what is stored already', () => {
  it('renews the entry with the same task and answer: time, tags and lifetime', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'Fix the build', {
      answer: 'yes',
      tags: ['one', 'two'],
      ttlSeconds: 5,
    });
    bench.sources.time += 100;
    const again = storing(' Fix  the\nbuild', { answer: 'yes', tags: ['two', 'three'] });
    const { note, ...result } = await bench.engine.remember(again);

    assert.deepEqual(result, { stored: true, entry_id: id, embedding_dim: 64, refreshed: true });
    assert.match(note ?? '', /renewed instead of doubled/);
    const entry = await bench.engine.get({ id: id, project: PROJECT, scope: 'project' });
    assert.deepEqual(
      [entry.task_text, entry.tags, entry.stored_at, entry.expires_at],
      ['Fix the build', ['one', 'two', 'three'], bench.sources.time, null],
    );
    assert.equal((await bench.engine.stats(PROJECT)).total_entries, 1);
    assert.equal((await bench.engine.recall(asking('fix the build', { tags: ['three'] }))).entry_id, id);
  });

  it('takes another answer, case, project, scope or a forgotten row for something else', async () => {
    const bench = await openBench();
    const forgotten = await rememberId(bench, 'Fix the build', { answer: 'yes' });
    await bench.engine.forget(forgotten, PROJECT);
    const ids = [
      forgotten,
      await rememberId(bench, 'Fix the build', { answer: 'yes' }),
      await rememberId(bench, 'Fix the build', { answer: 'yes ' }),
      await rememberId(bench, 'fix the build', { answer: 'yes' }),
      await rememberId(bench, 'Fix the build', { answer: 'yes', project: OTHER_PROJECT }),
      await rememberId(bench, 'Fix the build', { answer: 'yes', scope: 'global' }),
    ];
    assert.equal(new Set(ids).size, ids.length);
  });

  it('gives a vector to a renewed entry that had none', async () => {
    const bench = await openBench();
    bench.embedder.place('question', { 'the task': 0.9 });
    bench.embedder.unavailable = 'The model file is missing.';
    const id = await rememberId(bench, 'the task');
    bench.embedder.unavailable = null;
    assert.equal(await rememberId(bench, 'the task'), id);
    assert.equal(await untilFilled(bench), 0);
    assert.equal((await bench.engine.recall(asking('question'))).entry_id, id);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId, storing } from './fixture.js';

/** A bench with one entry, and what `remember` says about a task at this cosine to it. */
async function rememberAt(cosine: number, skipIfDuplicate = false) {
  const bench = await openBench();
  bench.embedder.place('new task', { 'old task': cosine });
  const old = await rememberId(bench, 'old task');
  const result = await bench.engine.remember(storing('new task', { skipIfDuplicate }));
  return { ...bench, old, result };
}

describe('a near duplicate', () => {
  it('is named with four decimals, and stored all the same', async () => {
    const { engine, old, result } = await rememberAt(0.812345);
    const expected = {
      stored: true,
      entry_id: 'id-2',
      embedding_dim: 64,
      warning: 'near_duplicate',
      nearest_task: 'old task',
      nearest_similarity: 0.8123,
      nearest_entry_id: old,
    };
    assert.deepEqual(result, expected);
    assert.deepEqual(
      Object.keys(result),
      Object.keys(expected),
      'the order of the keys is part of the contract',
    );
    assert.equal((await engine.recall(asking('new task'))).entry_id, 'id-2');
  });

  it('lies between 0.75 and 0.92, both included', async () => {
    for (const [cosine, warned] of [
      [0.7499, false],
      [0.75, true],
      [0.92, true],
      [0.9201, false],
      [1, false],
    ] as const) {
      const { result } = await rememberAt(cosine);
      assert.equal(result.warning, warned ? 'near_duplicate' : undefined, `cosine ${cosine}`);
      assert.equal(result.nearest_similarity, warned ? cosine : undefined);
      assert.equal(result.stored, true);
    }
  });

  it('is not stored when the caller wants to skip duplicates', async () => {
    const { engine, old, result } = await rememberAt(0.9, true);
    const expected = {
      stored: false,
      warning: 'near_duplicate',
      nearest_task: 'old task',
      nearest_similarity: 0.9,
      nearest_entry_id: old,
    };
    assert.deepEqual(result, expected);
    assert.deepEqual(Object.keys(result), Object.keys(expected));
    assert.equal((await engine.stats(PROJECT)).total_entries, 1);
  });

  it('is only skipped inside the band: what is nearer is stored without a warning, but with a note', async () => {
    const { result, old } = await rememberAt(0.95, true);
    const { note, ...rest } = result;
    assert.deepEqual(rest, { stored: true, entry_id: 'id-2', embedding_dim: 64 });
    assert.ok(note?.includes(`Entry ${old} is almost the same task and stays`), note);
  });

  it('is decided by the nearest entry alone', async () => {
    const bench = await openBench();
    bench.embedder.place('in the band', { 'new task': 0.8 });
    bench.embedder.place('nearer', { 'new task': 0.95 });
    await rememberId(bench, 'in the band');
    await rememberId(bench, 'nearer');
    assert.equal((await bench.engine.remember(storing('new task'))).warning, undefined);
  });

  it('may be expired or global, but no episode, no superseded row and not of another project', async () => {
    for (const [row, warned] of [
      [{ expiresAt: 10 }, true],
      [{ project: '' }, true],
      [{ kind: 'episode' }, false],
      [{ supersededBy: 'other' }, false],
      [{ project: OTHER_PROJECT }, false],
    ] as const) {
      const { embedder } = await openBench();
      embedder.place('new task', { 'old task': 0.8 });
      const bench = await openBench({ embedder, rows: [{ task: 'old task', ...row }] });
      const { warning } = await bench.engine.remember(storing('new task'));
      assert.equal(warning, warned ? 'near_duplicate' : undefined, JSON.stringify(row));
    }
  });

  it('is looked for behind any number of nearer episodes', async () => {
    const { embedder } = await openBench();
    embedder.place('episode', { 'new task': 0.99 });
    embedder.place('old task', { 'new task': 0.8 });
    const episodes = Array.from({ length: 500 }, () => ({ task: 'episode', kind: 'episode' as const }));
    const bench = await openBench({ embedder, rows: [...episodes, { id: 'old', task: 'old task' }] });
    assert.equal((await bench.engine.remember(storing('new task'))).nearest_entry_id, 'old');
  });

  it('is not looked for without a model', async () => {
    const bench = await openBench();
    await rememberId(bench, 'old task');
    bench.embedder.unavailable = 'The model file is missing.';
    const result = await bench.engine.remember(storing('old task', { answer: 'new', skipIfDuplicate: true }));
    assert.deepEqual([result.stored, result.warning], [true, undefined]);
  });
});

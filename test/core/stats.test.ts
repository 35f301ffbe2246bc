import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId } from './fixture.js';

describe('stats', () => {
  it('says zero, null and ready for a new store', async () => {
    const { engine } = await openBench();
    const { store_bytes, log_bytes, schema_version, ...stats } = await engine.stats(PROJECT);
    assert.deepEqual(stats, {
      total_entries: 0,
      last_hit_at: null,
      hit_rate_last_100: 0,
      by_kind: { memory: 0, episode: 0 },
      expired: 0,
      superseded: 0,
      trash: 0,
      without_vector: 0,
      all_projects_entries: 0,
      model: { name: 'words', state: 'ready', runtime: 'stand-in', dimension: 64 },
      health: [],
    });
    for (const size of [store_bytes, log_bytes, schema_version])
      assert.ok(Number.isInteger(size) && size >= 0);
  });

  it('counts what this project sees, each thing under its name', async () => {
    const bench = await openBench({
      rows: [
        { id: 'mine' },
        { project: '', kind: 'episode' },
        { expiresAt: 10 },
        { expiresAt: 10, kind: 'episode' },
        { supersededBy: 'mine' },
        { supersededBy: 'mine', expiresAt: 10 },
        { project: OTHER_PROJECT },
        { project: OTHER_PROJECT, supersededBy: 'other' },
      ],
    });
    const id = await rememberId(bench, 'forgotten');
    await bench.engine.forget(id, PROJECT);
    const { total_entries, by_kind, expired, superseded, trash, all_projects_entries } =
      await bench.engine.stats(PROJECT);
    assert.deepEqual(
      { total_entries, by_kind, expired, superseded, trash, all_projects_entries },
      {
        total_entries: 3,
        by_kind: { memory: 2, episode: 1 },
        expired: 2,
        superseded: 2,
        trash: 1,
        all_projects_entries: 5,
      },
    );
  });

  it('gives the hit rate of the last 100 recalls of this project, with four decimals', async () => {
    const bench = await openBench();
    await rememberId(bench, 'the task');
    await bench.engine.recall(asking('the task', { project: OTHER_PROJECT }));
    const rate = async () => (await bench.engine.stats(PROJECT)).hit_rate_last_100;
    for (const task of ['the task', 'a stranger', 'another stranger'])
      await bench.engine.recall(asking(task));
    assert.equal(await rate(), 0.3333);
    for (let n = 0; n < 99; n += 1) await bench.engine.recall(asking('the task'));
    assert.equal(await rate(), 0.99);
    await bench.engine.recall(asking('the task'));
    assert.equal(await rate(), 1);
  });

  it('keeps hit rate and time of the last hit across restarts', async () => {
    const bench = await openBench();
    await rememberId(bench, 'the task');
    await bench.engine.recall(asking('the task'));
    const at = bench.sources.time;
    bench.sources.time += 5;
    await bench.engine.recall(asking('a stranger'));
    const { engine } = await bench.reopen();
    const { hit_rate_last_100, last_hit_at } = await engine.stats(PROJECT);
    assert.deepEqual({ hit_rate_last_100, last_hit_at }, { hit_rate_last_100: 0.5, last_hit_at: at });
    assert.equal((await engine.stats(OTHER_PROJECT)).last_hit_at, null);
  });

  it('says why there are no vectors, what that means, and how many rows wait for one', async () => {
    const bench = await openBench();
    bench.embedder.unavailable = 'The model file is missing.';
    await rememberId(bench, 'the task');
    const { model, health, without_vector } = await bench.engine.stats(PROJECT);
    assert.deepEqual([model.state, model.reason], ['unavailable', 'The model file is missing.']);
    assert.equal(without_vector, 1);
    assert.deepEqual(
      health.map((note) => note.code),
      ['no_model'],
    );
    assert.match(health[0]?.message ?? '', /The model file is missing\. .*identical text only/);
  });

  it('passes on what the store has to say', async () => {
    const bench = await openBench();
    const state = await bench.store.state();
    const note = { code: 'damage', message: 'A damaged file was set aside.' };
    bench.store.state = () =>
      Promise.resolve({ ...state, storeBytes: 10, logBytes: 20, schemaVersion: 3, notes: [note] });
    const { store_bytes, log_bytes, schema_version, health } = await bench.engine.stats(PROJECT);
    assert.deepEqual([store_bytes, log_bytes, schema_version, health], [10, 20, 3, [note]]);
  });
});

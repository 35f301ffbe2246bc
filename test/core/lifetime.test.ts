import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asking, openBench, PROJECT, rememberId, SETTINGS, storing } from './fixture.js';

describe('the lifetime of an entry', () => {
  it('is for good unless the caller or the configuration says otherwise', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task');
    assert.equal((await bench.store.get(id))?.expiresAt, null);

    const settings = { ...SETTINGS, defaultTtlSeconds: 60 };
    const short = await rememberId(bench, 'another task', { settings });
    assert.equal((await bench.store.get(short))?.expiresAt, bench.sources.time + 60);
    const own = await rememberId(bench, 'own lifetime', { settings, ttlSeconds: 5 });
    assert.equal((await bench.store.get(own))?.expiresAt, bench.sources.time + 5);
  });

  it('starts after the embedding, not when the call came in', async () => {
    const bench = await openBench();
    bench.embedder.hold();
    const pending = rememberId(bench, 'the task', { ttlSeconds: 10 });
    bench.sources.time += 1000;
    bench.embedder.release();
    const stored = await bench.store.get(await pending);
    assert.deepEqual([stored?.storedAt, stored?.expiresAt], [bench.sources.time, bench.sources.time + 10]);
    assert.equal((await bench.engine.recall(asking('the task'))).hit, true);
  });

  it('ends at once when it is not positive: stored as expired, with a warning', async () => {
    for (const ttlSeconds of [0, -1, -1e308]) {
      const bench = await openBench();
      const { note, ...result } = await bench.engine.remember(storing('the task', { ttlSeconds }));
      assert.deepEqual(result, {
        stored: true,
        entry_id: 'id-1',
        embedding_dim: 64,
        warning: 'already_expired',
      });
      assert.match(note ?? '', /stored as expired and will not be recalled/);
      assert.equal((await bench.engine.recall(asking('the task'))).hit, false);
      assert.equal((await bench.engine.stats(PROJECT)).expired, 1);
    }
  });

  it('may be as long as a number can say', async () => {
    for (const ttlSeconds of [0.5, 1e12, Number.MAX_VALUE]) {
      const bench = await openBench();
      const result = await bench.engine.remember(storing('the task', { ttlSeconds }));
      assert.equal(result.warning, undefined);
      assert.equal((await bench.engine.recall(asking('the task'))).hit, true);
      const { engine } = await bench.reopen();
      assert.equal((await engine.recall(asking('the task'))).hit, true, 'after a restart');
    }
  });

  it('is never shortened by remembering the same again', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'for good');
    for (const ttlSeconds of [1, 0]) {
      const again = await bench.engine.remember(storing('for good', { ttlSeconds }));
      assert.deepEqual([again.entry_id, again.refreshed, again.warning], [id, true, undefined]);
      assert.match(again.note ?? '', /keeps its longer lifetime/);
    }
    assert.equal((await bench.store.get(id))?.expiresAt, null);
    const long = await rememberId(bench, 'long', { ttlSeconds: 1000 });
    await rememberId(bench, 'long', { ttlSeconds: 10 });
    assert.equal((await bench.store.get(long))?.expiresAt, bench.sources.time + 1000);
  });

  it('begins anew when an expired entry is remembered again', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task', { ttlSeconds: 10 });
    bench.sources.time += 11;
    assert.equal((await bench.engine.recall(asking('the task'))).hit, false);
    assert.equal(await rememberId(bench, 'the task', { ttlSeconds: 10 }), id);
    assert.equal((await bench.engine.recall(asking('the task'))).hit, true);
  });
});

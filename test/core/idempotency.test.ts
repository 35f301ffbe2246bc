import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openBench, PROJECT, rememberId, storing } from './fixture.js';

const keyed = (task: string, given: Parameters<typeof storing>[1] = {}) =>
  storing(task, { idempotencyKey: 'key', ...given });

describe('an idempotency key', () => {
  it('gets the first result again, word for word, and nothing is done twice', async () => {
    const bench = await openBench();
    bench.embedder.place('the task', { 'old task': 0.8 });
    await rememberId(bench, 'old task');
    const first = await bench.engine.remember(keyed('the task', { ttlSeconds: -1 }));
    assert.equal(first.warning, 'near_duplicate');
    bench.sources.time += 100;
    const asked = bench.embedder.calls.length;
    const again = await bench.engine.remember(keyed('another task', { answer: 'another answer' }));
    assert.equal(JSON.stringify(again), JSON.stringify(first));
    assert.equal((await bench.engine.stats(PROJECT)).total_entries, 2);
    assert.equal(bench.embedder.calls.length, asked, 'no need to embed');
  });

  it('is remembered after a restart, and after the entry was forgotten', async () => {
    const bench = await openBench();
    const first = await bench.engine.remember(keyed('the task'));
    await bench.engine.forget(first.entry_id ?? '', PROJECT);
    const { engine } = await bench.reopen();
    assert.equal(JSON.stringify(await engine.remember(keyed('the task'))), JSON.stringify(first));
    assert.equal((await engine.stats(PROJECT)).total_entries, 0);
  });

  it('makes one row of two calls at once', async () => {
    const bench = await openBench();
    bench.embedder.hold();
    const both = [bench.engine.remember(keyed('the task')), bench.engine.remember(keyed('the task'))];
    bench.embedder.release();
    const [one, two] = await Promise.all(both);
    assert.equal(JSON.stringify(one), JSON.stringify(two));
    assert.deepEqual([one?.refreshed, (await bench.engine.stats(PROJECT)).total_entries], [undefined, 1]);
  });

  it('covers a renewal, too', async () => {
    const bench = await openBench();
    await rememberId(bench, 'the task');
    const renewal = await bench.engine.remember(keyed('the task'));
    assert.equal(renewal.refreshed, true);
    assert.deepEqual(await bench.engine.remember(keyed('the task')), renewal);
  });

  it('belongs to one project, whatever characters names and keys have', async () => {
    const bench = await openBench();
    const ids = [
      await rememberId(bench, 'the task', { project: 'a', idempotencyKey: 'b:c' }),
      await rememberId(bench, 'the task', { project: 'a:b', idempotencyKey: 'c' }),
      await rememberId(bench, 'the task', { project: 'a', idempotencyKey: 'c' }),
    ];
    assert.equal(new Set(ids).size, 2, 'the third renews the first entry');
    assert.notEqual(ids[0], ids[1]);
  });

  it('is not used up by a call that failed', async () => {
    const bench = await openBench();
    await assert.rejects(bench.engine.remember(keyed('the task', { supersedes: 'unknown' })));
    assert.equal((await bench.engine.remember(keyed('the task'))).stored, true);
  });

  it('keeps the result of a call that stored nothing', async () => {
    const bench = await openBench();
    bench.embedder.place('near', { 'the task': 0.8 });
    const neighbour = await rememberId(bench, 'the task');
    const request = keyed('near', { skipIfDuplicate: true });
    const skipped = await bench.engine.remember(request);
    assert.equal(skipped.stored, false);
    await bench.engine.forget(neighbour, PROJECT);
    assert.deepEqual(await bench.engine.remember(request), skipped);
  });
});

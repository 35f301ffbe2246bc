import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import type { Call } from '../../src/core/ports.js';
import { openBench, PROJECT, rememberId, storing, type Bench } from './fixture.js';

const aCall = (given: Partial<Call> = {}): Call => ({
  key: 'front 1',
  digest: 'digest',
  repeatedSince: null,
  ...given,
});
const AGAIN = aCall({ repeatedSince: 0 });

const total = async ({ engine }: Bench) => (await engine.stats(PROJECT)).total_entries;

describe('a call that is sent again because its answer was lost', () => {
  it('gets the first result again, word for word, also after a restart, without being embedded', async () => {
    const bench = await openBench();
    bench.embedder.place('the task', { 'old task': 0.8 });
    await rememberId(bench, 'old task');
    const first = await bench.engine.remember(storing('the task', { call: aCall(), ttlSeconds: -1 }));
    assert.equal(first.warning, 'near_duplicate');
    const next = await bench.reopen();
    const asked = next.embedder.calls.length;
    bench.sources.time += 100;
    const again = await next.engine.remember(storing('the task', { call: AGAIN, ttlSeconds: -1 }));
    assert.equal(JSON.stringify(again), JSON.stringify(first));
    assert.equal(next.embedder.calls.length, asked);
    assert.equal(await total(next), 2);
  });

  it('is done where the first one never was, and its result kept', async () => {
    const bench = await openBench();
    const first = await bench.engine.remember(storing('the task', { call: AGAIN }));
    assert.equal(first.refreshed, undefined);
    assert.deepEqual(await bench.engine.remember(storing('the task', { call: AGAIN })), first);
  });

  it('forgets once', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task');
    assert.equal(await bench.engine.forget(id, PROJECT, aCall()), true);
    const { engine } = await bench.reopen();
    assert.equal(await engine.forget(id, PROJECT, AGAIN), true);
    assert.equal(await engine.forget(id, PROJECT, aCall()), false);
  });

  it('renews once, and supersedes once', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task');
    const renewal = await bench.engine.remember(storing('the task', { call: aCall() }));
    assert.equal(renewal.refreshed, true);
    bench.sources.time += 10;
    assert.deepEqual(await bench.engine.remember(storing('the task', { call: AGAIN })), renewal);
    assert.equal((await bench.store.get(id))?.storedAt, bench.sources.time - 10);

    const correcting = (repeatedSince: number | null) =>
      storing('the task', {
        answer: 'better',
        supersedes: id,
        call: aCall({ key: 'front 2', repeatedSince }),
      });
    const correction = await bench.engine.remember(correcting(null));
    assert.equal(correction.superseded, id);
    assert.deepEqual(await bench.engine.remember(correcting(0)), correction);
  });

  it('is decided again where it stored nothing', async () => {
    const bench = await openBench();
    bench.embedder.place('near', { 'the task': 0.8 });
    const neighbour = await rememberId(bench, 'the task');
    const request = storing('near', { skipIfDuplicate: true, call: aCall() });
    const skipped = await bench.engine.remember(request);
    assert.equal(skipped.stored, false);
    await bench.engine.forget(neighbour, PROJECT);
    assert.equal((await bench.engine.remember({ ...request, call: AGAIN })).stored, true);
  });

  it('makes one row although the first one is still being done', async () => {
    const bench = await openBench();
    bench.embedder.hold();
    const both = [aCall(), AGAIN].map((call) => bench.engine.remember(storing('the task', { call })));
    bench.embedder.release();
    const [one, two] = await Promise.all(both);
    assert.equal(JSON.stringify(one), JSON.stringify(two));
    assert.equal(one?.refreshed, undefined);
  });

  it('may have an idempotency key as well, which answers whoever uses it', async () => {
    const bench = await openBench();
    const keyed = { idempotencyKey: 'key' };
    const first = await bench.engine.remember(storing('the task', { ...keyed, call: aCall() }));
    assert.deepEqual(await bench.engine.remember(storing('the task', { ...keyed, call: AGAIN })), first);
    const other = aCall({ key: 'front 2', digest: 'another' });
    assert.deepEqual(await bench.engine.remember(storing('another', { ...keyed, call: other })), first);
    assert.equal(await total(bench), 1);
  });

  it('is done again where it failed', async () => {
    const bench = await openBench();
    const failing = bench.engine.remember(storing('the task', { supersedes: 'unknown', call: aCall() }));
    await assert.rejects(failing, MemoryError);
    assert.equal((await bench.engine.remember(storing('the task', { call: AGAIN }))).stored, true);
  });
});

describe('a call under a key that was used before', () => {
  it('is done when its sender does not say that it is repeated', async () => {
    const bench = await openBench();
    const first = await bench.engine.remember(storing('the task', { call: aCall() }));
    await bench.engine.forget(first.entry_id ?? '', PROJECT);
    const second = await bench.engine.remember(storing('the task', { call: aCall() }));
    assert.notEqual(second.entry_id, first.entry_id);
    assert.deepEqual(await bench.engine.remember(storing('the task', { call: AGAIN })), second);
  });

  it('is done when its sender got it after that', async () => {
    const bench = await openBench();
    const first = await bench.engine.remember(storing('the task', { call: aCall() }));
    await bench.engine.forget(first.entry_id ?? '', PROJECT);
    const since = bench.sources.time + 5;
    bench.sources.time += 10;
    const call = aCall({ repeatedSince: since });
    const second = await bench.engine.remember(storing('the task', { call }));
    assert.notEqual(second.entry_id, first.entry_id);
    assert.deepEqual(await bench.engine.remember(storing('the task', { call })), second);
  });

  it('is done when it is another request', async () => {
    const bench = await openBench();
    await bench.engine.remember(storing('the task', { call: aCall() }));
    const other = aCall({ digest: 'another', repeatedSince: 0 });
    await bench.engine.remember(storing('another', { call: other }));
    assert.equal(await total(bench), 2);
    assert.equal(await bench.engine.forget('unknown', PROJECT, AGAIN), false);
  });
});

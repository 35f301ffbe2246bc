import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { isQuickSnapshot, isWorthSnapshot, logStep } from '../../src/storage/snapshotRules.js';
import { openSqlStore } from '../../src/storage/sqlStore.js';
import { entry, listing, recall, temporaryDirectory } from './builders.js';
import { faulty, systemError } from './faults.js';
import type { Fault } from './faults.js';

const MIB = 1024 * 1024;

/** A store of about 10 MB, opened anew; `calls` counts what it does from then on. */
async function largeStore(t: TestContext) {
  const directory = temporaryDirectory(t);
  const first = await openSqlStore(directory);
  for (let n = 0; n < 5; n += 1) await first.insert(entry(`big-${n}`, { answer: 'x'.repeat(2_000_000) }));
  await first.close();
  const calls: string[] = [];
  const count: Fault = (call, _args, proceed) => {
    calls.push(call);
    return proceed();
  };
  return { directory, calls, store: await openSqlStore(directory, { fs: faulty(count) }) };
}

describe('a snapshot', () => {
  it('is always worth while for a small store, and for a large one from 1 MiB or 1 % of it on', () => {
    assert.equal(isWorthSnapshot({ storeBytes: 0, logBytes: 1 }), true);
    assert.equal(isWorthSnapshot({ storeBytes: 8 * MIB - 1, logBytes: 1 }), true);
    assert.equal(isWorthSnapshot({ storeBytes: 50 * MIB, logBytes: 0.5 * MIB - 1 }), false);
    assert.equal(isWorthSnapshot({ storeBytes: 50 * MIB, logBytes: 0.5 * MIB }), true);
    assert.equal(isWorthSnapshot({ storeBytes: 500 * MIB, logBytes: MIB - 1 }), false);
    assert.equal(isWorthSnapshot({ storeBytes: 500 * MIB, logBytes: MIB }), true);
  });

  it('is taken at closing only where that is quick', () => {
    assert.equal(isQuickSnapshot({ storeBytes: 30 * MIB, logBytes: 33 * MIB }), true);
    assert.equal(isQuickSnapshot({ storeBytes: 30 * MIB, logBytes: 34 * MIB }), false);
  });

  it('of a very large store is left to the next idle moment, and nothing is lost by that', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await openSqlStore(directory);
    for (let n = 0; n < 9; n += 1) await store.insert(entry(`big-${n}`, { answer: 'x'.repeat(8_000_000) }));
    const before = listing(directory);
    await store.close();
    assert.deepEqual(listing(directory), before);
    const next = await openSqlStore(directory);
    assert.notEqual(await next.get('big-8'), null);
    await next.snapshot();
    await next.close();
    assert.notDeepEqual(listing(directory), before);
  });

  it('of a large store is not taken for one recall, neither when idle nor at closing', async (t) => {
    const { directory, store, calls } = await largeStore(t);
    await store.appendRecall(recall(1), 1e6);
    const before = listing(directory);
    await store.snapshot();
    assert.ok(!calls.includes('fdatasyncSync'));
    await store.close();
    assert.deepEqual(listing(directory), before);
    assert.ok(calls.includes('fdatasyncSync'), 'the recall is on disk');
    assert.deepEqual(await (await openSqlStore(directory)).recalls('project-a'), [recall(1)]);
  });

  it('of a large store is taken once there is enough in the log', async (t) => {
    const { directory, store } = await largeStore(t);
    await store.insert(entry('more', { answer: 'y'.repeat(200_000) }));
    await store.close();
    assert.ok(readFileSync(join(directory, 'memory.db')).includes('y'.repeat(1000)));
  });

  it('of a large store is taken for a purge, however small', async (t) => {
    const { directory, store } = await largeStore(t);
    await store.insert(entry('secret'));
    await store.purge(['secret']);
    for (const { name, bytes } of listing(directory)) assert.ok(!bytes.includes('secret'), name);
  });
});

describe('the length of the log', () => {
  it('is bounded by 32 MiB or half the snapshot', () => {
    assert.equal(logStep(0), 32 * MIB);
    assert.equal(logStep(64 * MIB), 32 * MIB);
    assert.equal(logStep(100 * MIB), 50 * MIB);
  });

  it('past the bound makes no write try again what has just failed', async (t) => {
    const directory = temporaryDirectory(t);
    let exports = 0;
    const fs = faulty((call, args, proceed) => {
      if (call === 'openSync' && String(args[0]).endsWith('memory.db.tmp')) {
        exports += 1;
        throw systemError('ENOSPC');
      }
      return proceed();
    });
    const store = await openSqlStore(directory, { fs });
    const answer = 'x'.repeat(5_000_000);
    for (let n = 1; n <= 6; n += 1) await store.insert(entry(`big-${n}`, { answer }));
    assert.equal(exports, 0);
    await store.insert(entry('big-7', { answer }));
    assert.equal(exports, 1);
    for (let n = 8; n <= 13; n += 1) await store.insert(entry(`big-${n}`, { answer }));
    assert.equal(exports, 1);
    await store.insert(entry('big-14', { answer }));
    assert.equal(exports, 2);
    assert.equal((await store.get('big-14'))?.id, 'big-14');
  });
});

import assert from 'node:assert/strict';
import { CALLS_KEPT } from '../../src/storage/limits.js';
import { describe, it } from 'node:test';
import type { MemoryStore } from '../../src/core/ports.js';
import { entry, ledgerRow, memory, receipt } from './builders.js';

/** The part of the conformance suite about the results of calls. */
export function ledgerConformance(name: string, create: () => Promise<MemoryStore>): void {
  async function filled(...ids: string[]): Promise<MemoryStore> {
    const store = await create();
    for (const id of ids) await store.insert(entry(id));
    return store;
  }

  describe(`${name}: ledger`, () => {
    it('keeps the last result of a key, with its digest, word for word', async () => {
      const store = await create();
      const first = ledgerRow('k', { result: '{ "x" : "\ufeff\u2028é" }', at: 10 });
      await store.insert(entry('a'), { ledger: first });
      assert.deepEqual(await store.ledgerRow('k'), first);
      const second = ledgerRow('k', { digest: 'another', result: 'true', at: 11 });
      await store.update(memory('a'), { ledger: second });
      assert.deepEqual(await store.ledgerRow('k'), second);
      assert.equal(await store.ledgerRow('absent'), null);
    });

    it('has nothing to do with the receipts', async () => {
      const store = await create();
      await store.insert(entry('a'), { receipt: receipt('k'), ledger: ledgerRow('k') });
      await store.insert(entry('b'), { ledger: ledgerRow('only') });
      assert.deepEqual(await store.receipt('k'), receipt('k'));
      assert.equal(await store.receipt('only'), null);
    });

    it('keeps the result of a request that changed nothing, beside its receipt', async () => {
      const store = await create();
      await store.keep({ receipt: receipt('k'), ledger: ledgerRow('k') });
      assert.deepEqual(await store.ledgerRow('k'), ledgerRow('k'));
      assert.deepEqual(await store.receipt('k'), receipt('k'));
    });

    it('tells of a row that went into the trash, not of one that was there already', async () => {
      const store = await filled('a');
      assert.equal(await store.trash('a', 5, { ledger: ledgerRow('first') }), true);
      assert.equal(await store.trash('a', 6, { ledger: ledgerRow('second') }), false);
      assert.equal(await store.trash('absent', 6, { ledger: ledgerRow('second') }), false);
      assert.deepEqual(await store.ledgerRow('first'), ledgerRow('first'));
      assert.equal(await store.ledgerRow('second'), null);
    });

    it('forgets what names a purged row, and keeps the rest', async () => {
      const store = await filled('gone', 'stays');
      const naming = (key: string, id: string) => ({ ledger: ledgerRow(key, { result: `{"id":"${id}"}` }) });
      await store.update(memory('gone'), naming('of gone', 'gone'));
      await store.update(memory('stays'), naming('of stays', 'stays'));
      await store.keep(naming('names gone', 'gone'));
      await store.keep(naming('begins alike', 'gone-2'));
      await store.purge(['gone']);
      const left = await Promise.all(
        ['of gone', 'of stays', 'names gone', 'begins alike'].map((key) => store.ledgerRow(key)),
      );
      assert.deepEqual(
        left.map((row) => row?.key),
        [undefined, 'of stays', undefined, 'begins alike'],
      );
    });

    it('forgets them an hour later', async () => {
      const store = await filled('a');
      await store.keep({ ledger: ledgerRow('old', { at: 0 }) });
      await store.keep({ ledger: ledgerRow('edge', { at: 60 }) });
      await store.keep({ ledger: ledgerRow('new', { at: 3660 }) });
      assert.equal(await store.ledgerRow('old'), null);
      assert.notEqual(await store.ledgerRow('edge'), null);
    });

    it('forgets by time also what was written after a newer one, as when the clock was set back', async () => {
      const store = await filled('a');
      await store.keep({ ledger: ledgerRow('new', { at: 60 }) });
      await store.keep({ ledger: ledgerRow('old', { at: 0 }) });
      await store.keep({ ledger: ledgerRow('newest', { at: 3660 }) });
      assert.equal(await store.ledgerRow('old'), null);
      assert.notEqual(await store.ledgerRow('new'), null);
    });

    it('keeps those of the last writes, as many as are promised, and counts on after a purge', async () => {
      const store = await filled('gone');
      const write = async (from: number, to: number) => {
        for (let n = from; n <= to; n += 1) await store.keep({ ledger: ledgerRow(`k${n}`) });
      };
      const kept = async (n: number) => (await store.ledgerRow(`k${n}`)) !== null;
      await write(1, CALLS_KEPT + 2);
      assert.deepEqual([await kept(2), await kept(3)], [false, true]);
      await write(3, 3);
      await write(CALLS_KEPT + 3, CALLS_KEPT + 4);
      assert.deepEqual([await kept(5), await kept(6), await kept(3)], [false, true, true]);
      await store.update(memory('gone'), { ledger: ledgerRow('last', { result: '"gone"' }) });
      await store.purge(['gone']);
      await write(CALLS_KEPT + 5, CALLS_KEPT + 5);
      assert.deepEqual([await kept(6), await kept(7)], [false, true]);
    });
  });
}

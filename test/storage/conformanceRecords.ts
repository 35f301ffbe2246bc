import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MemoryStore } from '../../src/core/ports.js';
import { collect, entry, memory, recall, receipt, vector } from './builders.js';

const CAP = 1_000_000;

/** The part of the conformance suite about trash, recalls and receipts. */
export function recordsConformance(name: string, create: () => Promise<MemoryStore>): void {
  async function filled(...ids: string[]): Promise<MemoryStore> {
    const store = await create();
    for (const id of ids) await store.insert(entry(id));
    return store;
  }

  describe(`${name}: trash`, () => {
    it('moves a live row in and out once', async () => {
      const store = await filled('a');
      assert.equal(await store.restore('a'), false);
      assert.equal(await store.trash('a', 100), true);
      assert.equal(await store.trash('a', 200), false);
      assert.equal((await store.get('a'))?.deletedAt, 100);
      assert.equal((await store.state()).trashed, 1);
      assert.equal(await store.restore('a'), true);
      assert.equal((await store.get('a'))?.deletedAt, null);
      assert.equal((await store.state()).trashed, 0);
      assert.equal(await store.trash('absent', 1), false);
      assert.equal(await store.restore('absent'), false);
    });

    it('tells what went in at or before a time, oldest first', async () => {
      const store = await filled('a', 'b', 'c', 'd');
      await store.trash('c', 10);
      await store.trash('a', 20);
      await store.trash('b', 20.5);
      assert.deepEqual(await store.trashedBefore(20), ['c', 'a']);
      assert.deepEqual(await store.trashedBefore(9), []);
    });

    it('purges a row with everything that names it', async () => {
      const store = await create();
      await store.insert(entry('keep', {}, vector(1)), {
        receipt: receipt('k-keep', 5, '{"entry_id":"keep"}'),
      });
      await store.insert(entry('gone', {}, vector(2)), {
        receipt: receipt('k-gone', 5, '{"entry_id":"gone"}'),
      });
      await store.insert(entry('replaced', { supersededBy: 'gone' }));
      await store.appendRecall(recall(1, { entryId: 'gone', hit: true }), CAP);
      await store.appendRecall(recall(2, { entryId: 'keep' }), CAP);
      assert.equal(await store.purge(['gone', 'gone', 'absent']), 1);
      assert.equal(await store.purge(['gone']), 0);
      assert.equal(await store.purge([]), 0);
      assert.equal(await store.get('gone'), null);
      assert.equal((await store.get('replaced'))?.supersededBy, 'gone');
      assert.deepEqual(await store.recalls('project-a'), [recall(2, { entryId: 'keep' })]);
      assert.equal(await store.lastHitAt('project-a'), null);
      assert.equal(await store.receipt('k-gone'), null);
      assert.notEqual(await store.receipt('k-keep'), null);
      await store.insert(entry('gone'));
      const rows = await collect(store.all('model-a'));
      assert.deepEqual(
        rows.map((row) => [row.memory.id, row.vector !== null]),
        [
          ['keep', true],
          ['replaced', false],
          ['gone', false],
        ],
      );
    });
  });

  describe(`${name}: recalls`, () => {
    it('gives thousands of them in order', async () => {
      const store = await create();
      for (let at = 1; at <= 2100; at += 1) await store.appendRecall(recall(at), CAP);
      const times = (await store.recalls('project-a')).map(({ at }) => at);
      assert.deepEqual(
        times,
        Array.from({ length: 2100 }, (_, i) => i + 1),
      );
    });

    it('keeps them per project, oldest first, and gives the newest ones', async () => {
      const store = await create();
      const anonymous = recall(3, { query: null, entryId: null, hit: true, similarity: 1 });
      await store.appendRecall(recall(1), CAP);
      await store.appendRecall(recall(2, { project: 'project-b' }), CAP);
      await store.appendRecall(anonymous, CAP);
      await store.appendRecall(recall(4, { entryId: 'a' }), CAP);
      assert.deepEqual(await store.recalls('project-a'), [recall(1), anonymous, recall(4, { entryId: 'a' })]);
      assert.deepEqual(await store.recalls('project-a', 2), [anonymous, recall(4, { entryId: 'a' })]);
      assert.deepEqual(await store.recalls('project-a', 0), []);
      assert.deepEqual(await store.recalls('absent'), []);
      assert.equal(await store.lastHitAt('project-a'), 3);
      assert.equal(await store.lastHitAt('project-b'), null);
    });

    it('drops the older half of the questions past the cap, counting bytes and 120 for each', async () => {
      const store = await create();
      const query = 'é'.repeat(40);
      for (let at = 1; at <= 5; at += 1) await store.appendRecall(recall(at, { query }), 1000);
      const times = async () =>
        (await store.recalls('project-a'))
          .filter(({ entryId, query }) => query !== null || entryId !== null)
          .map(({ at }) => at);
      assert.deepEqual(await times(), [1, 2, 3, 4, 5]);
      await store.appendRecall(recall(6, { query }), 1000);
      assert.deepEqual(await times(), [4, 5, 6]);
      await store.appendRecall(recall(7, { query: 'x'.repeat(2000) }), 1000);
      assert.deepEqual(await times(), [6, 7]);
      assert.equal((await store.recalls('project-a')).length, 7, 'the outcomes stay');
    });

    it('keeps the newest 100 outcomes without a question, and the last hit', async () => {
      const store = await create();
      await store.appendRecall(recall(1, { query: null, entryId: null, hit: true }), CAP);
      for (let at = 2; at <= 150; at += 1) {
        await store.appendRecall(recall(at, { query: null, entryId: null, hit: false }), CAP);
      }
      const times = (await store.recalls('project-a')).map(({ at }) => at);
      assert.deepEqual([times[0], times[1], times.length], [1, 51, 101]);
      assert.equal(await store.lastHitAt('project-a'), 1);
    });

    it('caps each project on its own', async () => {
      const store = await create();
      await store.appendRecall(recall(1, { project: 'project-b' }), 1000);
      for (let at = 2; at <= 30; at += 1) await store.appendRecall(recall(at), 1000);
      assert.equal((await store.recalls('project-b'))[0]?.query, recall(1).query);
    });
  });

  describe(`${name}: receipts`, () => {
    it('keeps the last result of a key, word for word', async () => {
      const store = await create();
      await store.insert(entry('a'), { receipt: receipt('k', 10, '{ "x" : 1 }\0') });
      assert.deepEqual(await store.receipt('k'), { key: 'k', result: '{ "x" : 1 }\0', at: 10 });
      await store.update(memory('a'), { receipt: receipt('k', 11, 'new') });
      assert.deepEqual(await store.receipt('k'), { key: 'k', result: 'new', at: 11 });
      assert.equal(await store.receipt('absent'), null);
    });

    it('keeps the result of a request that changed nothing', async () => {
      const store = await create();
      await store.keep({ receipt: receipt('k', 10, '{}') });
      assert.deepEqual(await store.receipt('k'), { key: 'k', result: '{}', at: 10 });
    });

    it('keeps what names another id that begins the same, and finds ids with spaces', async () => {
      const store = await create();
      await store.insert(entry('episode-1'), { receipt: receipt('one', 1, '{"id":"episode-1"}') });
      await store.insert(entry('episode-12'), { receipt: receipt('twelve', 1, '{"id":"episode-12"}') });
      await store.insert(entry('my note'), { receipt: receipt('spaces', 1, '{"id":"my note"}') });
      await store.purge(['episode-1', 'my note']);
      assert.equal(await store.receipt('one'), null);
      assert.notEqual(await store.receipt('twelve'), null);
      assert.equal(await store.receipt('spaces'), null);
    });

    it('forgets them 30 days later', async () => {
      const store = await create();
      const day = 24 * 3600;
      await store.insert(entry('a'), { receipt: receipt('old', 0) });
      await store.insert(entry('b'), { receipt: receipt('edge', day) });
      await store.insert(entry('c'), { receipt: receipt('new', 31 * day) });
      assert.equal(await store.receipt('old'), null);
      assert.notEqual(await store.receipt('edge'), null);
    });

    it('keeps the newest 10,000', async () => {
      const store = await filled('a');
      for (let n = 1; n <= 10_002; n += 1) await store.update(memory('a'), { receipt: receipt(`k${n}`) });
      assert.equal(await store.receipt('k2'), null);
      assert.notEqual(await store.receipt('k3'), null);
    });
  });
}

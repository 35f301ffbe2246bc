import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import type { MemoryStore } from '../../src/core/ports.js';
import { episodesConformance } from './conformanceEpisodes.js';
import { ledgerConformance } from './conformanceLedger.js';
import { recordsConformance } from './conformanceRecords.js';
import { usageConformance } from './conformanceUsage.js';
import { collect, contents, entry, ledgerRow, memory, recall, receipt, vector } from './builders.js';

const CAP = 1_000_000;

/** What every store promises. `create` gives an empty one that is closed by its giver. */
export function conformance(name: string, create: () => Promise<MemoryStore>): void {
  async function filled(...ids: string[]): Promise<MemoryStore> {
    const store = await create();
    for (const id of ids) await store.insert(entry(id));
    return store;
  }
  const liveIds = async (store: MemoryStore) =>
    (await collect(store.all('model-a'))).map((row) => row.memory.id);

  describe(`${name}: rows`, () => {
    it('gives back every field as it was stored', async () => {
      const store = await create();
      const full = memory('full', {
        kind: 'episode',
        project: '',
        tags: [],
        expiresAt: 1_800_000_000.125,
        supersededBy: 'newer',
        deletedAt: 1_700_000_001.5,
      });
      await store.insert({ memory: full, vector: null });
      await store.insert(entry('plain'));
      assert.deepEqual(await store.get('full'), full);
      assert.deepEqual(await store.get('plain'), memory('plain'));
      assert.equal(await store.get('absent'), null);
    });

    it('keeps a byte order mark, NUL, line separators, emoji, quotes and empty text', async () => {
      const store = await create();
      const odd = memory('odd', {
        task: '\ufeffa\0b\u2028c\u2029d 😀 \'"` \\ \n\t ﬁ e\u0301',
        answer: '',
        tags: ['\0', '', '日本語'],
        source: '',
      });
      await store.insert({ memory: odd, vector: null });
      assert.deepEqual(await store.get('odd'), odd);
      await store.snapshot();
      assert.deepEqual(await store.get('odd'), odd);
    });

    it('lists live rows in order of storing, whatever their times', async () => {
      const store = await create();
      await store.insert(entry('b', { storedAt: 30 }));
      await store.insert(entry('a', { storedAt: 10 }));
      await store.insert(entry('c', { storedAt: 20 }));
      await store.update(memory('b', { answer: 'changed', storedAt: 40 }));
      await store.trash('a', 50);
      assert.deepEqual(await liveIds(store), ['b', 'c']);
      await store.restore('a');
      assert.deepEqual(await liveIds(store), ['b', 'a', 'c']);
    });

    it('refuses a second row with the same id and keeps the first', async () => {
      const store = await filled('a');
      const kept = { receipt: receipt('k'), ledger: ledgerRow('k') };
      const again = store.insert(entry('a', { task: 'other' }), kept);
      await assert.rejects(again, (error) => error instanceof MemoryError && error.reason === 'invalid');
      assert.equal((await store.get('a'))?.task, 'task of a');
      assert.equal(await store.receipt('k'), null);
      assert.equal(await store.ledgerRow('k'), null);
    });

    it('refuses to update a row that is not there', async () => {
      const store = await filled('a');
      const update = store.update(memory('b'), { supersedes: 'a', receipt: receipt('k') });
      await assert.rejects(update, (error) => error instanceof MemoryError && error.reason === 'not_found');
      assert.equal((await store.get('a'))?.supersededBy, null);
      assert.equal(await store.receipt('k'), null);
    });

    it('lists more rows than fit in one slice', async () => {
      const ids = Array.from({ length: 600 }, (_, i) => `row-${i}`);
      const store = await filled(...ids);
      assert.deepEqual(await liveIds(store), ids);
    });

    it('lets writes through while rows are being listed', async () => {
      const ids = Array.from({ length: 600 }, (_, i) => `row-${i}`);
      const store = await filled(...ids);
      const seen: string[] = [];
      for await (const row of store.all('model-a')) {
        seen.push(row.memory.id);
        if (seen.length === 10) await store.trash('row-599', 1);
      }
      assert.deepEqual(seen, ids.slice(0, -1));
    });
  });

  describe(`${name}: history`, () => {
    it('marks the replaced row in the same step', async () => {
      const store = await filled('old');
      await store.insert(entry('new'), { supersedes: 'old', receipt: receipt('k') });
      assert.equal((await store.get('old'))?.supersededBy, 'new');
      assert.deepEqual(await store.receipt('k'), receipt('k'));
    });

    it('follows a chain of replacements, newest first, without the trash', async () => {
      const store = await create();
      await store.insert(entry('first', { storedAt: 1 }));
      await store.insert(entry('second', { storedAt: 2 }), { supersedes: 'first' });
      await store.insert(entry('third', { storedAt: 3 }), { supersedes: 'second' });
      await store.insert(entry('aside', { storedAt: 2.5 }));
      await store.insert(entry('last', { storedAt: 4 }), { supersedes: 'third' });
      await store.update(memory('last', { storedAt: 4 }), { supersedes: 'aside' });
      const history = async () => (await store.replacedBy('last')).map((row) => row.id);
      assert.deepEqual(await history(), ['third', 'aside', 'second', 'first']);
      await store.trash('second', 5);
      assert.deepEqual(await history(), ['third', 'aside', 'first']);
      assert.deepEqual(await store.replacedBy('first'), []);
    });

    it('ends where rows replace each other in a circle', async () => {
      const store = await create();
      await store.insert(entry('a', { supersededBy: 'b' }));
      await store.insert(entry('b', { supersededBy: 'a' }));
      assert.deepEqual(
        (await store.replacedBy('a')).map((row) => row.id),
        ['b'],
      );
    });
  });

  describe(`${name}: vectors`, () => {
    it('gives the vector of the model asked for, exactly', async () => {
      const store = await create();
      await store.insert(entry('a', {}, vector(1)));
      await store.setVectors([
        { id: 'a', vector: vector(2, 'model-b', 7) },
        { id: 'gone', vector: vector(3) },
      ]);
      const of = async (model: string) => (await collect(store.all(model)))[0]?.vector ?? null;
      assert.deepEqual(await of('model-a'), vector(1));
      assert.deepEqual(await of('model-b'), vector(2, 'model-b', 7));
      assert.equal(await of('model-c'), null);
      assert.equal(await store.get('gone'), null);
    });

    it('overwrites the vector of the same model', async () => {
      const store = await create();
      await store.insert(entry('a', {}, vector(1)));
      await store.setVectors([{ id: 'a', vector: vector(9) }]);
      assert.deepEqual((await collect(store.all('model-a')))[0]?.vector, vector(9));
    });

    it('keeps its own copy of the numbers', async () => {
      const store = await create();
      const mine = vector(1);
      await store.insert(entry('a', {}, mine));
      mine.values.fill(0);
      const [row] = await collect(store.all('model-a'));
      assert.deepEqual(row?.vector, vector(1));
    });

    it('drops them when the task changes and only then', async () => {
      const store = await create();
      await store.insert(entry('a', {}, vector(1)));
      await store.update(memory('a', { answer: 'better' }));
      assert.deepEqual((await collect(store.all('model-a')))[0]?.vector, vector(1));
      await store.update(memory('a', { task: 'other' }));
      assert.equal((await collect(store.all('model-a')))[0]?.vector, null);
    });
  });

  recordsConformance(name, create);
  ledgerConformance(name, create);
  episodesConformance(name, create);
  usageConformance(name, create);

  describe(`${name}: lifetime`, () => {
    it('is the same after a snapshot', async () => {
      const store = await create();
      await store.insert(entry('a', {}, vector(1)), { receipt: receipt('k') });
      await store.insert(entry('b'), { supersedes: 'a' });
      await store.appendRecall(recall(1, { hit: true }), CAP);
      const names = { ids: ['a', 'b'], keys: ['k'] };
      const before = await contents(store, names);
      await store.snapshot();
      assert.deepEqual(await contents(store, names), before);
      await store.trash('a', 5);
      assert.deepEqual(await liveIds(store), ['b']);
    });

    it('starts without notes, in a schema with a number', async () => {
      const state = await (await create()).state();
      assert.deepEqual(state.notes, []);
      assert.equal(state.trashed, 0);
      assert.ok(state.schemaVersion >= 1);
    });

    it('refuses everything once it is closed, and closes twice', async () => {
      const store = await filled('a');
      await store.close();
      await store.close();
      const closed = (error: unknown) => error instanceof MemoryError && error.reason === 'storage';
      await assert.rejects(store.get('a'), closed);
      await assert.rejects(store.insert(entry('b')), closed);
      await assert.rejects(collect(store.all('model-a')), closed);
    });
  });
}

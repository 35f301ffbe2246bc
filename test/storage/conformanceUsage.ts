import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import type { MemoryStore, TrashQuery } from '../../src/core/ports.js';
import { collect, entry, ledgerRow, memory, recall, vector } from './builders.js';

const CAP = 1_000_000;

/** The part of the conformance suite about edited rows, and about what is known of rows beside them. */
export function usageConformance(name: string, create: () => Promise<MemoryStore>): void {
  async function filled(...ids: string[]): Promise<MemoryStore> {
    const store = await create();
    for (const id of ids) await store.insert(entry(id));
    return store;
  }
  const vectorsOf = async (store: MemoryStore, model: string) =>
    Object.fromEntries((await collect(store.all(model))).map((row) => [row.memory.id, row.vector]));

  describe(`${name}: an update that keeps the version before`, () => {
    const before = memory('before', { source: 'edit', storedAt: 5, supersededBy: 'a', tags: ['old'] });

    it('writes both in one step, the version as newest history', async () => {
      const store = await create();
      await store.insert(entry('older', { storedAt: 5 }));
      await store.insert(entry('a', { storedAt: 5 }), { supersedes: 'older' });
      const edited = memory('a', { answer: 'better', storedAt: 9 });
      await store.update(edited, { version: before, ledger: ledgerRow('k') });
      assert.deepEqual(await store.get('a'), edited);
      assert.deepEqual(await store.get('before'), before);
      assert.deepEqual(await store.ledgerRow('k'), ledgerRow('k'));
      const history = (await store.replacedBy('a')).map(({ id }) => id);
      assert.deepEqual(history, ['before', 'older']);
      const live = (await collect(store.all('model-a'))).map((row) => row.memory.id);
      assert.deepEqual(live, ['older', 'a', 'before']);
    });

    it('gives the version the vectors of the row, which keeps them only where its task stays', async () => {
      const store = await create();
      await store.insert(entry('a', {}, vector(1)));
      await store.setVectors([{ id: 'a', vector: vector(2, 'model-b', 7) }]);
      await store.update(memory('a', { answer: 'better' }), { version: before });
      assert.deepEqual(await vectorsOf(store, 'model-a'), { a: vector(1), before: vector(1) });
      await store.update(memory('a', { task: 'other' }), {
        version: memory('second', { supersededBy: 'a' }),
      });
      const one = vector(1);
      assert.deepEqual(await vectorsOf(store, 'model-a'), { a: null, before: one, second: one });
      const two = vector(2, 'model-b', 7);
      assert.deepEqual(await vectorsOf(store, 'model-b'), { a: null, before: two, second: two });
      await store.purge(['a']);
      assert.deepEqual(await vectorsOf(store, 'model-a'), { before: one, second: one });
    });

    it('changes nothing where the id of the version is taken, or the row is not there', async () => {
      const store = await filled('a', 'before');
      const refused = (reason: string) => (error: unknown) =>
        error instanceof MemoryError && error.reason === reason;
      const options = { version: before, ledger: ledgerRow('k') };
      await assert.rejects(store.update(memory('a', { answer: 'better' }), options), refused('invalid'));
      assert.deepEqual(await store.get('a'), memory('a'));
      assert.deepEqual(await store.get('before'), memory('before'));
      const absent = store.update(memory('absent'), { version: memory('new', { supersededBy: 'absent' }) });
      await assert.rejects(absent, refused('not_found'));
      assert.equal(await store.get('new'), null);
      assert.equal(await store.ledgerRow('k'), null);
    });
  });

  describe(`${name}: usage`, () => {
    it('counts the hits of all projects and the live rows that were replaced directly', async () => {
      const store = await filled('a', 'b', 'c', 'd');
      for (const project of ['project-a', 'project-b', ''])
        await store.appendRecall(recall(1, { entryId: 'a', hit: true, project }), CAP);
      await store.appendRecall(recall(2, { entryId: 'a' }), CAP);
      await store.appendRecall(recall(3, { entryId: null, hit: true, query: null }), CAP);
      await store.update(memory('b'), { supersedes: 'c' });
      await store.update(memory('b'), { supersedes: 'd' });
      await store.insert(entry('e'), { supersedes: 'b' });
      const usage = await store.usage(['a', 'b', 'e', 'd', 'absent']);
      assert.deepEqual(usage.get('a'), { hits: 3, versions: 0 });
      assert.deepEqual(usage.get('b'), { hits: 0, versions: 2 });
      assert.deepEqual(usage.get('e'), { hits: 0, versions: 1 });
      for (const id of ['d', 'absent', 'c']) assert.equal(usage.get(id)?.hits ?? 0, 0, id);
      await store.trash('c', 5);
      assert.equal((await store.usage(['b'])).get('b')?.versions, 1);
      assert.deepEqual([...(await store.usage([]))], []);
    });
  });

  describe(`${name}: reviews`, () => {
    it('are of one project, the last one of each entry', async () => {
      const store = await filled('a', 'b');
      await store.markReviewed('project-a', ['a', 'b', 'absent'], 10.5);
      await store.markReviewed('project-a', ['b'], 20);
      await store.markReviewed('', ['b'], 5);
      const marks = async (project: string) => Object.fromEntries(await store.reviews(project));
      assert.deepEqual(await marks('project-a'), { a: 10.5, b: 20 });
      assert.deepEqual(await marks(''), { b: 5 });
      assert.deepEqual(await marks('project-b'), {});
      await store.snapshot();
      assert.deepEqual(await marks('project-a'), { a: 10.5, b: 20 });
    });

    it('outlive the trash and go with the row', async () => {
      const store = await filled('a', 'b');
      await store.markReviewed('project-a', ['a', 'b'], 1);
      await store.trash('a', 5);
      assert.deepEqual([...(await store.reviews('project-a')).keys()].sort(), ['a', 'b']);
      await store.purge(['a']);
      await store.insert(entry('a'));
      assert.deepEqual([...(await store.reviews('project-a'))], [['b', 1]]);
    });
  });

  describe(`${name}: what lies in the trash`, () => {
    it('is listed last deleted first, page after page', async () => {
      const store = await filled('a', 'b', 'c', 'd', 'live');
      for (const [id, at] of Object.entries({ b: 20, d: 10, a: 20, c: 30.5 })) await store.trash(id, at);
      const list = async (query: TrashQuery) => (await store.trashed(query)).map(({ id }) => id);
      assert.deepEqual(await list({ limit: 10 }), ['c', 'b', 'a', 'd']);
      const [first] = await store.trashed({ limit: 1 });
      assert.deepEqual(await list({ limit: 2, after: first }), ['b', 'a']);
      assert.deepEqual(await list({ limit: 9, after: { deletedAt: 20, id: 'b' } }), ['a', 'd']);
      assert.deepEqual(await list({ limit: 9, after: { deletedAt: 10, id: 'd' } }), []);
    });

    it('tells what people need to know it again', async () => {
      const store = await create();
      const over = { kind: 'episode', project: '', task: '\ufefftask', supersededBy: 'x' } as const;
      await store.insert(entry('a', over));
      await store.trash('a', 5.5);
      assert.deepEqual(await store.trashed({ limit: 1 }), [{ id: 'a', ...over, deletedAt: 5.5 }]);
    });

    it('may be removed in several steps, the remains with the last one', async () => {
      const store = await filled('a', 'b', 'c');
      assert.equal(await store.purge(['a'], { more: true }), 1);
      assert.equal(await store.get('a'), null);
      assert.equal(await store.purge(['b'], { more: false }), 1);
      assert.notEqual(await store.get('c'), null);
    });
  });
}

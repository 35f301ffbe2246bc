import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import type { EpisodeQuery, MemoryStore } from '../../src/core/ports.js';
import { collect, entry, ledgerRow, memory, recall, receipt, vector } from './builders.js';
import { episode, insertEpisodes, turn } from './episodeBuilders.js';

const CAP = 1_000_000;

/** The part of the conformance suite about episodes. */
export function episodesConformance(name: string, create: () => Promise<MemoryStore>): void {
  async function filled(...episodes: Parameters<typeof insertEpisodes>[1][]): Promise<MemoryStore> {
    const store = await create();
    await insertEpisodes(store, ...episodes);
    return store;
  }
  const inProject = (key: string) => ({ project: { key, name: `name of ${key}` } });
  const numbers = async (store: MemoryStore, query: Partial<EpisodeQuery> = {}) =>
    (await store.episodes({ projects: null, limit: 100, ...query })).map(({ record }) => record.number);

  describe(`${name}: episodes`, () => {
    it('gives back row and record as they were stored, whatever their state', async () => {
      const first = episode(1, { tags: ['episode'], source: 'stop_hook' });
      const odd = episode(
        7,
        { task: '', answer: '' },
        {
          project: { key: '', name: '\ufeff日本語 \'"\0' },
          directory: 'C:\\Users\\me\\näme\u2028',
          sessionId: '\ufeffid 😀',
          turns: [turn(1, { task: '\ufeffa\0b\u2028 😀 e\u0301 \ud800', outcome: '', at: 0.1 + 0.2 })],
        },
      );
      const store = await filled(first, odd, episode(8, {}, { turns: [] }));
      assert.deepEqual(await store.episode('episode-1'), first);
      assert.deepEqual(await store.episode('episode-7'), odd);
      assert.deepEqual((await store.episode('episode-8'))?.record.turns, []);
      await store.snapshot();
      assert.deepEqual(await store.episode('episode-7'), odd);
      await store.trash('episode-1', 5);
      await store.insert(entry('made of it'), { supersedes: 'episode-7' });
      assert.deepEqual((await store.episode('episode-1'))?.memory, { ...first.memory, deletedAt: 5 });
      assert.equal((await store.episode('episode-7'))?.memory.supersededBy, 'made of it');
      assert.deepEqual(await store.get('episode-1'), { ...first.memory, deletedAt: 5 });
    });

    it('has none under unknown ids and those of other rows', async () => {
      const store = await filled(episode(1));
      await store.insert(entry('memory'));
      await store.insert(entry('bare', { kind: 'episode' }));
      for (const id of ['memory', 'bare', 'absent', '', '__proto__'])
        assert.equal(await store.episode(id), null);
    });

    it('keeps its own copy of the turns', async () => {
      const turns = [turn(1)];
      const store = await filled(episode(1, {}, { turns }));
      turns.push(turn(2));
      assert.deepEqual((await store.episode('episode-1'))?.record.turns, [turn(1)]);
    });

    it('replaces the record in the same step as the row, and keeps it where the row alone changes', async () => {
      const store = await filled(episode(1), episode(2));
      const grown = episode(1, { answer: 'more', storedAt: 9 }, { turns: [turn(1), turn(2), turn(3)] });
      await store.update(grown.memory, { episode: grown.record, ledger: ledgerRow('k') });
      assert.deepEqual(await store.episode('episode-1'), grown);
      assert.deepEqual(await store.ledgerRow('k'), ledgerRow('k'));
      await store.update({ ...grown.memory, supersededBy: 'other' });
      assert.deepEqual((await store.episode('episode-1'))?.record, grown.record);
      assert.deepEqual(await store.episode('episode-2'), episode(2));
      assert.equal(await store.nextEpisode(), 3);
    });

    it('has nothing of a row that was refused', async () => {
      const store = await filled(episode(1));
      const again = episode(1, {}, { sessionId: 'other', turns: [] });
      await assert.rejects(
        store.insert({ memory: again.memory, vector: null }, { episode: again.record }),
        MemoryError,
      );
      const absent = episode(5);
      await assert.rejects(store.update(absent.memory, { episode: absent.record }), MemoryError);
      assert.deepEqual(await store.episode('episode-1'), episode(1));
      assert.equal(await store.episode('episode-5'), null);
      assert.equal(await store.nextEpisode(), 2);
    });

    it('finds those of one session of one project, in whatever state, oldest first', async () => {
      const session = { sessionId: 'mine' };
      const store = await filled(
        episode(2, { storedAt: 1 }, session),
        episode(1, { storedAt: 9 }, session),
        episode(3, {}, { ...session, ...inProject('project-b') }),
        episode(4, {}, { sessionId: 'other' }),
        episode(5, { storedAt: 5 }, session),
      );
      await store.trash('episode-1', 5);
      await store.insert(entry('made of it'), { supersedes: 'episode-2' });
      const of = async (project: string, id: string) =>
        (await store.episodesOf(project, id)).map(({ record }) => record.number);
      assert.deepEqual(await of('project-a', 'mine'), [1, 2, 5]);
      assert.deepEqual(await of('project-b', 'mine'), [3]);
      assert.deepEqual(await of('', 'mine'), []);
      assert.deepEqual(await of('project-a', 'min'), []);
    });

    it('are listed and counted by state and by project', async () => {
      const store = await filled(
        ...[1, 2, 3, 4].map((n) => episode(n)),
        episode(5, {}, inProject('project-b')),
        episode(6, {}, inProject('')),
      );
      await store.insert(entry('memory', { deletedAt: 5 }));
      await store.insert(entry('made of it'), { supersedes: 'episode-2' });
      await store.update({ ...episode(3).memory, supersededBy: 'gone' });
      await store.trash('episode-3', 5);
      await store.trash('episode-4', 5);
      assert.deepEqual(await numbers(store), [6, 5, 4, 3, 2, 1]);
      assert.deepEqual(await numbers(store, { status: 'ingested' }), [6, 5, 1]);
      assert.deepEqual(await numbers(store, { status: 'kept' }), [2]);
      assert.deepEqual(await numbers(store, { status: 'discarded' }), [4, 3]);
      assert.deepEqual(await numbers(store, { projects: ['project-b', ''] }), [6, 5]);
      assert.deepEqual(await numbers(store, { projects: [''] }), [6]);
      assert.deepEqual(await numbers(store, { projects: [] }), []);
      assert.deepEqual(await numbers(store, { projects: ['project-a'], status: 'ingested' }), [1]);
      assert.deepEqual(await store.episodeCounts(null), { ingested: 3, kept: 1, discarded: 2 });
      assert.deepEqual(await store.episodeCounts(['project-a']), { ingested: 1, kept: 1, discarded: 2 });
      assert.deepEqual(await store.episodeCounts([]), { ingested: 0, kept: 0, discarded: 0 });
    });

    it('are listed newest first, in pages that begin behind the one before', async () => {
      const times = [200, 100, 300, 200, 200.5, 200];
      const store = await filled(...times.map((storedAt, n) => episode(n + 1, { storedAt })));
      assert.deepEqual(await numbers(store), [3, 5, 6, 4, 1, 2]);
      assert.deepEqual(await numbers(store, { limit: 2 }), [3, 5]);
      assert.deepEqual(await numbers(store, { limit: 2, after: { storedAt: 200.5, number: 5 } }), [6, 4]);
      assert.deepEqual(await numbers(store, { after: { storedAt: 200, number: 4 } }), [1, 2]);
      assert.deepEqual(await numbers(store, { after: { storedAt: 100, number: 2 } }), []);
      assert.deepEqual(await numbers(store, { after: { storedAt: 250, number: 99 }, limit: 1 }), [5]);
    });

    it('are numbered on from the highest number there ever was', async () => {
      const store = await create();
      assert.equal(await store.nextEpisode(), 1);
      await insertEpisodes(store, episode(1), episode(5), episode(3));
      assert.equal(await store.nextEpisode(), 6);
      await store.purge(['episode-5', 'episode-3']);
      assert.equal(await store.nextEpisode(), 6);
      await store.snapshot();
      await store.purge(['episode-1']);
      assert.equal(await store.nextEpisode(), 6);
    });

    it('are purged with their records, under every name', async () => {
      const store = await filled(episode(1), episode(2));
      assert.equal(await store.purge(['episode-1']), 1);
      assert.equal(await store.episode('episode-1'), null);
      assert.deepEqual(await store.episodesOf('project-a', 'session-1'), []);
      assert.deepEqual(await store.episodeCounts(null), { ingested: 1, kept: 0, discarded: 0 });
      await store.insert(entry('episode-1', { kind: 'episode' }));
      assert.equal(await store.episode('episode-1'), null, 'a new row has no record of the old one');
    });

    it('are rows like others: listed with vectors, with receipts of their own', async () => {
      const store = await create();
      const { memory: row, record } = episode(1);
      await store.insert({ memory: row, vector: vector(1) }, { episode: record, receipt: receipt('k') });
      assert.deepEqual(await collect(store.all('model-a')), [{ memory: row, vector: vector(1) }]);
      assert.deepEqual(await store.receipt('k'), receipt('k'));
    });
  });

  describe(`${name}: episodes that are too many`, () => {
    it('are those stored before a time, in order of their numbers', async () => {
      const store = await filled(...[30, 10, 20, 5].map((storedAt, n) => episode(n + 1, { storedAt })));
      assert.deepEqual(await store.surplusEpisodes(20, 100), ['episode-2', 'episode-4']);
      assert.deepEqual(await store.surplusEpisodes(5, 100), []);
    });

    it('are those of a project behind its newest ones', async () => {
      const store = await filled(
        ...[10, 30, 20, 20].map((storedAt, n) => episode(n + 1, { storedAt })),
        ...[1, 2].map((storedAt, n) => episode(n + 5, { storedAt }, inProject('project-b'))),
        episode(7, { storedAt: 0 }, inProject('')),
      );
      assert.deepEqual(await store.surplusEpisodes(0, 2), ['episode-1', 'episode-3']);
      assert.deepEqual(await store.surplusEpisodes(0, 1), [
        'episode-1',
        'episode-3',
        'episode-4',
        'episode-5',
      ]);
      assert.deepEqual(await store.surplusEpisodes(1, 2), ['episode-1', 'episode-3', 'episode-7']);
    });

    it('are never kept or discarded ones, which take no place either', async () => {
      const store = await filled(...[1, 2, 3, 4].map((n) => episode(n, { storedAt: n })));
      await store.insert(entry('made of it'), { supersedes: 'episode-1' });
      await store.trash('episode-4', 5);
      assert.deepEqual(await store.surplusEpisodes(100, 100), ['episode-2', 'episode-3']);
      assert.deepEqual(await store.surplusEpisodes(0, 2), []);
      assert.deepEqual(await store.surplusEpisodes(0, 1), ['episode-2']);
    });
  });

  describe(`${name}: what recalls hit`, () => {
    it('is told most often first, of equal ones the one hit last, of one project', async () => {
      const store = await create();
      const hits = ['c', 'd', 'a', 'b', 'a', 'e', 'd', 'b', 'c', 'c'];
      for (const [at, entryId] of hits.entries())
        await store.appendRecall(recall(at, { entryId, hit: true }), CAP);
      await store.appendRecall(recall(20, { entryId: 'e', hit: false }), CAP);
      await store.appendRecall(recall(21, { entryId: null, query: null, hit: true }), CAP);
      await store.appendRecall(recall(22, { entryId: 'e', hit: true, project: 'project-b' }), CAP);
      const expected = [
        { entryId: 'c', hits: 3 },
        { entryId: 'b', hits: 2 },
        { entryId: 'd', hits: 2 },
        { entryId: 'a', hits: 2 },
        { entryId: 'e', hits: 1 },
      ];
      assert.deepEqual(await store.mostRecalled('project-a', 10), expected);
      assert.deepEqual(await store.mostRecalled('project-a', 2), expected.slice(0, 2));
      assert.deepEqual(await store.mostRecalled('project-b', 10), [{ entryId: 'e', hits: 1 }]);
      assert.deepEqual(await store.mostRecalled('absent', 10), []);
      await store.insert({ memory: memory('c'), vector: null });
      await store.purge(['c']);
      assert.deepEqual(await store.mostRecalled('project-a', 1), expected.slice(1, 2));
    });
  });
}

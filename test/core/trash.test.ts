import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/core/memory.js';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId, type Bench } from './fixture.js';
import { aSession, aTurn, keeping, listening, statusesOf } from './episodeFixture.js';

const OWN = { key: PROJECT, name: 'Project A' };

const trash = ({ engine }: Bench, given: { limit?: number; cursor?: string | undefined } = {}) =>
  engine.trash({ limit: 100, own: OWN, ...given });
const forget = ({ engine }: Bench, ids: readonly string[], project: string | null = PROJECT) =>
  engine.forgetEntries({ ids, project });
const isLive = async ({ store }: Bench, id: string) => (await store.get(id))?.deletedAt === null;

/** Says how many snapshots were taken from now on. */
function countSnapshots({ store }: Bench): () => number {
  let count = 0;
  const snapshot = store.snapshot.bind(store);
  store.snapshot = () => ((count += 1), snapshot());
  return () => count;
}

/** A memory that was made of `episode-1`, and one more. */
async function withKept() {
  const bench = await openBench();
  await bench.engine.ingest(aSession([aTurn(1)]));
  const { entry_id: kept = '' } = await bench.engine.keep(keeping('episode-1'));
  return { bench, kept, plain: await rememberId(bench, 'plain') };
}
const historyOf = async ({ engine }: Bench, id: string) =>
  (await engine.details(id, OWN)).history.map(({ entry_id }) => entry_id);

describe('forgetting several entries', () => {
  it('says all that lies in the trash now, an entry before the episode it was made of', async () => {
    const { bench, kept, plain } = await withKept();
    const heard = listening(bench);
    assert.deepEqual(await forget(bench, [plain, kept, plain, 'unknown']), [plain, kept, 'episode-1']);
    assert.deepEqual(heard, [{ ids: [plain, kept, 'episode-1'], projects: [PROJECT], forgotten: true }]);
    for (const id of [plain, kept, 'episode-1']) assert.equal(await isLive(bench, id), false, id);
    assert.deepEqual(await forget(bench, [plain, kept]), []);
  });

  it('is undone by restoring just that: the episode is history again', async () => {
    for (const order of [(ids: string[]) => ids, (ids: string[]) => [...ids].reverse()]) {
      const { bench, kept, plain } = await withKept();
      const ids = order(await forget(bench, ['episode-1', kept, plain]));
      assert.equal(ids.length, 3);
      assert.deepEqual(await bench.engine.restore(ids, PROJECT), ids);
      assert.deepEqual(await statusesOf(bench), { 'episode-1': 'kept' });
      assert.deepEqual(await historyOf(bench, kept), ['episode-1']);
      assert.equal((await bench.engine.recall(asking('plain'))).entry_id, plain);
      assert.deepEqual((await trash(bench)).entries, []);
    }
  });

  it('is undone one after the other as well', async () => {
    const { bench, kept } = await withKept();
    for (const id of await forget(bench, ['episode-1', kept])) await bench.engine.restore([id], PROJECT);
    assert.deepEqual(await statusesOf(bench), { 'episode-1': 'kept' });
  });

  it('leaves those of other projects alone, unless they are meant', async () => {
    const rows: Partial<Memory>[] = [
      { id: 'foreign', project: OTHER_PROJECT },
      { id: 'global', project: '' },
    ];
    const bench = await openBench({ rows });
    assert.deepEqual(await forget(bench, ['foreign', 'global']), ['global']);
    assert.equal(await isLive(bench, 'foreign'), true);
    assert.deepEqual(await forget(bench, ['foreign', 'global'], null), ['foreign']);
  });

  it('tells the entry that has lost a version', async () => {
    const bench = await openBench();
    const old = await rememberId(bench, 'the task', { answer: 'one' });
    const next = await rememberId(bench, 'the task', { answer: 'two', supersedes: old });
    const heard = listening(bench);
    assert.deepEqual(await forget(bench, [old]), [old]);
    assert.deepEqual(heard, [{ ids: [old, next], projects: [PROJECT], forgotten: true }]);
  });

  it('says the same when its sender repeats the call, of which all or a part was done', async () => {
    const { bench, kept, plain } = await withKept();
    const before = await rememberId(bench, 'forgotten before');
    await forget(bench, [before]);
    bench.sources.time += 10;
    const since = bench.sources.time;
    await forget(bench, [kept]);
    bench.sources.time += 10;
    const again = { key: 'front 1', digest: 'digest', repeatedSince: since };
    const request = { ids: [before, plain, kept], project: PROJECT, call: again };
    const done = await bench.engine.forgetEntries(request);
    assert.deepEqual([...done].sort(), [plain, kept, 'episode-1'].sort());
    assert.ok(done.indexOf(kept) < done.indexOf('episode-1'));
    assert.deepEqual([...(await bench.engine.forgetEntries(request))].sort(), [...done].sort());
    assert.deepEqual(await forget(bench, [kept]), []);
  });

  it('lets others have a turn between two entries', async () => {
    const ids = Array.from({ length: 200 }, (_, n) => `row-${n}`);
    const bench = await openBench({ rows: ids.map((id) => ({ id, vector: false })) });
    let turns = 0;
    const { turn } = bench.sources;
    Object.assign(bench.sources, { turn: () => ((turns += 1), turn()) });
    assert.deepEqual(await forget(bench, ids), ids);
    assert.ok(turns >= 200, `${turns} turns`);
  });
});

describe('the trash', () => {
  it('is of all projects, last deleted first, page after page', async () => {
    const rows = [
      { id: 'a', deletedAt: 10, task: 'x'.repeat(1000) },
      { id: 'b', deletedAt: 30, project: OTHER_PROJECT, kind: 'episode' as const },
      { id: 'c', deletedAt: 20, supersededBy: 'a' },
      { id: 'live' },
    ];
    const bench = await openBench({ rows });
    const first = await trash(bench, { limit: 2 });
    assert.deepEqual([first.total, first.entries.map(({ entry_id }) => entry_id)], [3, ['b', 'c']]);
    assert.deepEqual(first.entries[0], {
      entry_id: 'b',
      kind: 'episode',
      task_text: 'a task',
      project: { key: OTHER_PROJECT, name: OTHER_PROJECT },
      deleted_at: 30,
    });
    const { entries, next, total } = await trash(bench, { limit: 2, cursor: first.next });
    assert.deepEqual([entries.map(({ entry_id }) => entry_id), next, total], [['a'], undefined, 3]);
    assert.deepEqual([entries[0]?.task_text.length, entries[0]?.project], [300, OWN]);
    await assert.rejects(trash(bench, { cursor: '[1]' }), /cursor: .*Leave it out/);
  });
});

describe('emptying the trash', () => {
  const many = Array.from({ length: 250 }, (_, n) => ({ id: `gone-${n}`, deletedAt: n, vector: false }));

  it('removes all of it for good, of every project, and nothing else', async () => {
    const bench = await openBench({
      rows: [...many, { id: 'live' }, { id: 'x', project: OTHER_PROJECT, deletedAt: 9e12 }],
    });
    assert.equal(await bench.engine.emptyTrash({ dryRun: true }), 251);
    assert.equal((await trash(bench)).total, 251);
    assert.equal(await bench.engine.emptyTrash({ dryRun: false }), 251);
    assert.deepEqual(await trash(bench), { total: 0, entries: [] });
    assert.equal(await bench.store.get('gone-7'), null);
    assert.equal(await isLive(bench, 'live'), true);
    assert.equal(await bench.engine.emptyTrash({ dryRun: false }), 0);
  });

  it('is done in steps, of which none cleans the files, and leaves what was restored meanwhile', async () => {
    const bench = await openBench({ rows: many });
    const steps: [number, boolean | undefined][] = [];
    const purge = bench.store.purge.bind(bench.store);
    bench.store.purge = (ids, options) => {
      if (steps.length === 0) void bench.engine.restore(['gone-249'], PROJECT);
      steps.push([ids.length, options?.more]);
      return purge(ids, options);
    };
    assert.equal(await bench.engine.emptyTrash({ dryRun: false }), 249);
    assert.deepEqual(steps, [
      [100, true],
      [100, true],
      [49, true],
    ]);
    assert.equal(await isLive(bench, 'gone-249'), true);
  });

  it('has the files cleaned when nobody waits, and a minute later at the latest', async () => {
    for (const clean of [
      ({ engine }: Bench) => engine.tidy(),
      ({ sources }: Bench) => sources.elapse(60_000),
    ]) {
      const bench = await openBench({ rows: many.slice(0, 101) });
      const cleaned = countSnapshots(bench);
      assert.equal(await bench.engine.emptyTrash({ dryRun: false }), 101);
      assert.equal(cleaned(), 0);
      await clean(bench);
      while (cleaned() === 0) await bench.sources.turn();
      assert.equal(cleaned(), 1);
      assert.equal(bench.sources.waiting, 0);
    }
  });

  it('says in the background why the files could not be cleaned', async () => {
    const bench = await openBench({ rows: many.slice(0, 1) });
    bench.store.snapshot = () => Promise.reject(new Error('disk full'));
    await bench.engine.emptyTrash({ dryRun: false });
    await bench.sources.elapse(60_000);
    while (bench.reported.length === 0) await bench.sources.turn();
    assert.match(String(bench.reported[0]), /disk full/);
  });

  it('has nothing cleaned where nothing was in it, or the engine is closed first', async () => {
    const bench = await openBench({ rows: [{ id: 'live' }] });
    await bench.engine.emptyTrash({ dryRun: false });
    assert.equal(bench.sources.waiting, 0);
    await bench.engine.forget('live', PROJECT);
    await bench.engine.emptyTrash({ dryRun: true });
    assert.equal(bench.sources.waiting, 0);
    await bench.engine.emptyTrash({ dryRun: false });
    assert.equal(bench.sources.waiting, 1);
    const cleaned = countSnapshots(bench);
    await bench.engine.close();
    assert.deepEqual([bench.sources.waiting, cleaned()], [0, 0]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId, untilFilled, type Bench } from './fixture.js';
import { aSession, aTurn, keeping, listening } from './episodeFixture.js';

const OWN = { key: PROJECT, name: 'Project A' };

const edit = async ({ engine }: Bench, id: string, answer: string) =>
  (await engine.update({ id, project: PROJECT, anyProject: false, answer })).previous ?? assert.fail();
const forgetEntries = ({ engine }: Bench, ...ids: string[]) =>
  engine.forgetEntries({ ids, project: PROJECT });
const isLive = async ({ store }: Bench, id: string) => (await store.get(id))?.deletedAt === null;
const trashed = async ({ engine }: Bench) => (await engine.stats(PROJECT)).trash;
const historyOf = async ({ engine }: Bench, id: string) =>
  (await engine.details(id, OWN)).history.map(({ entry_id }) => entry_id);

/** A memory that was edited twice; its versions, newest first. */
async function withEdited() {
  const bench = await openBench();
  const id = await rememberId(bench, 'the task', { answer: 'one' });
  const first = await edit(bench, id, 'two');
  bench.sources.time += 10;
  const second = await edit(bench, id, 'three');
  bench.sources.time += 10;
  return { bench, id, versions: [second, first] as const };
}

/** The ways an entry is forgotten. */
const WAYS: Record<string, (bench: Bench, id: string) => Promise<unknown>> = {
  forget: ({ engine }, id) => engine.forget(id, PROJECT),
  forgetEntries: (bench, id) => forgetEntries(bench, id),
};

for (const [name, forget] of Object.entries(WAYS)) {
  describe(`an edited entry that goes into the trash by ${name}`, () => {
    it('takes along what it was before, and tells that', async () => {
      const { bench, id, versions } = await withEdited();
      const heard = listening(bench);
      await forget(bench, id);
      assert.deepEqual(heard, [{ ids: [id, ...versions], projects: [PROJECT], forgotten: true }]);
      for (const one of [id, ...versions]) assert.equal(await isLive(bench, one), false);
      const { trash, superseded, total_entries } = await bench.engine.stats(PROJECT);
      assert.deepEqual([trash, superseded, total_entries], [3, 0, 0]);
      assert.equal((await bench.engine.trash({ limit: 1, own: OWN })).total, 3);
    });

    it('has its history again when it alone is restored, also after a restart', async () => {
      const { bench, id, versions } = await withEdited();
      await forget(bench, id);
      bench.sources.time += 10;
      const other = await rememberId(bench, 'another task');
      await bench.engine.forget(other, PROJECT);
      const again = await bench.reopen();
      const heard = listening(again);
      assert.deepEqual(await again.engine.restore([id], PROJECT), [id]);
      assert.deepEqual(heard, [{ ids: [id, ...versions], projects: [PROJECT] }]);
      for (const one of [again, await again.reopen()]) {
        assert.deepEqual(await historyOf(one, id), versions);
        const { entry_id, answer } = await one.engine.recall(asking('the task'));
        assert.deepEqual([entry_id, answer], [id, 'three']);
        await one.engine.tidy();
        assert.equal(await untilFilled(one), 0);
      }
      assert.equal(await trashed(bench), 1);
    });

    it('is gone with all it was when the trash is emptied', async () => {
      const { bench, id, versions } = await withEdited();
      await forget(bench, id);
      assert.equal(await bench.engine.emptyTrash({ dryRun: true }), 3);
      assert.equal(await bench.engine.emptyTrash({ dryRun: false }), 3);
      for (const one of [id, ...versions]) assert.equal(await bench.store.get(one), null);
      assert.equal(await trashed(bench), 0);
    });
  });
}

describe('a version of a forgotten entry that is restored alone', () => {
  it('brings back its entry with all it was, and says both', async () => {
    const { bench, id, versions } = await withEdited();
    await bench.engine.forget(id, PROJECT);
    const heard = listening(bench);
    assert.deepEqual(await bench.engine.restore([versions[1]], PROJECT), [versions[1], id]);
    assert.deepEqual([...(heard[0]?.ids ?? [])].sort(), [id, ...versions].sort());
    assert.equal(heard.length, 1);
    assert.deepEqual(await historyOf(bench, id), versions);
    assert.equal((await bench.engine.recall(asking('the task'))).entry_id, id);
    assert.equal(await trashed(bench), 0);
  });

  it('does so also where it was forgotten before its entry', async () => {
    const { bench, id, versions } = await withEdited();
    await forgetEntries(bench, versions[1]);
    bench.sources.time += 10;
    await forgetEntries(bench, id);
    assert.deepEqual(await bench.engine.restore([versions[1]], PROJECT), [versions[1], id]);
    assert.deepEqual(await historyOf(bench, id), versions);
  });

  it('is back in the history of an entry that was never forgotten', async () => {
    const { bench, id, versions } = await withEdited();
    await forgetEntries(bench, versions[1]);
    assert.deepEqual(await bench.engine.restore([versions[1]], PROJECT), [versions[1]]);
    assert.deepEqual(await historyOf(bench, id), versions);
  });

  it('leaves an entry alone that this project does not see', async () => {
    const { bench, id, versions } = await withEdited();
    await bench.store.update({ ...((await bench.store.get(id)) ?? assert.fail()), project: OTHER_PROJECT });
    await bench.engine.forget(id, OTHER_PROJECT);
    assert.deepEqual(await bench.engine.restore([versions[1]], PROJECT), [versions[1]]);
    assert.equal(await isLive(bench, id), false);
  });

  it('alone comes back where its entry was removed for good', async () => {
    const { bench, id, versions } = await withEdited();
    await forgetEntries(bench, versions[1]);
    await bench.store.purge([id]);
    assert.deepEqual(await bench.engine.restore([versions[1]], PROJECT), [versions[1]]);
  });
});

describe('forgetting edited entries', () => {
  it('says an entry before its versions, however they are named, and that order restores all', async () => {
    for (const named of [[0], [1, 0], [2, 0, 1]]) {
      const { bench, id, versions } = await withEdited();
      const rows = [id, ...versions];
      const forgotten = await forgetEntries(bench, ...named.map((at) => rows[at] ?? assert.fail()));
      assert.equal(forgotten[0], id);
      assert.deepEqual([...forgotten].sort(), [...rows].sort());
      assert.deepEqual(await bench.engine.restore(forgotten, PROJECT), forgotten);
      assert.deepEqual(await historyOf(bench, id), versions);
      assert.equal(await trashed(bench), 0);
    }
  });

  it('leaves the entry as it is where only a version is meant, and that stays forgotten', async () => {
    const { bench, id, versions } = await withEdited();
    assert.deepEqual(await forgetEntries(bench, versions[1]), [versions[1]]);
    assert.deepEqual(await historyOf(bench, id), [versions[0]]);
    bench.sources.time += 10;
    assert.deepEqual(await forgetEntries(bench, id), [id, versions[0]]);
    await bench.engine.restore([id], PROJECT);
    assert.deepEqual(await historyOf(bench, id), [versions[0]]);
    assert.equal(await isLive(bench, versions[1]), false);
  });

  it('leaves what another memory replaced, and its versions', async () => {
    const { bench, id, versions } = await withEdited();
    const next = await rememberId(bench, 'the task', { answer: 'four', supersedes: id });
    const ofNext = await edit(bench, next, 'five');
    assert.deepEqual(await forgetEntries(bench, next), [next, ofNext]);
    for (const one of [id, ...versions]) assert.equal(await isLive(bench, one), true);
    await bench.engine.restore([next], PROJECT);
    assert.deepEqual((await historyOf(bench, next)).sort(), [ofNext, id, ...versions].sort());
  });

  it('takes the episode along that an edited memory was made of', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession([aTurn(1)]));
    const { entry_id: kept = '' } = await bench.engine.keep(keeping('episode-1'));
    const version = await edit(bench, kept, 'better');
    const forgotten = await forgetEntries(bench, kept);
    assert.deepEqual([forgotten[0], [...forgotten].sort()], [kept, [kept, version, 'episode-1'].sort()]);
    assert.deepEqual(await bench.engine.restore(forgotten, PROJECT), forgotten);
    assert.deepEqual((await historyOf(bench, kept)).sort(), [version, 'episode-1'].sort());
  });

  it('touches nothing where the entry lies in the trash already', async () => {
    const { bench, id, versions } = await withEdited();
    await forgetEntries(bench, id);
    await bench.store.restore(versions[0]);
    const heard = listening(bench);
    assert.deepEqual(await forgetEntries(bench, id), []);
    assert.equal(await isLive(bench, versions[0]), true);
    assert.deepEqual(heard, []);
  });

  it('says the same when its sender repeats the call, also of a version that is private to another project', async () => {
    const { bench, id, versions } = await withEdited();
    const promote = { id, project: PROJECT, anyProject: false, scope: 'global' } as const;
    await bench.engine.update(promote);
    const request = { ids: [id], project: OTHER_PROJECT };
    const call = { key: 'front 1', digest: 'digest', repeatedSince: bench.sources.time };
    const forgotten = await bench.engine.forgetEntries(request);
    assert.deepEqual(forgotten, [id, ...versions]);
    const again = await bench.engine.forgetEntries({ ...request, call });
    assert.deepEqual([again[0], [...again].sort()], [id, [...forgotten].sort()]);
    assert.deepEqual(await bench.engine.restore([id], OTHER_PROJECT), [id]);
    assert.deepEqual(await historyOf(bench, id), versions);
  });

  it('is finished by the next time where it was interrupted while restoring', async () => {
    const { bench, id, versions } = await withEdited();
    await forgetEntries(bench, id);
    const restore = bench.store.restore.bind(bench.store);
    bench.store.restore = (row) => (row === id ? Promise.reject(new Error('disk')) : restore(row));
    await assert.rejects(bench.engine.restore([id], PROJECT), /disk/);
    bench.store.restore = restore;
    const again = await bench.reopen();
    await again.engine.restore([id], PROJECT);
    assert.deepEqual(await historyOf(again, id), versions);
  });

  it('finds the versions among everything else that went into the trash at that time', async () => {
    const others = Array.from({ length: 300 }, (_, n) => ({ id: `row-${n}`, vector: false }));
    const bench = await openBench({ rows: others });
    const id = await rememberId(bench, 'the task', { answer: 'one' });
    const version = await edit(bench, id, 'two');
    await forgetEntries(bench, ...others.map((row) => row.id), id);
    await bench.engine.restore([id], PROJECT);
    assert.deepEqual(await historyOf(bench, id), [version]);
    assert.equal(await trashed(bench), 300);
  });
});

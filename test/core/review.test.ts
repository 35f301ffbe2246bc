import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { allEpisodes, aSession, aTurn, keeping, listening, ofProject, statusesOf } from './episodeFixture.js';
import {
  asking,
  openBench,
  OTHER_PROJECT,
  PROJECT,
  rememberId,
  storing,
  untilFilled,
  type Bench,
} from './fixture.js';

/** A bench with as many episodes, `episode-1` and so on, each of a session of its own. */
async function withEpisodes(count: number, options: Parameters<typeof openBench>[0] = {}): Promise<Bench> {
  const bench = await openBench(options);
  for (let n = 1; n <= count; n += 1) {
    await bench.engine.ingest(aSession([aTurn(n)], { sessionId: `session-${n}` }));
  }
  return bench;
}

async function keptAs({ engine }: Bench, id: string): Promise<string> {
  const { entry_id } = await engine.keep(keeping(id));
  return entry_id ?? assert.fail(`${id} was not kept`);
}

async function found({ engine }: Bench): Promise<string[]> {
  const request = {
    query: 'task outcome',
    project: PROJECT,
    limit: 10,
    maxTokens: 5000,
    scope: 'all',
  } as const;
  return (await engine.search(request)).results.map(({ entry_id }) => entry_id).sort();
}

describe('episodes that are discarded', () => {
  it('lie in the trash, many at once, and are found no more', async () => {
    const bench = await withEpisodes(4);
    const heard = listening(bench);
    assert.deepEqual(await bench.engine.discard(['episode-3', 'episode-1']), ['episode-3', 'episode-1']);
    assert.deepEqual(heard, [{ ids: ['episode-3', 'episode-1'], projects: [PROJECT], forgotten: true }]);
    for (const again of [bench, await bench.reopen()]) {
      assert.deepEqual(await found(again), ['episode-2', 'episode-4']);
      const { trash, by_kind } = await again.engine.stats(PROJECT);
      assert.deepEqual([trash, by_kind.episode], [2, 2]);
    }
    assert.equal((await bench.store.get('episode-3'))?.deletedAt, bench.sources.time);
  });

  it('let others have a turn between one and the next', async () => {
    const bench = await withEpisodes(10);
    const ids = Array.from({ length: 10 }, (_, n) => `episode-${n + 1}`);
    let done: readonly string[] = [];
    void bench.engine.discard(ids).then((discarded) => (done = discarded));
    let turns = 0;
    for (; done.length === 0; turns += 1) await nextTurn();
    assert.deepEqual(done, ids);
    assert.ok(turns >= ids.length, `${turns} turns`);
  });

  it('may be of several projects, which all hear of it', async () => {
    const bench = await openBench();
    for (const key of [PROJECT, OTHER_PROJECT, PROJECT, '']) {
      await bench.engine.ingest(
        aSession([aTurn(1)], { ...ofProject(key), sessionId: bench.sources.newId() }),
      );
    }
    const heard = listening(bench);
    const ids = ['episode-1', 'episode-2', 'episode-3', 'episode-4'];
    assert.deepEqual(await bench.engine.discard(ids), ids);
    assert.deepEqual(heard, [{ ids, projects: [PROJECT, OTHER_PROJECT, ''], forgotten: true }]);
  });

  it('are never kept ones, unknown ones or memories', async () => {
    const bench = await withEpisodes(2);
    const memory = await keptAs(bench, 'episode-1');
    const heard = listening(bench);
    const ids = ['episode-1', 'unknown', memory, '__proto__', 'episode-2'];
    assert.deepEqual(await bench.engine.discard(ids), ['episode-2']);
    assert.deepEqual(await bench.engine.discard(ids.slice(0, -1)), []);
    assert.deepEqual(heard, [{ ids: ['episode-2'], projects: [PROJECT], forgotten: true }]);
    assert.deepEqual(await statusesOf(bench), { 'episode-1': 'kept', 'episode-2': 'discarded' });
    assert.equal((await bench.engine.recall(asking('task 1'))).entry_id, memory);
  });

  it('are the same ones when it is said again, and nobody hears of it', async () => {
    const bench = await withEpisodes(2);
    const first = await bench.engine.discard(['episode-1', 'episode-2']);
    const at = bench.sources.time;
    bench.sources.time += 60;
    const heard = listening(bench);
    assert.deepEqual(await bench.engine.discard(['episode-1', 'episode-2']), first);
    assert.equal((await bench.store.get('episode-1'))?.deletedAt, at);
    assert.deepEqual(heard, []);
  });

  it('are named once, however often they were', async () => {
    const bench = await withEpisodes(1);
    assert.deepEqual(await bench.engine.discard(['episode-1', 'episode-1']), ['episode-1']);
  });

  it('are gone for good after 30 days in the trash', async () => {
    const bench = await withEpisodes(1);
    await bench.engine.discard(['episode-1']);
    bench.sources.time += 30 * 24 * 3600 - 1;
    await bench.engine.tidy();
    assert.deepEqual(await statusesOf(bench), { 'episode-1': 'discarded' });
    bench.sources.time += 1;
    await bench.engine.tidy();
    assert.deepEqual(await allEpisodes(bench), []);
    assert.equal(await bench.store.episode('episode-1'), null);
  });
});

describe('what is restored', () => {
  it('are discarded episodes, as they were', async () => {
    const bench = await withEpisodes(3);
    const before = await bench.store.episode('episode-1');
    await bench.engine.discard(['episode-1', 'episode-2']);
    const heard = listening(bench);
    assert.deepEqual(await bench.engine.restore(['episode-1']), ['episode-1']);
    assert.deepEqual(heard, [{ ids: ['episode-1'], projects: [PROJECT] }]);
    assert.deepEqual(await bench.store.episode('episode-1'), before);
    await untilFilled(bench);
    for (const again of [bench, await bench.reopen()]) {
      assert.deepEqual(await found(again), ['episode-1', 'episode-3']);
      const { echoes } = await again.engine.echo({ task: 'task 1 again', project: PROJECT, topK: 1 });
      assert.equal(echoes[0]?.entry_id, 'episode-1');
    }
    await bench.engine.ingest(aSession([aTurn(9)], { sessionId: 'session-1' }));
    assert.equal((await bench.engine.episode('episode-1')).turns.length, 2, 'it grows again');
  });

  it('are memories that were forgotten, with their vectors', async () => {
    const bench = await openBench();
    bench.embedder.place('question', { 'the task': 0.9 });
    const id = await rememberId(bench, 'the task', { project: OTHER_PROJECT });
    await bench.engine.forget(id, OTHER_PROJECT);
    assert.deepEqual(await bench.engine.restore([id]), [id]);
    await untilFilled(bench);
    for (const { engine } of [bench, await bench.reopen()]) {
      assert.equal((await engine.recall(asking('question', { project: OTHER_PROJECT }))).entry_id, id);
      assert.equal((await engine.stats(PROJECT)).trash, 0);
    }
  });

  it('stays replaced where it was, and shows in the history again, of which its successor is told', async () => {
    const bench = await openBench();
    const old = await rememberId(bench, 'the task', { answer: 'one' });
    const next = await rememberId(bench, 'the task', { answer: 'two', supersedes: old });
    await bench.engine.forget(old, PROJECT);
    const heard = listening(bench);
    assert.deepEqual(await bench.engine.restore([old]), [old]);
    assert.equal((await bench.engine.recall(asking('the task'))).entry_id, next);
    const { history } = await bench.engine.get({ id: next, project: PROJECT, scope: 'project' });
    assert.deepEqual(
      history.map(({ entry_id }) => entry_id),
      [old],
    );
    assert.deepEqual(heard, [{ ids: [old, next], projects: [PROJECT] }]);
  });

  it('is a kept episode whose memory was forgotten, to be looked at again', async () => {
    const bench = await withEpisodes(1);
    const memory = await keptAs(bench, 'episode-1');
    await bench.engine.forget(memory, PROJECT);
    const heard = listening(bench);
    assert.deepEqual(await bench.engine.restore(['episode-1']), ['episode-1']);
    assert.deepEqual(heard, [{ ids: ['episode-1'], projects: [PROJECT] }]);
    assert.deepEqual(await statusesOf(bench), { 'episode-1': 'ingested' });
    for (const again of [bench, await bench.reopen()]) assert.deepEqual(await found(again), ['episode-1']);
    assert.equal((await bench.engine.recall(asking('task 1'))).hit, false);
    assert.notEqual(await keptAs(bench, 'episode-1'), memory);
  });

  it('is nothing that is gone for good, as an episode is with the memory that was made of it', async () => {
    const bench = await withEpisodes(1);
    await bench.engine.forget(await keptAs(bench, 'episode-1'), PROJECT);
    assert.deepEqual(await statusesOf(bench), { 'episode-1': 'discarded' });
    bench.sources.time += 31 * 24 * 3600;
    await bench.engine.tidy();
    assert.equal(await bench.store.episode('episode-1'), null);
    assert.deepEqual(await bench.engine.restore(['episode-1']), []);
  });

  it('is no kept episode while its memory lives, itself or in what replaced it', async () => {
    const bench = await withEpisodes(1);
    const memory = await keptAs(bench, 'episode-1');
    const heard = listening(bench);
    assert.deepEqual(await bench.engine.restore(['episode-1']), []);
    assert.deepEqual(heard, []);
    const { entry_id = '' } = await bench.engine.remember(storing('task 1', { supersedes: memory }));
    await bench.engine.forget(memory, PROJECT);
    // Out of the trash, and history of what replaced the memory.
    assert.deepEqual(await bench.engine.restore(['episode-1']), ['episode-1']);
    assert.deepEqual(await statusesOf(bench), { 'episode-1': 'kept' });
    await bench.engine.forget(entry_id, PROJECT);
    assert.deepEqual(await bench.engine.restore(['episode-1']), ['episode-1']);
    assert.deepEqual(await statusesOf(bench), { 'episode-1': 'ingested' });
  });

  it('is the same when it is said again, and nobody hears of it; what is unknown is left out', async () => {
    const bench = await withEpisodes(2);
    const memory = await rememberId(bench, 'the task');
    await bench.engine.forget(memory, PROJECT);
    await bench.engine.discard(['episode-1']);
    const ids = ['episode-1', 'unknown', memory, '__proto__'];
    const first = await bench.engine.restore(ids);
    assert.deepEqual(first, ['episode-1', memory]);
    const heard = listening(bench);
    assert.deepEqual(await bench.engine.restore(ids), first);
    assert.deepEqual(heard, []);
    assert.deepEqual(await found(bench), ['episode-1', 'episode-2', memory].sort());
  });
});

describe('a review that the disk stops in the middle', () => {
  it('tells of what was done until then', async () => {
    for (const act of ['discard', 'restore'] as const) {
      const bench = await withEpisodes(2);
      if (act === 'restore') await bench.engine.discard(['episode-1', 'episode-2']);
      const { store } = bench;
      const [trash, restore] = [store.trash.bind(store), store.restore.bind(store)];
      const unless = (id: string, done: () => Promise<boolean>) =>
        id === 'episode-2' ? Promise.reject(new Error('disk full')) : done();
      store.trash = (id, at) => unless(id, () => trash(id, at));
      store.restore = (id) => unless(id, () => restore(id));
      const heard = listening(bench);
      await assert.rejects(bench.engine[act](['episode-1', 'episode-2']), /disk full/);
      const change = { ids: ['episode-1'], projects: [PROJECT] };
      assert.deepEqual(heard, [act === 'discard' ? { ...change, forgotten: true } : change], act);
    }
  });
});

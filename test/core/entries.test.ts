import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId, storing, type Bench } from './fixture.js';

describe('get', () => {
  it('shows the whole entry', async () => {
    const bench = await openBench();
    const long = 'x'.repeat(1_000_000);
    const id = await rememberId(bench, 'the task', { answer: long, tags: ['one'], ttlSeconds: 60 });
    assert.deepEqual(await bench.engine.get({ id: id, project: PROJECT, scope: 'project' }), {
      entry_id: id,
      kind: 'memory',
      task_text: 'the task',
      answer: long,
      tags: ['one'],
      scope: 'project',
      source: 'remember',
      stored_at: bench.sources.time,
      expires_at: bench.sources.time + 60,
      expired: false,
      superseded_by: null,
      history: [],
    });
  });

  it('shows global, expired and episode rows as what they are', async () => {
    const { engine } = await openBench({
      rows: [{ id: 'row', project: '', kind: 'episode', expiresAt: 10 }],
    });
    const asked = { id: 'row', project: OTHER_PROJECT };
    // A session in the home folder is nobody else's business.
    await assert.rejects(engine.get({ ...asked, scope: 'project' }), /No entry row in this project/);
    const { scope, expired, kind } = await engine.get({ ...asked, scope: 'all' });
    assert.deepEqual({ scope, expired, kind }, { scope: 'global', expired: true, kind: 'episode' });
  });

  it('knows nothing of unknown and forgotten entries, and says where ids come from', async () => {
    const bench = await openBench();
    const forgotten = await rememberId(bench, 'the task');
    await bench.engine.forget(forgotten, PROJECT);
    for (const id of ['unknown', forgotten, '__proto__', '']) {
      await assert.rejects(
        bench.engine.get({ id: id, project: PROJECT, scope: 'project' }),
        (error: unknown) => {
          assert.ok(error instanceof MemoryError);
          assert.equal(error.reason, 'not_found');
          assert.match(error.message, /Take an entry_id from recall, echo or search/);
          return true;
        },
      );
    }
  });

  it('reads an entry of another project only when asked to, and says that it is one', async () => {
    const { engine } = await openBench({ rows: [{ id: 'foreign', project: OTHER_PROJECT }] });
    const request = { id: 'foreign', project: PROJECT };
    await assert.rejects(engine.get({ ...request, scope: 'project' }), /in this project\. Pass scope "all"/);
    assert.equal((await engine.get({ ...request, scope: 'all' })).scope, 'other_project');
    assert.equal((await engine.get({ ...request, scope: 'all', project: OTHER_PROJECT })).scope, 'project');
  });

  it('leaves forgotten versions out of the history', async () => {
    const bench = await openBench();
    const one = await rememberId(bench, 'the task', { answer: 'one' });
    const two = await rememberId(bench, 'the task', { answer: 'two', supersedes: one });
    await bench.engine.forget(one, PROJECT);
    assert.deepEqual((await bench.engine.get({ id: two, project: PROJECT, scope: 'project' })).history, []);
  });
});

describe('forget', () => {
  it('takes an entry out of everything, and only once', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task');
    assert.equal(await bench.engine.forget(id, PROJECT), true);
    assert.equal(await bench.engine.forget(id, PROJECT), false);
    for (const { engine } of [bench, await bench.reopen()]) {
      assert.equal((await engine.recall(asking('the task'))).hit, false);
      const echo = await engine.echo({ task: 'the task', project: PROJECT, topK: 5 });
      assert.deepEqual(echo, { count: 0, echoes: [] });
      const request = { query: 'task', project: PROJECT, limit: 5, maxTokens: 2000, scope: 'all' } as const;
      assert.deepEqual(await engine.search(request), { results: [], more: 0 });
    }
    assert.equal((await bench.engine.stats(PROJECT)).trash, 1);
  });

  it('is no error for an unknown id', async () => {
    const { engine } = await openBench();
    for (const id of ['unknown', '__proto__', 'constructor'])
      assert.equal(await engine.forget(id, PROJECT), false);
  });

  it('cannot reach into another project, but reaches what is global', async () => {
    const bench = await openBench();
    const mine = await rememberId(bench, 'mine');
    const shared = await rememberId(bench, 'shared', { scope: 'global' });
    assert.equal(await bench.engine.forget(mine, OTHER_PROJECT), false);
    assert.equal((await bench.engine.recall(asking('mine'))).hit, true);
    assert.equal(await bench.engine.forget(shared, OTHER_PROJECT), true);
  });

  it('makes room for the same task and answer again', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task');
    await bench.engine.forget(id, PROJECT);
    const { entry_id, refreshed } = await bench.engine.remember(storing('the task'));
    assert.notEqual(entry_id, id);
    assert.equal(refreshed, undefined);
  });
});

describe('the trash', () => {
  const day = 24 * 3600;
  const trashed = async (bench: Bench) => (await bench.engine.stats(PROJECT)).trash;

  it('keeps a forgotten entry for 30 days; tidying removes it then', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task');
    await rememberId(bench, 'another');
    await bench.engine.forget(id, PROJECT);
    bench.sources.time += 30 * day - 1;
    await bench.engine.tidy();
    assert.equal(await trashed(bench), 1);
    bench.sources.time += 1;
    await bench.engine.tidy();
    assert.equal(await trashed(bench), 0);
    assert.equal(await bench.store.get(id), null);
    assert.equal((await bench.engine.stats(PROJECT)).total_entries, 1);
  });
});

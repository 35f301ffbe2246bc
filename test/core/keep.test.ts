import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import type { KeepRequest } from '../../src/core/review.js';
import {
  allEpisodes,
  aSession,
  aTurn,
  keeping,
  listening,
  ofProject,
  redactWords,
  someTurns,
  statusesOf,
} from './episodeFixture.js';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId, SETTINGS, type Bench } from './fixture.js';

/** A bench with one episode, `episode-1`. */
async function withEpisode(
  session = aSession(),
  options: Parameters<typeof openBench>[0] = {},
): Promise<Bench> {
  const bench = await openBench(options);
  await bench.engine.ingest(session);
  return bench;
}

/** Keeps the episode and reads the memory that was made of it. */
async function kept({ engine }: Bench, given: Partial<KeepRequest> = {}, project = PROJECT) {
  const { entry_id = '' } = await engine.keep(keeping('episode-1', given));
  return engine.get({ id: entry_id, project, scope: 'project' });
}

async function refusal(bench: Bench, given: Partial<KeepRequest> = {}): Promise<string> {
  const before = [await bench.engine.stats(PROJECT), await allEpisodes(bench)];
  const error: unknown = await bench.engine.keep(keeping('episode-1', given)).then(
    () => assert.fail('it was kept'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof MemoryError, String(error));
  assert.deepEqual([await bench.engine.stats(PROJECT), await allEpisodes(bench)], before, 'nothing changed');
  return error.message;
}

const CALL = { key: 'front 1', digest: 'digest', repeatedSince: null };
const AGAIN = { ...CALL, repeatedSince: 0 };

describe('an episode that is kept', () => {
  it('is a memory of its task and its outcome, with the episode as history', async () => {
    const bench = await withEpisode(aSession([aTurn(1, { task: 'which port', outcome: '8080' })]));
    const heard = listening(bench);
    const result = await bench.engine.keep(keeping('episode-1'));
    const id = result.entry_id ?? '';
    assert.deepEqual(result, { stored: true, entry_id: id, embedding_dim: 64, superseded: 'episode-1' });
    for (const { engine } of [bench, await bench.reopen()]) {
      const recalled = await engine.recall(asking('which port'));
      assert.deepEqual([recalled.hit, recalled.entry_id, recalled.answer], [true, id, '8080']);
      const memory = await engine.get({ id, project: PROJECT, scope: 'project' });
      const { kind, source, tags, scope, expires_at, history } = memory;
      assert.deepEqual([kind, source, tags, scope, expires_at], ['memory', 'episode', [], 'project', null]);
      const answer = 'TASK: which port\nOUTCOME: 8080';
      assert.deepEqual(history, [
        { entry_id: 'episode-1', task_text: 'which port', answer, stored_at: aTurn(1).at },
      ]);
      assert.equal((await engine.episode('episode-1')).kept_as, id);
      assert.equal(
        (await engine.get({ id: 'episode-1', project: PROJECT, scope: 'project' })).superseded_by,
        id,
      );
    }
    assert.deepEqual(await statusesOf(bench), { 'episode-1': 'kept' });
    assert.deepEqual(heard, [{ ids: [id, 'episode-1'], projects: [PROJECT] }]);
  });

  it('says all of its turns where there are several', async () => {
    const bench = await withEpisode(aSession(someTurns(1, 2)));
    const { task_text, answer } = await kept(bench);
    assert.equal(task_text, 'task 1');
    assert.equal(answer, 'TASK: task 1\nOUTCOME: outcome 1\n\nTASK: task 2\nOUTCOME: outcome 2');
  });

  it('says what its keeper made of it: task, answer, tags, lifetime', async () => {
    const bench = await withEpisode();
    const edited = { task: 'better task', answer: '', tags: ['one', 'two'], ttlSeconds: 60 };
    const memory = await kept(bench, edited);
    assert.deepEqual([memory.task_text, memory.answer, memory.tags], ['better task', '', ['one', 'two']]);
    assert.equal(memory.expires_at, bench.sources.time + 60);
    assert.equal(memory.history[0]?.task_text, 'task 1');
  });

  it('lives as long as the configuration of its keeper says', async () => {
    const settings = { ...SETTINGS, defaultTtlSeconds: 3600 };
    const bench = await withEpisode();
    assert.equal((await kept(bench, { settings })).expires_at, bench.sources.time + 3600);
  });

  it('stays in its own project, whoever keeps it from the list of all', async () => {
    const bench = await withEpisode(aSession([aTurn(1)], ofProject(OTHER_PROJECT)));
    const { entry_id } = await kept(bench, {}, OTHER_PROJECT);
    assert.equal((await bench.store.get(entry_id))?.project, OTHER_PROJECT);
    assert.equal((await bench.engine.recall(asking('task 1'))).hit, false);
  });

  it('is a memory for every project where its keeper says so; its history stays with its project', async () => {
    const bench = await withEpisode();
    const { entry_id, scope, history } = await kept(bench, { scope: 'global' });
    assert.deepEqual([scope, history.length], ['global', 1]);
    const elsewhere = { id: entry_id, project: OTHER_PROJECT, scope: 'project' } as const;
    assert.deepEqual((await bench.engine.get(elsewhere)).history, []);
    assert.equal((await bench.engine.recall(asking('task 1', { project: OTHER_PROJECT }))).hit, true);
    assert.equal((await bench.engine.episode('episode-1')).status, 'kept');
  });

  it('is warned about near duplicates, and stored all the same', async () => {
    const bench = await openBench();
    bench.embedder.place('task 1', { 'old task': 0.8 });
    const old = await rememberId(bench, 'old task');
    await bench.engine.ingest(aSession());
    const result = await bench.engine.keep(keeping('episode-1'));
    assert.deepEqual(
      [result.stored, result.warning, result.nearest_entry_id, result.nearest_similarity],
      [true, 'near_duplicate', old, 0.8],
    );
    assert.equal((await bench.engine.episode('episode-1')).status, 'kept');
  });

  it('renews the memory that says the same already', async () => {
    const bench = await withEpisode();
    const id = await rememberId(bench, 'task 1', { answer: 'outcome 1' });
    bench.sources.time += 60;
    const { entry_id, refreshed, superseded } = await bench.engine.keep(keeping('episode-1'));
    assert.deepEqual([entry_id, refreshed, superseded], [id, true, 'episode-1']);
    const { history, stored_at } = await bench.engine.get({ id, project: PROJECT, scope: 'project' });
    assert.deepEqual(
      [history.map(({ entry_id }) => entry_id), stored_at],
      [['episode-1'], bench.sources.time],
    );
    assert.equal((await bench.engine.episode('episode-1')).kept_as, id);
  });

  it('says what was masked in what its keeper wrote', async () => {
    const bench = await withEpisode(aSession(), { engine: { redact: redactWords } });
    const { entry_id = '', warnings } = await bench.engine.keep(
      keeping('episode-1', { answer: 'it is secret-alpha', tags: ['secret-beta'] }),
    );
    assert.equal(warnings?.length, 2);
    const { answer, tags } = await bench.engine.get({ id: entry_id, project: PROJECT, scope: 'project' });
    assert.deepEqual([answer, tags], ['it is [REDACTED:token]', ['[REDACTED:token]']]);
  });

  it('is kept once: who sends the call again gets the first result', async () => {
    const bench = await withEpisode();
    const first = await bench.engine.keep(keeping('episode-1', { call: CALL }));
    const heard = listening(bench);
    for (const { engine } of [bench, await bench.reopen()]) {
      assert.deepEqual(await engine.keep(keeping('episode-1', { call: AGAIN })), first);
      assert.equal((await engine.stats(PROJECT)).total_entries, 1);
    }
    assert.deepEqual(heard, []);
  });

  it('still was when the call is sent again after the episode was forgotten', async () => {
    const bench = await withEpisode();
    const first = await bench.engine.keep(keeping('episode-1', { call: CALL }));
    await bench.engine.forget('episode-1', PROJECT);
    assert.deepEqual(await bench.engine.keep(keeping('episode-1', { call: AGAIN })), first);
  });
});

describe('an episode is not kept', () => {
  it('once it was discarded, before it is restored', async () => {
    const bench = await withEpisode();
    await bench.engine.discard(['episode-1']);
    assert.match(await refusal(bench), /episode-1 was discarded\. Nothing was stored; restore it first/);
    await bench.engine.restore(['episode-1']);
    assert.equal((await kept(bench)).task_text, 'task 1');
  });

  it('when it was discarded while its task was being embedded', async () => {
    const bench = await withEpisode();
    bench.embedder.hold();
    const keep = bench.engine.keep(keeping('episode-1'));
    await bench.engine.discard(['episode-1']);
    bench.embedder.release();
    await assert.rejects(keep, (error) => {
      assert.ok(error instanceof MemoryError && error.reason === 'invalid');
      assert.match(error.message, /^Episode episode-1 was discarded\. Nothing was stored; restore it first/);
      return true;
    });
    assert.deepEqual(await statusesOf(bench), { 'episode-1': 'discarded' });
    assert.equal((await bench.engine.stats(PROJECT)).total_entries, 0);
  });

  it('twice, while the memory that was made of it lives', async () => {
    const bench = await withEpisode();
    const { entry_id } = await kept(bench);
    assert.equal(
      await refusal(bench, { task: 'other' }),
      `Episode episode-1 was already kept, as ${entry_id}. Nothing was stored; edit that memory instead.`,
    );
    await bench.engine.forget(entry_id, PROJECT);
    assert.match(await refusal(bench, { task: 'other' }), /was discarded.*restore it first/);
    await bench.engine.restore(['episode-1']);
    const again = await kept(bench, { task: 'other' });
    assert.equal((await bench.engine.episode('episode-1')).kept_as, again.entry_id);
  });

  it('twice by two who do it at once', async () => {
    const bench = await withEpisode();
    const both = ['one', 'two'].map((task) => bench.engine.keep(keeping('episode-1', { task })));
    const results = await Promise.allSettled(both);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    const [first, second] = results;
    assert.ok(first?.status === 'fulfilled' && second?.status === 'rejected');
    assert.ok(second.reason instanceof MemoryError && second.reason.reason === 'invalid');
    assert.equal(
      second.reason.message,
      `Episode episode-1 was already kept, as ${first.value.entry_id}. Nothing was stored; edit that memory instead.`,
    );
    assert.equal((await bench.engine.stats(PROJECT)).total_entries, 1);
  });

  it('where there is none', async () => {
    const bench = await openBench({ rows: [{ id: 'memory' }] });
    for (const id of ['episode-1', 'memory']) {
      await assert.rejects(
        bench.engine.keep(keeping(id)),
        (error) => error instanceof MemoryError && error.reason === 'not_found',
      );
    }
    assert.equal((await bench.engine.stats(PROJECT)).total_entries, 1);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { adminTools } from '../../src/tools/adminTools.js';
import { aSession, aTurn, ofProject, redactWords, someTurns } from '../core/episodeFixture.js';
import { OTHER_PROJECT, PROJECT } from '../core/fixture.js';
import { check } from './checked.js';
import { CALLER, openToolBench, textOf, type ToolBench } from './fixture.js';

const idsIn = (listing: Record<string, unknown>) =>
  (listing['episodes'] as { entry_id: string }[]).map(({ entry_id }) => entry_id);

/** A bench with `episode-1` to `episode-3` of the caller's project, and `episode-4` of another one. */
async function withEpisodes(options: Parameters<typeof openToolBench>[0] = {}): Promise<ToolBench> {
  const bench = await openToolBench(options);
  await bench.engine.ingest(aSession(someTurns(1, 2)));
  for (const n of [2, 3]) await bench.engine.ingest(aSession([aTurn(n + 1)], { sessionId: `session-${n}` }));
  await bench.engine.ingest(aSession([aTurn(9)], ofProject(OTHER_PROJECT)));
  return bench;
}

describe('the tools about episodes', () => {
  it('list them by project and state, in pages', async () => {
    const bench = await withEpisodes();
    const counts = { pending: 0, ingested: 3, kept: 0, discarded: 0 };
    const all = await check(bench, 'episodes');
    assert.deepEqual([all['counts'], idsIn(all)], [counts, ['episode-3', 'episode-2', 'episode-1']]);
    assert.deepEqual(idsIn(await check(bench, 'episodes', { scope: 'all' })), [
      'episode-4',
      'episode-3',
      'episode-2',
      'episode-1',
    ]);
    await check(bench, 'discard', { entry_ids: ['episode-3'] });
    const discarded = await check(bench, 'episodes', { status: 'discarded' });
    assert.deepEqual(idsIn(discarded), ['episode-3']);
    const first = await check(bench, 'episodes', { limit: 1, status: 'ingested' });
    assert.deepEqual(idsIn(first), ['episode-2']);
    const second = await check(bench, 'episodes', { limit: 1, status: 'ingested', cursor: first['next'] });
    assert.deepEqual([idsIn(second), second['next']], [['episode-1'], undefined]);
    const every = { status: null, cursor: null, limit: 0 };
    assert.equal(idsIn(await check(bench, 'episodes', every)).length, 1, 'at least one to a page');
  });

  it('show one whole', async () => {
    const bench = await withEpisodes();
    const episode = await check(bench, 'get_episode', { entry_id: 'episode-1' });
    assert.equal((episode['turns'] as unknown[]).length, 2);
    assert.deepEqual(
      [episode['project'], episode['status'], episode['kept_as']],
      ['Project A', 'ingested', null],
    );
    const other = { entry_id: 'episode-4', any_project: true };
    assert.equal((await check(bench, 'get_episode', other))['project'], OTHER_PROJECT);
  });

  it('make a memory of one, as it is or edited', async () => {
    const bench = await withEpisodes({ engine: { redact: redactWords } });
    const kept = await check(bench, 'keep', { entry_id: 'episode-2' });
    const memory = await bench.succeed('get', { entry_id: kept['entry_id'] });
    assert.deepEqual([memory['task_text'], memory['answer'], memory['tags']], ['task 3', 'outcome 3', []]);
    assert.equal((memory['history'] as { entry_id: string }[])[0]?.entry_id, 'episode-2');

    const edits = {
      task: 'better',
      answer: 'use secret-alpha',
      tags: ['one'],
      ttl_seconds: 60,
      scope: 'global',
    };
    const edited = await check(bench, 'keep', { entry_id: 'episode-1', ...edits });
    assert.deepEqual(edited['warnings'], [
      'answer: a secret or private part was masked (token); the rest is stored.',
    ]);
    const global = await bench.succeed('get', { entry_id: edited['entry_id'] });
    const { task_text, answer, tags, scope, expires_at } = global;
    assert.deepEqual([task_text, answer, tags, scope], ['better', 'use [REDACTED:token]', ['one'], 'global']);
    assert.equal(expires_at, bench.sources.time + 60);

    const plain = { task: null, answer: null, tags: null, ttl_seconds: null };
    await check(bench, 'keep', { entry_id: 'episode-3', ...plain });
    const episode = await check(bench, 'get_episode', { entry_id: 'episode-1' });
    assert.deepEqual([episode['status'], episode['kept_as']], ['kept', edited['entry_id']]);
    assert.deepEqual((await check(bench, 'episodes'))['counts'], {
      pending: 0,
      ingested: 0,
      kept: 3,
      discarded: 0,
    });
  });

  it('keep one of another project in that project', async () => {
    const bench = await withEpisodes();
    const { entry_id } = await check(bench, 'keep', { entry_id: 'episode-4', any_project: true });
    assert.equal((await bench.store.get(String(entry_id)))?.project, OTHER_PROJECT);
    assert.equal((await bench.succeed('recall', { task: 'task 9' }))['hit'], false);
  });

  it('say what a kept one resembles', async () => {
    const bench = await openToolBench();
    bench.embedder.place('task 1', { 'old task': 0.8 });
    await bench.succeed('remember', { task: 'old task', answer: 'yes' });
    await bench.engine.ingest(aSession());
    const kept = await check(bench, 'keep', { entry_id: 'episode-1' });
    assert.deepEqual([kept['warning'], kept['nearest_task']], ['near_duplicate', 'old task']);
  });

  it('leave those of another project alone unless they are asked for', async () => {
    const bench = await withEpisodes();
    for (const tool of ['get_episode', 'keep']) {
      assert.match(await bench.refuse(tool, { entry_id: 'episode-4' }), /in this project.*any_project/);
    }
    const entry_ids = ['episode-4'];
    assert.deepEqual(await check(bench, 'discard', { entry_ids }), { discarded: [] });
    await check(bench, 'discard', { entry_ids, any_project: true });
    assert.deepEqual(await check(bench, 'restore', { entry_ids }), { restored: [] });
    assert.deepEqual(await check(bench, 'restore', { entry_ids, any_project: true }), {
      restored: entry_ids,
    });
  });

  it('discard and restore many at once, and the same again', async () => {
    const bench = await withEpisodes();
    await check(bench, 'keep', { entry_id: 'episode-1' });
    const entry_ids = ['episode-1', 'episode-2', 'unknown', 'episode-4'];
    const many = { entry_ids, any_project: true };
    for (let again = 0; again < 2; again += 1) {
      const discarded = await check(bench, 'discard', many);
      assert.deepEqual(discarded, { discarded: ['episode-2', 'episode-4'] });
    }
    for (let again = 0; again < 2; again += 1) {
      const restored = await check(bench, 'restore', many);
      assert.deepEqual(restored, { restored: ['episode-2', 'episode-4'] });
    }
  });

  it('restore a memory that was forgotten', async () => {
    const bench = await openToolBench();
    const { entry_id } = await bench.succeed('remember', { task: 'the task', answer: 'yes' });
    await bench.succeed('forget', { entry_id });
    assert.deepEqual(await check(bench, 'restore', { entry_ids: [entry_id] }), { restored: [entry_id] });
    assert.equal((await bench.succeed('recall', { task: 'the task' }))['hit'], true);
  });

  it('keep once where the call is sent again, and then say the same', async () => {
    const bench = await withEpisodes();
    const call = { key: 'front 1', digest: 'digest', repeatedSince: null };
    const keep = (repeatedSince: number | null) =>
      bench.dispatcher.call('keep', { entry_id: 'episode-1' }, CALLER, { ...call, repeatedSince });
    const first = await keep(null);
    assert.equal(first.isError, undefined);
    assert.deepEqual(await keep(0), first);
    assert.match(textOf(await keep(null)), /already kept/);
  });

  it('refuse what cannot be done, with what to do', async () => {
    const bench = await withEpisodes();
    await check(bench, 'discard', { entry_ids: ['episode-1'] });
    const cases: [string, Record<string, unknown>, RegExp][] = [
      ['episodes', { cursor: 'x' }, /cursor: .*Leave it out/],
      ['episodes', { status: 'pending' }, /^episodes: status must be one of ingested, kept, discarded\.$/],
      ['episodes', { scope: 'global' }, /^episodes: scope must be one of project, all\.$/],
      ['get_episode', { entry_id: 'unknown' }, /No episode unknown\. Take an entry_id from the list/],
      ['get_episode', {}, /^get_episode: entry_id must be a non-empty string\.$/],
      ['keep', { entry_id: 'episode-1' }, /was discarded.*restore it first/],
      ['keep', { entry_id: 'unknown' }, /No episode unknown/],
      ['keep', { entry_id: 'episode-2', task: ' ' }, /^keep: task must be a non-empty string\.$/],
      ['keep', { entry_id: 'episode-2', tag: 'x' }, /unknown parameter "tag"; it takes entry_id, task,/],
      ['discard', { entry_ids: [] }, /^discard: entry_ids is empty: name at least one entry\.$/],
      ['discard', { entry_ids: 'episode-2' }, /^discard: entry_ids must be a list of ids\.$/],
      ['discard', { entry_ids: ['episode-2', ''] }, /^discard: entry_ids\.1 must be a non-empty string\.$/],
      [
        'restore',
        { entry_ids: Array(1001).fill('x') },
        /holds more than 1000 ids; send them in several calls/,
      ],
    ];
    for (const [name, args, sentence] of cases) assert.match(await bench.refuse(name, args), sentence);
    const { counts } = await check(bench, 'episodes');
    assert.deepEqual(counts, { pending: 0, ingested: 2, kept: 0, discarded: 1 });
  });

  it('are there for who asks for the admin toolset alone', async () => {
    const bench = await withEpisodes();
    const core = { ...CALLER, toolsets: ['core'] };
    for (const { name } of adminTools) {
      await assert.rejects(bench.dispatcher.call(name, {}, core), McpError, name);
    }
    const admin = { ...CALLER, toolsets: ['admin'] };
    assert.deepEqual(
      bench.dispatcher.list(admin).map(({ name }) => name),
      adminTools.map(({ name }) => name),
    );
    assert.equal((await bench.dispatcher.call('episodes', {}, admin)).isError, undefined);
  });

  it('describe every parameter', async () => {
    const { dispatcher } = await openToolBench();
    for (const { name, inputSchema } of dispatcher.list({ ...CALLER, toolsets: ['admin'] })) {
      for (const [property, schema] of Object.entries(inputSchema.properties ?? {})) {
        const { description } = schema as { description?: unknown };
        assert.ok(typeof description === 'string' && description !== '', `${name}.${property}`);
      }
    }
  });

  it('say truly whether they change anything', () => {
    for (const { name, annotations } of adminTools) {
      const looks = ['episodes', 'get_episode', 'outline', 'list', 'get_entry', 'trash', 'drift'].includes(
        name,
      );
      const destroys = ['discard', 'forget_entries', 'empty_trash'].includes(name);
      assert.deepEqual(
        [annotations.readOnlyHint, annotations.destructiveHint, annotations.idempotentHint],
        [looks, destroys, name !== 'keep'],
        name,
      );
    }
  });
});

describe('the core tools', () => {
  it('show episodes, forget them, and count them', async () => {
    const bench = await withEpisodes();
    const found = await bench.succeed('search', { query: 'outcome', kind: 'episode' });
    assert.equal((found['results'] as unknown[]).length, 3);
    assert.equal((await bench.succeed('get', { entry_id: 'episode-1' }))['kind'], 'episode');
    assert.deepEqual(await bench.succeed('forget', { entry_id: 'episode-1' }), { forgotten: true });
    assert.equal((await check(bench, 'get_episode', { entry_id: 'episode-1' }))['status'], 'discarded');
    assert.deepEqual((await bench.succeed('stats'))['by_kind'], { memory: 0, episode: 2 });
    assert.equal((await bench.store.get('episode-2'))?.project, PROJECT);
  });
});

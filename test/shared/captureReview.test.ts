import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Sandbox } from '../server/sandbox.js';
import type { ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';
import { AgentSession } from './agentSession.js';
import { inboxIsEmpty } from './hookProcess.js';
import { hostsOf, onlyHost } from './hosts.js';
import { episodesAre, review, REVIEWING } from './reviewer.js';

const QUESTION = 'How do we deploy the shop?';
const ANSWER = 'With make deploy, from the branch stable.';
const EDITED = { task: 'Deploying the shop', answer: 'make deploy on stable', tags: ['ops'] };

/** A memory that holds one captured session. */
async function withEpisode(box: Sandbox) {
  const server = await box.start({ env: REVIEWING });
  const session = new AgentSession(box);
  await session.captures(QUESTION, ANSWER);
  const [{ entry_id: id } = { entry_id: '' }] = await episodesAre(server, 1);
  return { server, session, id };
}

/** Ends the host in good order; the next client is another host's. */
async function restarted(box: Sandbox, server: ServerProcess): Promise<ServerProcess> {
  await server.end();
  process.kill(await onlyHost(box), 'SIGTERM');
  await until('the host is gone', () => hostsOf(box).length === 0);
  return box.start({ env: REVIEWING });
}

const recalled = async (server: ServerProcess, task: string) => {
  const { hit, answer, entry_id, tags } = await server.call('recall', { task });
  return { hit, answer, entry_id, tags };
};
const found = async (server: ServerProcess) =>
  (await server.call('search', { query: 'deploy' })).results.map(({ entry_id }) => entry_id);
const MISS = { hit: false, answer: null, entry_id: null, tags: [] };

describe('an episode', { concurrency: true }, () => {
  test('is found by searching, but never answers a recall, not even its own question', async (t) => {
    const { server, id } = await withEpisode(new Sandbox(t, 'shared'));
    assert.deepEqual(await found(server), [id]);
    const { echoes } = await server.call('echo', { task: QUESTION });
    assert.deepEqual(
      echoes.map(({ entry_id, kind }) => [entry_id, kind]),
      [[id, 'episode']],
    );
    assert.deepEqual(await recalled(server, QUESTION), MISS);
    assert.deepEqual(await recalled(server, id), MISS);
  });

  test('is no hit for a model either', async (t) => {
    const box = new Sandbox(t, 'shared');
    const server = await box.start({ env: { SUBCONSCIOUS_TOOLSETS: 'core,admin' } });
    await new AgentSession(box).captures(QUESTION, ANSWER);
    await episodesAre(server, 1);
    await server.modelSettled();
    const vectors = async () => (await server.call('stats')).without_vector;
    await until('it has a vector', async () => (await vectors()) === 0, 30);
    for (const task of [QUESTION, 'How is the shop deployed?']) {
      const { hit, nearest } = await server.call('recall', { task, threshold: 0.1 });
      assert.deepEqual({ hit, nearest }, { hit: false, nearest: undefined });
    }
  });

  test('that is kept answers as the memory it became, also after a restart', async (t) => {
    const box = new Sandbox(t, 'shared');
    const { server, session, id } = await withEpisode(box);
    const { entry_id: kept } = await review(server, 'keep', { entry_id: id, ...EDITED });
    const hit = { hit: true, answer: EDITED.answer, entry_id: kept, tags: EDITED.tags };
    const isKept = async (asked: ServerProcess) => {
      assert.deepEqual(await recalled(asked, EDITED.task), hit);
      assert.deepEqual(await recalled(asked, QUESTION), MISS);
      assert.deepEqual(await found(asked), [kept]);
      const { status, kept_as, turns } = await review(asked, 'get_episode', { entry_id: id });
      assert.deepEqual({ status, kept_as, turns: turns.length }, { status: 'kept', kept_as: kept, turns: 1 });
    };
    await isKept(server);
    // Hooks say it again; it is not captured a second time.
    await session.stop();
    const next = await restarted(box, server);
    await inboxIsEmpty(box);
    await isKept(next);
    assert.equal((await review(next, 'episodes')).counts.ingested, 0);

    // What the session did after that is to be looked at by itself.
    await session.captures('And how do we roll back?', 'With make rollback.');
    await until('it is there', async () => (await review(next, 'episodes')).counts.ingested === 1);
    const [later] = (await review(next, 'episodes', { status: 'ingested' })).episodes;
    assert.deepEqual([later?.task_text, later?.turns], ['And how do we roll back?', 1]);
  });

  test('is kept as it is where nothing is edited', async (t) => {
    const { server, id } = await withEpisode(new Sandbox(t, 'shared'));
    const { entry_id } = await review(server, 'keep', { entry_id: id });
    const hit = { hit: true, answer: ANSWER, entry_id: entry_id ?? '', tags: [] };
    assert.deepEqual(await recalled(server, QUESTION), hit);
    assert.notEqual(entry_id, id);
  });

  test('that is discarded is found no more until it is restored, also after a restart', async (t) => {
    const box = new Sandbox(t, 'shared');
    const { server, session, id } = await withEpisode(box);
    assert.deepEqual(await review(server, 'discard', { entry_ids: [id] }), { discarded: [id] });
    assert.deepEqual(await found(server), []);
    await session.stop();
    const next = await restarted(box, server);
    await inboxIsEmpty(box);
    assert.deepEqual(await found(next), []);
    const { counts } = await review(next, 'episodes');
    assert.deepEqual(counts, { pending: 0, ingested: 0, kept: 0, discarded: 1 });
    const refused = await next.callTool('keep', { entry_id: id });
    assert.match(refused.content[0]?.text ?? '', /was discarded.*restore/);

    assert.deepEqual(await review(next, 'restore', { entry_ids: [id] }), { restored: [id] });
    assert.deepEqual(await found(next), [id]);
    assert.deepEqual(await recalled(next, QUESTION), MISS);
  });
});

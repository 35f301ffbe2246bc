import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Outline } from '../../src/core/outline.js';
import { Sandbox } from '../server/sandbox.js';
import type { CallResult, ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';
import { AgentSession } from './agentSession.js';
import { hostsOf, killHost, onlyHost } from './hosts.js';
import { episodesAre, review, REVIEWING } from './reviewer.js';
import { ENTRIES, uriOf, Watcher } from './watcher.js';

const PROJECTS = 'memory://projects';
const env = REVIEWING;

async function store(server: ServerProcess, task: string, more: object = {}): Promise<string> {
  const { entry_id } = await server.call('remember', { task, answer: `how to ${task}`, ...more });
  assert.ok(entry_id);
  return entry_id;
}

/** Ends the host in good order; the next client is another host's. */
async function restarted(box: Sandbox, server: ServerProcess): Promise<ServerProcess> {
  await server.end();
  process.kill(await onlyHost(box), 'SIGTERM');
  await until('the host is gone', () => hostsOf(box).length === 0);
  return box.start({ env });
}

describe('the resource of all projects', () => {
  const shared = new Sandbox({ after }, 'shared');

  test('tells the sidebar of every change in every project, and of every hit', async () => {
    const writer = await shared.start({ env, cwd: shared.folder('writing') });
    const watcher = await Watcher.of(
      await shared.connect({ env, cwd: shared.folder('watching') }),
      PROJECTS,
      ENTRIES,
    );
    const isTold = (change: () => Promise<unknown>) => watcher.isTold([PROJECTS], change);
    let id = '';
    await isTold(async () => (id = await store(writer, 'deploy', { tags: ['ops'] })));
    const { projects, total } = (await watcher.read(PROJECTS)) as unknown as Outline; // As the resource has it.
    assert.deepEqual(
      [total, projects.map(({ name, current, count }) => [name, current, count])],
      [
        1,
        [
          ['watching', true, 0],
          ['writing', false, 1],
        ],
      ],
    );
    await isTold(() => review(writer, 'update', { entry_id: id, answer: 'better' }));
    await isTold(() => writer.call('recall', { task: 'deploy' }));
    await isTold(() => review(writer, 'mark_reviewed', { entry_ids: [id] }));
    await isTold(() => writer.call('forget', { entry_id: id }));
    await isTold(() => review(writer, 'restore', { entry_ids: [id] }));
    await isTold(() => review(writer, 'forget_entries', { entry_ids: [id] }));
    await isTold(() => review(writer, 'empty_trash'));
    assert.deepEqual((await review(writer, 'trash')).entries, []);
  });

  test('tells nothing else of a hit, in its own project either', async () => {
    const cwd = shared.folder('hitting');
    const writer = await shared.start({ env, cwd });
    const id = await store(writer, 'deploy');
    const uris = [PROJECTS, ENTRIES, uriOf(id)];
    const watcher = await Watcher.of(await shared.connect({ env, cwd }), ...uris);
    await watcher.isTold([PROJECTS], () => writer.call('recall', { task: 'deploy' }));
    const [entry] = (await review(writer, 'list', { filter: 'deploy' })).entries;
    assert.deepEqual([entry?.entry_id, entry?.hits], [id, 1]);
    await watcher.isTold(uris, () => review(writer, 'update', { entry_id: id, tags: ['x'] }));
  });

  test('is not there for an agent', async () => {
    const client = await shared.connect({ cwd: shared.folder('agent') });
    await assert.rejects(client.readResource({ uri: PROJECTS }), /Unknown resource/);
    await assert.rejects(client.subscribeResource({ uri: PROJECTS }), /Unknown resource/);
    const { tools } = await client.listTools();
    assert.ok(tools.every(({ name }) => name !== 'outline'));
  });
});

describe('what the sidebar changes', { concurrency: true }, () => {
  test('is there after the host was killed: an edit with the version before it', async (t) => {
    const box = new Sandbox(t, 'shared');
    const server = await box.start({ env });
    const id = await store(server, 'deploy', { tags: ['ops'] });
    const versions: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const edit = { entry_id: id, task: `deploy ${round}`, answer: `way ${round}` };
      const { changed, previous = '' } = await review(server, 'update', edit);
      assert.ok(changed);
      versions.unshift(previous);
      await killHost(box);
      const entry = await review(server, 'get_entry', { entry_id: id });
      assert.deepEqual([entry.task_text, entry.answer, entry.tags], [edit.task, edit.answer, ['ops']]);
      assert.deepEqual(
        entry.history.map(({ entry_id }) => entry_id),
        versions,
      );
      assert.equal((await server.call('recall', { task: edit.task })).entry_id, id);
    }
    const first = await review(server, 'get_entry', { entry_id: versions.at(-1) });
    assert.deepEqual([first.task_text, first.answer, first.superseded_by], ['deploy', 'how to deploy', id]);
    const { health } = await server.call('stats');
    assert.deepEqual(
      health.filter(({ code }) => code !== 'no_model'),
      [],
    );
  });

  test('is done once where the answer died with the host', async (t) => {
    const box = new Sandbox(t, 'shared');
    const [server, other] = await Promise.all([box.start({ env }), box.start({ env })]);
    const id = await store(server, 'deploy');
    const doomed = await store(server, 'to be forgotten');
    const { revision } = await review(server, 'get_entry', { entry_id: id });
    const big = await store(server, 'big', { answer: 'b'.repeat(4_000_000) });
    server.child.stdout.pause();
    const update = { name: 'update', arguments: { entry_id: id, answer: 'better', revision } };
    const forget = { name: 'forget_entries', arguments: { entry_ids: [doomed] } };
    // Answers behind a big one, which nobody reads, wait in the front or in the host.
    const answers = ['big', 'update', 'forget'].map((name) => server.answerTo(name));
    const read = { name: 'get', arguments: { entry_id: big } };
    for (const [name, params] of Object.entries({ big: read, update, forget }))
      server.write(`${JSON.stringify({ jsonrpc: '2.0', id: name, method: 'tools/call', params })}\n`);
    await until('both are done', async () => {
      const { answer } = await review(other, 'get_entry', { entry_id: id });
      return answer === 'better' && (await review(other, 'trash')).total === 1;
    });
    await killHost(box);
    server.child.stdout.resume();
    const [, updated, forgotten] = (await Promise.all(answers)).map(
      ({ result }) => (result as CallResult).structuredContent as Record<string, unknown>,
    );
    assert.deepEqual([updated?.['changed'], updated?.['conflict']], [true, undefined]);
    assert.deepEqual(forgotten, { forgotten: [doomed] });
    const { history } = await review(other, 'get_entry', { entry_id: id });
    assert.deepEqual(
      history.map(({ entry_id }) => entry_id),
      [updated?.['previous']],
    );
  });

  test('is there after a restart: marks, versions, hits and trash', async (t) => {
    const box = new Sandbox(t, 'shared');
    let server = await box.start({ env });
    await new AgentSession(box).captures('How do we deploy?', 'With make deploy.');
    const [{ entry_id: episode } = { entry_id: '' }] = await episodesAre(server, 1);
    const { entry_id: kept = '' } = await review(server, 'keep', { entry_id: episode, task: 'deploy' });
    const plain = await store(server, 'plain');
    const { previous } = await review(server, 'update', { entry_id: plain, answer: 'better' });
    await server.call('recall', { task: 'plain' });
    assert.deepEqual(await review(server, 'mark_reviewed', { entry_ids: [plain] }), { marked: [plain] });
    const { forgotten } = await review(server, 'forget_entries', { entry_ids: [kept] });
    assert.deepEqual(forgotten, [kept, episode]);

    server = await restarted(box, server);
    const entry = await review(server, 'get_entry', { entry_id: plain });
    assert.deepEqual([entry.answer, entry.hits, entry.history[0]?.entry_id], ['better', 1, previous]);
    assert.equal((await review(server, 'trash')).total, 2);
    assert.deepEqual(await review(server, 'restore', { entry_ids: [...forgotten].reverse() }), {
      restored: [...forgotten].reverse(),
    });
    assert.equal((await review(server, 'get_episode', { entry_id: episode })).kept_as, kept);
    assert.equal((await review(server, 'get_entry', { entry_id: kept })).history[0]?.entry_id, episode);
    assert.equal((await server.call('stats')).schema_version, 4);
  });
});

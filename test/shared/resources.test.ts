import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { ServerProcess } from '../server/serverProcess.js';
import { residentMemory } from './footprint.js';
import { killHost, recordIn } from './hosts.js';
import { scale } from '../scale.js';
import { ENTRIES, uriOf, Watcher } from './watcher.js';

const env = WITHOUT_MODEL;
/** Of the host's memory, in MiB; what is changed is one row. */
const MAX_GROWTH = 40;
/** For all tests that leave the host alone; each has a project of its own. */
const shared = new Sandbox({ after }, 'shared');

/** A client that watches and one that changes things, of one project. */
async function pair(cwd: string, ...uris: readonly string[]) {
  const writer = await shared.start({ env, cwd });
  const watcher = await Watcher.of(await shared.connect({ env, cwd }), ...uris);
  return { writer, watcher };
}

async function store(writer: ServerProcess, task: string, more: object = {}): Promise<string> {
  const { entry_id } = await writer.call('remember', { task, answer: `how to ${task}`, ...more });
  assert.ok(entry_id);
  return entry_id;
}

const names = (count: number) => Array.from({ length: count }, (_, at) => `row ${at}`);

async function storeAll(writer: ServerProcess, tasks: readonly string[]): Promise<void> {
  await Promise.all(tasks.map((task) => store(writer, task)));
}

async function notFound(request: Promise<unknown>): Promise<void> {
  await assert.rejects(request, (error) => {
    assert.ok(error instanceof McpError, String(error));
    assert.equal(error.code, ErrorCode.InvalidParams);
    assert.match(error.message, /No such entry in the memory of this project|Unknown resource/);
    return true;
  });
}

describe('resources', () => {
  test('are announced, listed page by page, described and read', async () => {
    const { writer, watcher } = await pair(shared.folder('reading'));
    const { client } = watcher;
    assert.deepEqual(client.getServerCapabilities()?.resources, { subscribe: true });

    await storeAll(writer, names(120));
    const newest = uriOf(await store(writer, 'the newest'));
    const first = await client.listResources();
    assert.deepEqual(
      first.resources.slice(0, 2).map(({ uri }) => uri),
      [ENTRIES, newest],
    );
    assert.equal(first.resources.length, 101);
    const second = await client.listResources({ cursor: first.nextCursor });
    assert.equal(second.nextCursor, undefined);
    const uris = [...first.resources, ...second.resources].map(({ uri }) => uri);
    assert.equal(new Set(uris).size, 122);

    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      [`${ENTRIES}/{entry_id}`],
    );
    assert.equal((await watcher.read())['total'], 121);
    const { task_text, answer } = await watcher.read(newest);
    assert.deepEqual({ task_text, answer }, { task_text: 'the newest', answer: 'how to the newest' });
  });

  test('that are not there, or in another project, are refused', async () => {
    const { client } = (await pair(shared.folder('refused'))).watcher;
    const foreign = uriOf(await store(await shared.start({ env, cwd: shared.folder('owner') }), 'a secret'));
    for (const uri of [`${ENTRIES}/nobody`, 'memory://nothing', 'file:///etc/passwd', foreign]) {
      await notFound(client.readResource({ uri }));
      await notFound(client.subscribeResource({ uri }));
    }
    await assert.rejects(client.listResources({ cursor: 'not one of ours' }), /cursor/);
  });
});

describe('a subscription', () => {
  test('tells of everything another client stores, renews, replaces and forgets', async () => {
    const { writer, watcher } = await pair(shared.folder('changes'), ENTRIES);
    let id = '';
    await watcher.isTold([ENTRIES], async () => (id = await store(writer, 'deploy')));
    const entry = uriOf(id);
    await watcher.client.subscribeResource({ uri: entry });

    await watcher.isTold([ENTRIES, entry], () => store(writer, 'deploy', { tags: ['renewed'] }));
    assert.deepEqual((await watcher.read(entry))['tags'], ['renewed']);
    let next = '';
    await watcher.isTold([ENTRIES, entry], async () => {
      next = await store(writer, 'deploy', { answer: 'a better way', supersedes: id });
    });
    assert.equal((await watcher.read(entry))['superseded_by'], next);
    await watcher.isTold([ENTRIES], () => writer.call('forget', { entry_id: next }));
    await watcher.isTold([ENTRIES, entry], () => writer.call('forget', { entry_id: id }));
    await notFound(watcher.read(entry));
    assert.deepEqual(await watcher.tasks(), []);
  });

  test('tells nothing of other projects, but of what is global', async () => {
    const here = (await pair(shared.folder('here'), ENTRIES)).watcher;
    const { writer, watcher: there } = await pair(shared.folder('there'), ENTRIES);
    await there.isTold([ENTRIES], () => store(writer, 'of there alone'));
    await here.settled();
    assert.deepEqual(here.told, []);
    let entry_id = '';
    await here.isTold([ENTRIES], async () => {
      entry_id = await store(writer, 'of everybody', { scope: 'global' });
    });
    assert.deepEqual(await here.tasks(), ['of everybody']);
    await here.isTold([ENTRIES], () => writer.call('forget', { entry_id }));
  });

  test('ends when the client says so, and with the client', async () => {
    const cwd = shared.folder('ending');
    const { writer, watcher } = await pair(cwd, ENTRIES);
    const ended = await Watcher.of(await shared.connect({ env, cwd }), ENTRIES);
    await ended.client.unsubscribeResource({ uri: ENTRIES });
    const closed = await Watcher.of(await shared.connect({ env, cwd }), ENTRIES);
    await closed.client.close();
    const killed = await shared.start({ env, cwd });
    await killed.request('resources/subscribe', { uri: ENTRIES });
    await killed.kill();

    for (let at = 0; at < 3; at += 1) await watcher.isTold([ENTRIES], () => store(writer, `row ${at}`));
    await ended.settled();
    assert.deepEqual([...ended.told, ...closed.told], []);
    const log = readFileSync(join(shared.home, '.subconscious-mcp', 'logs', 'server.log'), 'utf8');
    assert.doesNotMatch(log, / (WARNING|ERROR) /);
  });

  test('tells of a burst of changes in few words, the last of them after the last change', async () => {
    const { writer, watcher } = await pair(shared.folder('burst'), ENTRIES);
    const tasks = names(200);
    const [told] = await Promise.all([watcher.sees(tasks), storeAll(writer, tasks)]);
    assert.ok(told < tasks.length / 2, `${told} words about ${tasks.length} changes`);
  });
});

test('a client that does not read what it subscribed to costs the host nothing, and is up to date when it reads', async (t) => {
  const box = new Sandbox(t, 'shared');
  const [client, writer] = await Promise.all([box.start({ env }), box.start({ env })]);
  const uris = [ENTRIES, uriOf(await store(writer, 'renewed all the time'))];
  for (const uri of uris) await client.request('resources/subscribe', { uri });
  const change = async (count: number) => {
    for (let done = 0; done < count; done += 100) {
      await storeAll(writer, Array<string>(100).fill('renewed all the time'));
    }
  };
  await change(scale.unreadChanges / 5);
  client.unclaimed.length = 0;
  const { pid } = recordIn(box.storage);
  const before = residentMemory(pid);

  client.child.stdout.pause();
  await change(scale.unreadChanges);
  const last = await store(writer, 'the last');
  const grown = residentMemory(pid) - before;
  client.child.stdout.resume();
  assert.equal((await client.call('get', { entry_id: last })).task_text, 'the last');
  console.error('GROWN', grown, client.unclaimed.length);
  assert.ok(grown < MAX_GROWTH, `the host grew by ${grown.toFixed(0)} MiB`);
  const told = client.unclaimed.length;
  assert.ok(told > 1 && told < scale.unreadChanges / 2, `${told} words about ${scale.unreadChanges} changes`);
});

describe('the subscriptions of a client whose host is killed', { concurrency: true }, () => {
  test('are renewed with the next host, which nobody else has to start', async (t) => {
    const box = new Sandbox(t, 'shared');
    const writer = await box.start({ env });
    const entry = uriOf(await store(writer, 'deploy'));
    const watcher = await Watcher.of(await box.connect({ env }), ENTRIES, entry);
    const tags: string[] = [];
    for (let round = 0; round < scale.watchedKills; round += 1) {
      watcher.told.length = 0;
      const { token } = recordIn(box.storage);
      await killHost(box);
      // Told unasked: something may have changed meanwhile.
      await watcher.hears([ENTRIES, entry], 10);
      assert.notEqual(recordIn(box.storage).token, token);
      await watcher.read(entry);
      await watcher.isTold([ENTRIES, entry], () => store(writer, 'deploy', { tags: [`round ${round}`] }));
      tags.push(`round ${round}`);
      assert.deepEqual((await watcher.read(entry))['tags'], tags);
    }
  });

  test('tell of what another client changed while there was no host', async (t) => {
    const box = new Sandbox(t, 'shared');
    const writer = await box.start({ env });
    const doomed = await store(writer, 'to be forgotten');
    const watcher = await Watcher.of(await box.connect({ env }), ENTRIES, uriOf(doomed));
    const seen = watcher.sees(['stored meanwhile']);
    await killHost(box);
    await Promise.all([store(writer, 'stored meanwhile'), writer.call('forget', { entry_id: doomed })]);
    await seen;
    await watcher.hears([uriOf(doomed)]);
    await notFound(watcher.read(uriOf(doomed)));
  });
});

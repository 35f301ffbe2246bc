import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { Answer, ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';
import { toolCall, unexpected } from './ask.js';
import { damage } from './book.js';
import { hostsOf, recordIn } from './hosts.js';
import { scale } from '../scale.js';

/** Seconds of silence after which a request is answered with an error, and some more. */
const HANGING = 15;

/** What says who owns the directory and how to reach it. */
function claims(box: Sandbox): Record<string, string> {
  const names = readdirSync(box.storage).filter(
    (name) => /^(owner|host)\./.test(name) && !name.endsWith('.sock'),
  );
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(box.storage, name), 'utf8')]));
}

/** Sends without waiting; what is answered lies with what nobody claimed. */
function send(client: ServerProcess, id: string, task: string): void {
  client.write(toolCall(id, 'remember', { task, answer: 'x' }));
}

function answersTo(client: ServerProcess, id: string): Answer[] {
  return client.unclaimed.filter((answer) => answer.id === id);
}

/** An error that says who does not answer and what can be done about it. */
function isAboutHanging(answer: Answer | undefined, pid: number): void {
  const message = answer?.error?.message ?? '';
  assert.ok(message.includes(`pid ${pid}`) && message.includes(`end process ${pid}`), JSON.stringify(answer));
}

test('a stopped host stays the owner, and everything goes on when it runs again', async (t) => {
  const box = new Sandbox(t, 'shared');
  const [client, other] = await Promise.all([
    box.start({ env: WITHOUT_MODEL }),
    box.start({ env: WITHOUT_MODEL }),
  ]);
  await client.call('remember', { task: 'before', answer: 'x' });
  const { pid } = recordIn(box.storage);
  const before = claims(box);

  process.kill(pid, 'SIGSTOP');
  for (const [at, one] of [client, other].entries()) send(one, 'meanwhile', `meanwhile ${at}`);
  // How long it is stopped is the point.
  await sleep(scale.stoppedSeconds * 1000);
  assert.deepEqual(claims(box), before);
  assert.deepEqual(hostsOf(box), [pid]);
  process.kill(pid, 'SIGCONT');

  for (const one of [client, other]) {
    await until('the request is answered', () => answersTo(one, 'meanwhile').length > 0);
    assert.equal((await one.call('recall', { task: 'before' })).hit, true);
    const [answer] = answersTo(one, 'meanwhile');
    if (scale.stoppedSeconds < HANGING) assert.ok(answer?.result, JSON.stringify(answer));
    else isAboutHanging(answer, pid);
  }
  await until(
    'what was asked meanwhile is done',
    async () => (await client.call('stats')).total_entries === 3,
  );
  for (const one of [client, other]) assert.equal(answersTo(one, 'meanwhile').length, 1);
  assert.deepEqual(await damage(client), []);
  assert.deepEqual(claims(box), before);
  assert.deepEqual(hostsOf(box), [pid]);
});

test('a front that was stopped gives its client every answer when it runs again', async (t) => {
  const box = new Sandbox(t, 'shared');
  const client = await box.start({ env: WITHOUT_MODEL });
  send(client, 'first', 'asked before the stop');
  client.child.kill('SIGSTOP');
  send(client, 'second', 'asked during the stop');
  await sleep(scale.stoppedFrontSeconds * 1000);
  assert.deepEqual(answersTo(client, 'second'), []);
  client.child.kill('SIGCONT');

  await until('both are answered', () => unexpected([client]).length === 2);
  assert.equal((await client.call('stats')).total_entries, 2);
  assert.equal(unexpected([client]).length, 2);
  for (const id of ['first', 'second']) assert.ok(answersTo(client, id)[0]?.result, id);
});

if (scale.stoppedSeconds > HANGING) {
  test('while the host is stopped every request is told so, also that of a client that comes then', async (t) => {
    const box = new Sandbox(t, 'shared');
    const client = await box.start({ env: WITHOUT_MODEL });
    await client.call('remember', { task: 'before', answer: 'x' });
    const { pid } = recordIn(box.storage);
    process.kill(pid, 'SIGSTOP');

    const late = await box.start({ env: WITHOUT_MODEL, initialize: false });
    const [refused, failed] = await Promise.all([
      late.request('initialize', {}),
      client.request('tools/call', { name: 'stats' }),
    ]);
    isAboutHanging(refused, pid);
    assert.match(refused.error?.message ?? '', /--standalone/);
    isAboutHanging(failed, pid);
    isAboutHanging(await client.request('tools/call', { name: 'stats' }), pid);
    assert.deepEqual(hostsOf(box), [pid]);

    process.kill(pid, 'SIGCONT');
    for (const one of [client, late]) {
      if (one === late) await late.initialize();
      assert.equal((await one.call('recall', { task: 'before' })).hit, true);
    }
    assert.deepEqual(unexpected([client, late]), []);
  });
}

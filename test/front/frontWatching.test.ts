import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { until } from '../server/until.js';
import { answering, asking, Client, frontsOf, timeToFind } from './client.js';
import { refusing, WELCOME, type FakeHost, type Manners } from './fakeHost.js';
import { PassingTime } from './passingTime.js';

/** A client that waits for nothing, and watches something of a host. */
async function watching(t: TestContext) {
  const time = new PassingTime(t, ['setInterval', 'setTimeout']);
  const client = new Client(t);
  const host = await client.begin();
  client.say(asking(1, 'resources/subscribe', { uri: 'memory://a' }));
  await host.heard(3);
  host.say(answering(1));
  await client.hears(2);
  return { time, client, host };
}

/** No front has come to the host `count` times before so many milliseconds have passed, and one has after that. */
async function comesAfter(milliseconds: number, time: PassingTime, host: FakeHost, count = 1): Promise<void> {
  await timeToFind(host);
  time.pass(milliseconds - 1);
  await timeToFind(host);
  assert.equal(frontsOf(host), count - 1, `too early, before ${milliseconds} ms`);
  time.pass(1);
  await until(`a front has come ${count} times`, () => frontsOf(host) === count);
}

const refuse = refusing('protocol');

test('who watches something gets another host at once, and is told to look again', async (t) => {
  const { time, client, host } = await watching(t);
  time.jump(10_000);
  const second = await client.store.host();
  await host.die();
  await comesAfter(1, time, second);
  assert.match((await second.heard(3))[2] ?? '', /resources\/subscribe.*memory:\/\/a/);
  const [, , update] = await client.hears(3);
  assert.match(update ?? '', /resources\/updated.*memory:\/\/a/);
});

test('hosts that die soon are replaced after ever longer pauses, until one lives', async (t) => {
  const { time, client, host } = await watching(t);
  let last = host;
  for (const seconds of [1, 2, 4]) {
    const next = await client.store.host();
    await last.die();
    await comesAfter(seconds * 1000, time, next);
    await next.heard(3);
    last = next;
  }
  time.jump(10_000);
  const next = await client.store.host();
  await last.die();
  await comesAfter(1, time, next);
});

test('hosts that cannot be had are asked again after ever longer pauses, of half a minute at most', async (t) => {
  const { time, client, host } = await watching(t);
  const refuser = await client.store.host(refuse);
  await host.die();
  for (const [before, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
    await comesAfter(seconds * 1000, time, refuser, before + 1);
    await until('the front is refused', () => refuser.socket.closed);
  }
  assert.equal(client.lines.length, 2);
});

test('a request does not wait for the end of a pause, nor does the next death of a host', async (t) => {
  const { time, client, host } = await watching(t);
  let manners: Manners = refuse;
  const second = await client.store.host((socket, hello) => manners(socket, hello));
  await host.die();
  for (const [before, seconds] of [1, 2, 4, 8].entries()) {
    await comesAfter(seconds * 1000, time, second, before + 1);
    await until('the front is refused', () => second.socket.closed);
  }
  await timeToFind(second);
  manners = (socket) => socket.write(WELCOME);
  client.say(asking(2));
  assert.equal((await second.heard(4)).at(-1), asking(2));
  second.say(answering(2));
  await client.hears(4);

  time.jump(10_000);
  const third = await client.store.host();
  await second.die();
  await comesAfter(1, time, third);
});

test('who watches a folder that is gone gets a host when it is there again', async (t) => {
  const { time, client, host } = await watching(t);
  const { directory } = client.store;
  const second = await client.store.host();
  await host.die();
  await timeToFind(second);
  renameSync(directory, `${directory}.away`);
  time.pass(60_000);
  renameSync(`${directory}.away`, directory);
  await timeToFind(second);
  assert.equal(frontsOf(second), 0);
  time.pass(30_000);
  await until('a front has come', () => frontsOf(second) === 1);
});

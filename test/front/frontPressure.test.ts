import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_LINE } from '../../src/link/lines.js';
import { until } from '../server/until.js';
import { answering, asking, Client } from './client.js';
import { repeated, untimed } from './conversationBuilders.js';
import type { FakeHost } from './fakeHost.js';

test('who does not read holds up the host, and loses nothing', async (t) => {
  const client = new Client(t);
  const host = await client.store.host();
  client.say(asking(0));
  await host.heard(1);
  const text = 'x'.repeat(100_000);
  const total = 300;
  for (let n = 0; n < total; n += 1)
    host.say(`{"jsonrpc":"2.0","method":"n/${n}","params":{"text":"${text}"}}`);
  await until('the front has a lot to say', () => client.output.writableLength > 1024 * 1024);
  // Time for more, which the front still hears: its host is asked for nothing that it would need to read.
  for (let n = 1; n <= 5; n += 1) {
    client.say(asking(n));
    await host.heard(n + 1);
  }
  assert.ok(client.output.writableLength < 2 * 1024 * 1024, `${client.output.writableLength} bytes wait`);
  client.listen();
  const lines = await client.hears(total);
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { method: string }).method),
    lines.map((_, n) => `n/${n}`),
  );
});

const MEGABYTE = 'x'.repeat(1_000_000);
const COUNT = 40;

/** What lines are about, without their long texts. */
const inShort = (lines: readonly string[]) =>
  lines.map((line) => {
    const { id, method } = JSON.parse(line) as { id?: number; method: string };
    return id ?? method;
  });
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const REQUESTS = upTo(COUNT).map((n) => asking(n, 'tools/call', { text: MEGABYTE }));

/** Says all of it, and resolves when the front reads no more: to how many lines it has taken. */
async function holdUp(client: Client, lines: readonly string[]): Promise<number> {
  let taken = 0;
  client.input.on('data', () => (taken += 1));
  client.say(...lines);
  await until('the client is not read from', () => client.input.isPaused());
  assert.ok(taken * MEGABYTE.length > MAX_LINE, `${taken} MB are less than one line may have`);
  assert.ok(taken < COUNT);
  return taken;
}

/** Answers each request as it comes; before them the host has heard so many other lines. */
async function answerAll(host: FakeHost, others: number): Promise<void> {
  for (const n of upTo(COUNT)) {
    await host.heard(others + n + 1);
    host.say(answering(n));
  }
}

test('a host that does not read holds up the client, and nothing is lost', async (t) => {
  const client = new Client(t);
  const host = await client.begin();
  host.socket.pause();
  // Notifications: nothing of them waits for an answer.
  const params = { text: MEGABYTE };
  const lines = upTo(COUNT).map((n) => JSON.stringify({ jsonrpc: '2.0', method: `n/${n}`, params }));
  await holdUp(client, lines);
  host.socket.resume();
  const told = (await host.heard(2 + COUNT)).slice(2);
  assert.deepEqual(
    inShort(told),
    upTo(COUNT).map((n) => `n/${n}`),
  );
});

test('who has asked a lot that is not answered is not read from until it is', async (t) => {
  const client = new Client(t);
  const host = await client.begin();
  const taken = await holdUp(client, REQUESTS);
  assert.deepEqual(inShort((await host.heard(2 + taken)).slice(2)), upTo(taken));
  await answerAll(host, 2);
  assert.deepEqual(inShort((await host.heard(2 + COUNT)).slice(2)), upTo(COUNT));
});

test('a client that is held up and cannot be helped is read on after the refusals', async (t) => {
  const client = new Client(t).listen();
  // The bundle of the host is not beside this source.
  client.say(...REQUESTS);
  const refusals = await client.answers(COUNT);
  assert.deepEqual(
    refusals.map(({ id }) => id),
    upTo(COUNT),
  );
  for (const { error } of refusals) assert.match(error?.message ?? '', /could not start/);
});

test('who held up the client and dies has a successor that hears everything', async (t) => {
  const client = new Client(t);
  const first = await client.begin();
  first.socket.pause();
  const taken = await holdUp(client, REQUESTS);
  const second = await client.store.host();
  await first.die();
  const told = await second.heard(4 + taken);
  assert.deepEqual(inShort(untimed(told.slice(2))), inShort(repeated(...REQUESTS.slice(0, taken))));
  await answerAll(second, 4);
  assert.deepEqual(inShort((await second.heard(4 + COUNT)).slice(4 + taken)), upTo(COUNT).slice(taken));
});

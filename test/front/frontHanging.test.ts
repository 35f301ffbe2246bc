import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../server/until.js';
import { answering, asking, Client, frontsOf, INITIALIZED } from './client.js';
import { PassingTime } from './passingTime.js';

test('a host that hangs is named to the client, and left: what it says later is no second answer', async (t) => {
  const time = new PassingTime(t);
  const client = new Client(t);
  const host = await client.begin();
  const left = host.socket;
  client.say(asking(1));
  await host.heard(3);
  time.pass(4000);
  assert.match((await host.heard(4))[3] ?? '', /"method":"ping"/);
  time.pass(6000);
  const [, refusal] = await client.answers(2);
  assert.equal(refusal?.id, 1);
  assert.match(refusal.error?.message ?? '', /pid 4711\) does not answer.*continue it.*end process 4711/);
  left.write(`${answering(1)}\n${answering(2)}\n`);
  await until('the host has lost the front', () => left.closed);

  // Continued, it is found again, and knows nothing of what was answered.
  client.say(asking(1, 'another'), asking(2));
  assert.deepEqual((await host.heard(8)).slice(5), [INITIALIZED, asking(1, 'another'), asking(2)]);
  assert.equal(frontsOf(host), 2);
  host.say(answering(1, 'new'), answering(2, 'new'));
  assert.deepEqual((await client.hears(4)).slice(2), [answering(1, 'new'), answering(2, 'new')]);
});

test('a host that answers the question goes on working', async (t) => {
  const time = new PassingTime(t);
  const client = new Client(t);
  const host = await client.begin();
  client.say(asking(1));
  await host.heard(3);
  for (let round = 1; round <= 5; round += 1) {
    time.pass(4000);
    await host.heard(3 + round);
    host.say(answering(`${host.hellos[0]?.frontId}:ping`), `{"jsonrpc":"2.0","method":"n/${round}"}`);
    await client.hears(1 + round);
  }
  host.say(answering(1));
  assert.deepEqual((await client.hears(7)).slice(6), [answering(1)]);
});

test('a client that does not read for long has no hanging host', async (t) => {
  const time = new PassingTime(t);
  const client = new Client(t);
  const host = await client.store.host();
  client.say(asking(1));
  await host.heard(1);
  const notice = `{"jsonrpc":"2.0","method":"notice","params":{"text":"${'x'.repeat(2_000_000)}"}}`;
  host.say(notice);
  await until('the front has a lot to say', () => client.output.writableLength > 1024 * 1024);
  time.pass(20_000);
  client.listen();
  await client.hears(1);
  time.pass(3000);
  host.say(answering(1));
  assert.deepEqual(await client.hears(2), [notice, answering(1)]);
});

test('a client can leave a hanging host that it was held up by', async (t) => {
  const time = new PassingTime(t);
  const client = new Client(t);
  const host = await client.begin();
  host.socket.pause();
  const total = 40;
  client.say(
    ...Array.from({ length: total }, (_, n) => asking(n, 'tools/call', { text: 'x'.repeat(1_000_000) })),
  );
  client.input.end();
  await until('the client is not read from', () => client.input.isPaused());
  const told = host.lines.length;
  time.pass(10_000);
  await until('the host is found again', () => frontsOf(host) === 2);
  const refused = client.lines.length - 1;
  assert.ok(refused > 15 && refused < total, `${refused} requests were refused`);

  // What was not read until then goes to it as to any other host.
  const rest = Array.from({ length: total - refused }, (_, n) => refused + n);
  for (const [at, id] of rest.entries()) {
    await host.heard(told + 2 + at + 1);
    host.say(answering(id));
  }
  await client.ended;
  assert.deepEqual(
    (await client.answers(1 + total)).slice(1).map(({ id }) => id),
    Array.from({ length: total }, (_, n) => n),
  );
});

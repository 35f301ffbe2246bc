import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { until } from '../server/until.js';
import { answering, asking, Client } from './client.js';

/** Lets seconds pass at once for what waits for them. */
function passing(t: TestContext) {
  let ahead = 0;
  const now = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => now() + ahead);
  t.mock.timers.enable({ apis: ['setInterval'] });
  return (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      ahead += 1000;
      t.mock.timers.tick(1000);
    }
  };
}

test('a host that hangs is named to the client, and what it says later is not a second answer', async (t) => {
  const pass = passing(t);
  const client = new Client(t);
  const host = await client.begin();
  client.say(asking(1));
  await host.heard(3);
  pass(4);
  assert.match((await host.heard(4))[3] ?? '', /"method":"ping"/);
  pass(6);
  const [, refusal] = await client.answers(2);
  assert.equal(refusal?.id, 1);
  assert.match(refusal.error?.message ?? '', /pid 4711\) does not answer.*continue it.*end process 4711/);

  client.say(asking(2));
  await host.heard(5);
  pass(1);
  assert.equal((await client.answers(3))[2]?.id, 2);
  host.say(answering(1), answering(2), answering(`${host.hellos[0]?.frontId}:ping`));
  client.say(asking(3));
  await host.heard(6);
  host.say(answering(3));
  assert.deepEqual((await client.hears(4)).slice(3), [answering(3)]);
});

test('a host that answers the question goes on working', async (t) => {
  const pass = passing(t);
  const client = new Client(t);
  const host = await client.begin();
  client.say(asking(1));
  await host.heard(3);
  for (let round = 1; round <= 5; round += 1) {
    pass(4);
    await host.heard(3 + round);
    host.say(answering(`${host.hellos[0]?.frontId}:ping`), `{"jsonrpc":"2.0","method":"n/${round}"}`);
    await client.hears(1 + round);
  }
  host.say(answering(1));
  assert.deepEqual((await client.hears(7)).slice(6), [answering(1)]);
});

test('a client that does not read for long has no hanging host', async (t) => {
  const pass = passing(t);
  const client = new Client(t);
  const host = await client.store.host();
  client.say(asking(1));
  await host.heard(1);
  const notice = `{"jsonrpc":"2.0","method":"notice","params":{"text":"${'x'.repeat(2_000_000)}"}}`;
  host.say(notice);
  await until('the front has a lot to say', () => client.output.writableLength > 1024 * 1024);
  pass(20);
  client.listen();
  await client.hears(1);
  pass(3);
  host.say(answering(1));
  assert.deepEqual(await client.hears(2), [notice, answering(1)]);
});

test('a client can leave a hanging host that it was held up by', async (t) => {
  const pass = passing(t);
  const client = new Client(t);
  const host = await client.begin();
  host.socket.pause();
  client.say(...Array.from({ length: 30 }, (_, n) => asking(n, 'tools/call', { text: 'x'.repeat(100_000) })));
  client.input.end();
  await until('the client is not read from', () => client.input.isPaused());
  let ended = false;
  void client.ended.then(() => (ended = true));
  await until(
    'the front has ended',
    () => {
      // A question has to be open for ten seconds once, and then for every line that holds up the next.
      pass(1);
      return ended;
    },
    100,
  );
});

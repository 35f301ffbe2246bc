import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { answering, asking, Client, INITIALIZE, INITIALIZED, others } from './client.js';
import { refusing, word } from './fakeHost.js';

test('when a host dies the next one takes over, and the client sees every answer once', async (t) => {
  const client = new Client(t);
  const first = await client.begin();
  client.say(asking(1), asking(2), asking(3));
  await first.heard(5);
  first.say(answering(2, 'from the first'));
  await client.hears(2);
  const second = await client.store.host();
  await first.die();
  const told = await second.heard(4);
  const frontId = second.hellos[0]?.frontId ?? '';
  assert.equal(frontId, first.hellos[0]?.frontId);
  assert.deepEqual(second.hellos[0]?.repeated, 2);
  assert.deepEqual(told, [
    INITIALIZE.replace('"id":0', `"id":"${frontId}:initialize"`),
    INITIALIZED,
    asking(1),
    asking(3),
  ]);
  second.say(answering(`${frontId}:initialize`), answering(2, 'again'), answering(3), answering(1));
  assert.deepEqual(
    (await client.answers(4)).map(({ id }) => id),
    [0, 2, 3, 1],
  );
});

test('a host that dies while nobody waits is not replaced until somebody does', async (t) => {
  const client = new Client(t);
  const first = await client.begin();
  const second = await client.store.host();
  await first.die();
  await others(second);
  client.say(asking(1));
  assert.deepEqual((await second.heard(3)).slice(2), [asking(1)]);
});

test('who watches something gets another host at once, and is told to look again', async (t) => {
  const client = new Client(t);
  const first = await client.begin();
  client.say(asking(1, 'resources/subscribe', { uri: 'memory://a' }));
  await first.heard(3);
  first.say(answering(1));
  await client.hears(2);
  const second = await client.store.host();
  await first.die();
  assert.match((await second.heard(3))[2] ?? '', /resources\/subscribe.*memory:\/\/a/);
  const [, , update] = await client.hears(3);
  assert.match(update ?? '', /resources\/updated.*memory:\/\/a/);
});

test('a request that no host survives is given up, and the next one goes on', async (t) => {
  const client = new Client(t);
  let host = await client.begin();
  client.say(asking('deadly'));
  for (let deaths = 1; deaths <= 10; deaths += 1) {
    await host.heard(3);
    const next = await client.store.host();
    await host.die();
    host = next;
  }
  const [, refusal] = await client.answers(2);
  assert.equal(refusal?.id, 'deadly');
  assert.match(refusal.error?.message ?? '', /ended 10 times/);
  client.say(asking('harmless'));
  const told = await host.heard(3);
  assert.deepEqual(told.slice(2), [asking('harmless')]);
});

test('without a host every request is answered with the reason and a way out, and the next one tries again', async (t) => {
  const client = new Client(t).listen();
  // The bundle of the host is not beside this source.
  client.say(INITIALIZE, INITIALIZED, asking(1));
  const refusals = await client.answers(2);
  assert.deepEqual(
    refusals.map(({ id }) => id),
    [0, 1],
  );
  for (const { error } of refusals) {
    assert.equal(error?.code, -32000);
    assert.match(error.message, /could not start\. .*host\.js is gone.*--standalone/);
  }
  const host = await client.store.host();
  client.say(asking(2));
  assert.deepEqual(await host.heard(2), [INITIALIZED, asking(2)]);
});

test('a refusal over the protocol reaches the client', async (t) => {
  const client = new Client(t).listen();
  await client.store.host(refusing('protocol', 'it speaks another one. Update.'));
  client.say(asking(1));
  const [refusal] = await client.answers(1);
  assert.match(refusal?.error?.message ?? '', /it speaks another one\. Update\. .*--standalone/);
});

test('after the word that a host retires, its successor is awaited', async (t) => {
  const client = new Client(t);
  const first = await client.begin();
  client.say(asking(1));
  await first.heard(3);
  first.say(word({ subconscious: 'retiring' }).trim());
  await first.die();
  // Nothing announces that a front goes on waiting. Without that word it would try to start a host at once, and say
  // that there is none to be started here.
  await sleep(200);
  const second = await client.store.host();
  assert.deepEqual((await second.heard(3)).slice(2), [asking(1)]);
});

test('a record from elsewhere is no hindrance', async (t) => {
  const client = new Client(t).listen();
  writeFileSync(join(client.store.directory, 'host.json'), '{"pid":1}', { mode: 0o600 });
  client.say(asking(1));
  assert.match((await client.answers(1))[0]?.error?.message ?? '', /could not start/);
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answering, asking, Client, INITIALIZE, INITIALIZED, others } from './client.js';
import { repeated, untimed } from './conversationBuilders.js';
import { refusing, word } from './fakeHost.js';
import { PassingTime } from './passingTime.js';

test('when a host dies the next one takes over, and the client sees every answer once', async (t) => {
  const client = new Client(t);
  const first = await client.begin();
  client.say(asking(1), asking(2), asking(3));
  await first.heard(5);
  first.say(answering(2, 'from the first'));
  await client.hears(2);
  const second = await client.store.host();
  await first.die();
  const told = await second.heard(6);
  const frontId = second.hellos[0]?.frontId ?? '';
  assert.equal(frontId, first.hellos[0]?.frontId);
  assert.deepEqual(untimed(told), [
    INITIALIZE.replace('"id":0', `"id":"${frontId}:initialize"`),
    INITIALIZED,
    ...repeated(asking(1), asking(3)),
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

test('a request that no host survives for twenty seconds is given up, and the next one goes on', async (t) => {
  const time = new PassingTime(t);
  const client = new Client(t);
  let host = await client.begin();
  client.say(asking('deadly'));
  for (let deaths = 1; deaths <= 11; deaths += 1) {
    await host.heard(deaths === 1 ? 3 : 5);
    assert.equal(client.lines.length, 1);
    if (deaths === 11) time.jump(20_000);
    const next = await client.store.host();
    await host.die();
    host = next;
  }
  const [, refusal] = await client.answers(2);
  assert.equal(refusal?.id, 'deadly');
  assert.match(refusal.error?.message ?? '', /ended 10 times or more/);
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
  const [patient, impatient] = [new Client(t), new Client(t)];
  const hosts = [await patient.begin(), await impatient.begin()] as const;
  for (const [at, client] of [patient, impatient].entries()) {
    client.say(asking(1));
    await hosts[at]?.heard(3);
  }
  hosts[0].say(word({ subconscious: 'retiring' }).trim());
  for (const host of hosts) await host.die();
  // Who has not heard that word tries to start a host at once, and finds that there is none to be started here.
  assert.match((await impatient.answers(2))[1]?.error?.message ?? '', /could not start/);
  assert.equal(patient.lines.length, 1);
  const second = await patient.store.host();
  assert.deepEqual(untimed(await second.heard(5)).slice(2), repeated(asking(1)));
});

test('a record from elsewhere is no hindrance', async (t) => {
  const client = new Client(t).listen();
  writeFileSync(join(client.store.directory, 'host.json'), '{"pid":1}', { mode: 0o600 });
  client.say(asking(1));
  assert.match((await client.answers(1))[0]?.error?.message ?? '', /could not start/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { ServerProcess } from '../server/serverProcess.js';
import { toolCall, unexpected } from './ask.js';
import { hostsOf, killHost } from './hosts.js';
import { seeded } from './random.js';
import { scale } from '../scale.js';

const STORED_BEFORE = { task: 'stored before', answer: 'x' };

async function clientOf(box: Sandbox): Promise<ServerProcess> {
  const client = await box.start({ env: WITHOUT_MODEL });
  await client.call('remember', STORED_BEFORE);
  return client;
}

test('a client that asks nothing while its host is killed hears nothing of it, and its next call works', async (t) => {
  const box = new Sandbox(t, 'shared');
  const client = await clientOf(box);
  await killHost(box);
  // Long enough for a front to look for another host, if it did.
  await sleep(200);
  assert.deepEqual(hostsOf(box), []);
  assert.equal((await client.call('recall', { task: STORED_BEFORE.task })).hit, true);
  assert.deepEqual(unexpected([client]), []);
});

test('a client that comes while a host is being killed is served', (t) =>
  seeded(async (random) => {
    const box = new Sandbox(t, 'shared');
    const first = await clientOf(box);
    for (let round = 0; round < scale.arrivals; round += 1) {
      const next = await box.start({ env: WITHOUT_MODEL, initialize: false });
      const answer = next.initialize();
      next.write(toolCall('early', 'recall', { task: STORED_BEFORE.task }));
      const early = next.answerTo('early');
      // From before it is asked for its first word until after.
      await sleep(random() * 250);
      await killHost(box);
      await answer;
      assert.ok((await early).result, JSON.stringify(await early));
      assert.equal((await next.call('recall', { task: STORED_BEFORE.task })).hit, true);
      assert.equal((await first.call('stats')).total_entries, 1);
      await next.end();
      assert.deepEqual(unexpected([first, next]), []);
    }
  }));

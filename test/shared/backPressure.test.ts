import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { takeAnswers, toolCall, unexpected } from './ask.js';
import { openFiles, peakMemory } from './footprint.js';
import { recordIn } from './hosts.js';
import { scale } from '../scale.js';

/** The answers to all requests together are many times this; MiB. */
const BOUND = 300;
const SIZE = 200_000;

test('answers a client does not read pile up nowhere, and come when it reads', async (t) => {
  const box = new Sandbox(t, 'shared');
  const [client, other] = await Promise.all([
    box.start({ env: WITHOUT_MODEL }),
    box.start({ env: WITHOUT_MODEL }),
  ]);
  const { entry_id } = await other.call('remember', { task: 'big', answer: 'b'.repeat(SIZE) });
  const { pid } = recordIn(box.storage);
  client.child.stdout.pause();
  for (let at = 0; at < scale.bigAnswers; at += 1) client.write(toolCall(`big ${at}`, 'get', { entry_id }));
  for (let call = 0; call < 20; call += 1) {
    await other.call('remember', { task: `meanwhile ${call}`, answer: 'y' });
  }
  assert.equal(client.unclaimed.length, 0);
  client.child.stdout.resume();

  await takeAnswers(client, scale.bigAnswers, (_id, content) => {
    assert.equal((content as { answer: string }).answer.length, SIZE);
  });
  assert.equal((await client.call('stats')).total_entries, 21);
  assert.deepEqual(unexpected([client, other]), []);
  const peaks = [client.pid, pid].map(peakMemory);
  assert.ok(
    peaks.every((peak) => peak < BOUND),
    `front and host had up to ${peaks.map(Math.round).join(' and ')} MiB`,
  );
});

test('a client that never reads and then dies is let go', async (t) => {
  const box = new Sandbox(t, 'shared');
  const other = await box.start({ env: WITHOUT_MODEL });
  const { entry_id } = await other.call('remember', { task: 'big', answer: 'b'.repeat(SIZE) });
  const { pid } = recordIn(box.storage);
  const before = openFiles(pid);
  const client = await box.start({ env: WITHOUT_MODEL });
  client.child.stdout.pause();
  for (let at = 0; at < 100; at += 1) client.write(toolCall(`big ${at}`, 'get', { entry_id }));
  await other.call('remember', { task: 'meanwhile', answer: 'y' });
  await client.kill();
  await until('the host has let go of it', () => openFiles(pid) <= before);
  assert.equal((await other.call('get', { entry_id })).answer.length, SIZE);
  assert.equal(recordIn(box.storage).pid, pid);
});

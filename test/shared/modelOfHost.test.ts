import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { ServerProcess } from '../server/serverProcess.js';
import { unexpected } from './ask.js';
import { onlyHost, recordIn } from './hosts.js';

const USUAL = 'all-MiniLM-L6-v2';
const ROW = { task: 'Deploy the documentation site', answer: 'by hand' };

/** What this client is told of its model. */
async function modelOf(client: ServerProcess): Promise<{ name: string; notes: string[] }> {
  const { model, health } = await client.call('stats');
  const notes = health.filter(({ code }) => code === 'config').map(({ message }) => message);
  return { name: model.name, notes };
}

test('a client that comes alone gets its model at once, and one that finds others is told which they have', async (t) => {
  const box = new Sandbox(t, 'shared');
  const first = await box.start();
  await first.call('remember', ROW);
  assert.match((await modelOf(first)).name, new RegExp(USUAL));
  const old = recordIn(box.storage);
  await first.end();

  const second = await box.start({ env: WITHOUT_MODEL });
  assert.deepEqual(await modelOf(second), { name: 'not-installed', notes: [] });
  assert.equal((await second.call('recall', { task: ROW.task })).answer, ROW.answer);
  const host = recordIn(box.storage);
  assert.notEqual(host.pid, old.pid);

  const third = await box.start();
  const { name, notes } = await modelOf(third);
  assert.equal(name, 'not-installed');
  assert.equal(notes.length, 1);
  assert.match(notes[0] ?? '', /not-installed/);
  assert.match(notes[0] ?? '', new RegExp(USUAL));
  assert.deepEqual(recordIn(box.storage), host);
  for (const client of [second, third]) await client.end();

  const last = await box.start();
  await last.modelSettled();
  assert.match((await modelOf(last)).name, new RegExp(USUAL));
  const asked = await last.call('recall', { task: 'Publish the docs pages', threshold: 0.3 });
  assert.deepEqual({ hit: asked.hit, degraded: asked.degraded }, { hit: true, degraded: undefined });
  assert.notEqual(await onlyHost(box), host.pid);
  assert.deepEqual(unexpected([last]), []);
});

import assert from 'node:assert/strict';
import { chmodSync, chownSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { hostsOf, onlyHost, recordIn } from './hosts.js';
import { copyBundles } from './programs.js';
import { scale } from '../scale.js';

/** Whose writing permissions count. */
const PLAIN_USER = 65_534;

test('a directory that could only be read is shared again once it can be written', async (t) => {
  const box = new Sandbox(t, 'shared');
  const uid = process.getuid?.() === 0 ? PLAIN_USER : process.getuid?.();
  box.folder('home', '.subconscious-mcp', 'data');
  chmodSync(box.root, 0o755);
  for (const folder of [box.home, dirname(box.storage), box.storage]) {
    if (uid === PLAIN_USER) chownSync(folder, PLAIN_USER, PLAIN_USER);
  }
  const start = { env: WITHOUT_MODEL, program: copyBundles(box), ...(uid === undefined ? {} : { uid }) };
  const first = await box.start(start);
  await first.call('remember', { task: 'stored at first', answer: 'x' });
  await first.end();
  process.kill(recordIn(box.storage).pid, 'SIGTERM');
  await until('the host is gone', () => hostsOf(box).length === 0);

  chmodSync(box.storage, 0o500);
  const reader = await box.start(start);
  assert.equal((await reader.call('recall', { task: 'stored at first' })).hit, true);
  assert.match(await reader.refusal('remember', { task: 'refused', answer: 'x' }), /read|written/);
  assert.deepEqual(hostsOf(box), []);
  chmodSync(box.storage, 0o700);
  const writer = await box.start(start);
  assert.equal((await writer.call('remember', { task: 'stored meanwhile', answer: 'x' })).stored, true);
  assert.equal((await writer.call('recall', { task: 'stored at first' })).hit, true);

  if (scale.readOnlyEnds) {
    const seen = async () => (await reader.call('recall', { task: 'stored meanwhile' })).hit;
    await until('the reader sees what others store', seen, 40);
    assert.equal((await reader.call('remember', { task: 'by the reader', answer: 'x' })).stored, true);
    assert.equal((await writer.call('recall', { task: 'by the reader' })).hit, true);
  }
  assert.equal(await onlyHost(box), recordIn(box.storage).pid);
  assert.deepEqual(reader.unclaimed, []);
});

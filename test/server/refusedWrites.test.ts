import assert from 'node:assert/strict';
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyProgram } from './programCopy.js';
import { Sandbox, WITHOUT_MODEL } from './sandbox.js';
import type { ServerProcess } from './serverProcess.js';

const KEPT = { task: 'stored while there was room', answer: 'kept' };

/** Reading goes on: by recall, by id and by words. */
async function readsGoOn(server: ServerProcess): Promise<void> {
  const hit = await server.call('recall', { task: KEPT.task });
  assert.equal(hit.answer, KEPT.answer);
  assert.equal((await server.call('get', { entry_id: hit.entry_id })).answer, KEPT.answer);
  assert.equal((await server.call('search', { query: 'room' })).results[0]?.entry_id, hit.entry_id);
}

test('a full disk refuses the write with the reason, and loses and invents nothing', async (t) => {
  const box = new Sandbox(t);
  // 256 blocks of 512 or 1,024 bytes, as the shell counts.
  const prefix = ['sh', '-c', 'ulimit -f 256; exec "$@"', 'sh'];
  const server = await box.start({ env: WITHOUT_MODEL, prefix });
  await server.call('remember', KEPT);
  let stored = 1;
  let refusal: string | undefined;
  while (refusal === undefined && stored < 100) {
    const row = { task: `filling the disk ${stored}`, answer: `${stored} `.repeat(8_000) };
    const result = await server.callTool('remember', row);
    if (result.isError) refusal = result.content[0]?.text;
    else stored += 1;
  }
  assert.match(refusal ?? '', /file size limit|disk is full/);
  await readsGoOn(server);
  assert.equal((await server.call('stats')).total_entries, stored);
  assert.equal((await server.call('recall', { task: `filling the disk ${stored}` })).hit, false);
  assert.equal((await server.end()).code, 0);

  const next = await box.start({ env: WITHOUT_MODEL });
  assert.equal((await next.call('stats')).total_entries, stored);
  await readsGoOn(next);
  assert.equal((await next.call('remember', { task: 'room again', answer: 'x' })).stored, true);
});

test('a server that starts on a full disk reads, refuses writes, and says so', async (t) => {
  const box = new Sandbox(t);
  const first = await box.start({ env: WITHOUT_MODEL });
  await first.call('remember', KEPT);
  await first.end();

  const prefix = ['sh', '-c', 'ulimit -f 0; exec "$@"', 'sh'];
  const server = await box.start({ env: WITHOUT_MODEL, prefix });
  await readsGoOn(server);
  assert.match(await server.refusal('remember', { task: 'no room', answer: 'x' }), /no room/);
  assert.ok(JSON.stringify((await server.call('stats')).health).includes('read_only'));
  assert.equal((await server.end()).code, 0);
});

test('in a read-only directory writes are refused with the reason, and reading goes on', async (t) => {
  const box = new Sandbox(t);
  // Root may write anywhere, so under root the server runs as nobody, on a copy that nobody can read.
  const asNobody = process.getuid?.() === 0 ? { uid: 65_534, program: copyProgram(box).server } : {};
  if (asNobody.uid !== undefined) {
    chmodSync(box.root, 0o755);
    chownSync(box.home, asNobody.uid, asNobody.uid);
  }
  const first = await box.start({ ...asNobody, env: WITHOUT_MODEL });
  await first.call('remember', KEPT);
  await first.end();

  chmodSync(box.storage, 0o500);
  for (const name of readdirSync(box.storage)) chmodSync(join(box.storage, name), 0o400);
  const server = await box.start({ ...asNobody, env: WITHOUT_MODEL });
  await readsGoOn(server);
  const refusal = await server.refusal('remember', { task: 'no room', answer: 'x' });
  assert.match(refusal, /permission denied|read-only/);
  assert.ok(refusal.includes(box.storage));
  await readsGoOn(server);
  assert.ok(JSON.stringify((await server.call('stats')).health).includes('read_only'));
  assert.equal((await server.end()).code, 0);

  chmodSync(box.storage, 0o700);
  for (const name of readdirSync(box.storage)) chmodSync(join(box.storage, name), 0o600);
  const next = await box.start({ ...asNobody, env: WITHOUT_MODEL });
  assert.equal((await next.call('remember', { task: 'room again', answer: 'x' })).stored, true);
});

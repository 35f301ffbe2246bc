import assert from 'node:assert/strict';
import { chmodSync, chownSync, cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { killHost, recordIn } from './hosts.js';
import { changeOwner, ownerFile, ownerIn } from './owners.js';
import { copyBundles } from './programs.js';
import { refusedHandshake } from './refusals.js';

const ROW = { task: 'stored before', answer: 'kept' };
const NOBODY = 65_534;

// Some of these wait for an owner that might be about to leave; they may wait together.
describe('stores that were copied or closed', { concurrency: true }, () => {
  test('a copy of a store in use does not reach the other store’s host, and is independent once told so', async (t) => {
    const box = new Sandbox(t, 'shared');
    const original = await box.start({ env: WITHOUT_MODEL });
    await original.call('remember', ROW);
    const copy = join(box.root, 'copy');
    cpSync(box.storage, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });

    const front = await box.start({
      env: { ...WITHOUT_MODEL, SUBCONSCIOUS_STORAGE_DIR: copy },
      initialize: false,
    });
    const refusal = await refusedHandshake(front);
    assert.match(refusal, new RegExp(`pid ${recordIn(box.storage).pid}\\b`));
    assert.ok(refusal.includes(`delete ${ownerFile(copy)} in the copy`), refusal);
    assert.match(refusal, /--standalone/);

    rmSync(ownerFile(copy));
    await front.initialize();
    assert.equal((await front.call('recall', { task: ROW.task })).answer, ROW.answer);
    await front.call('remember', { task: 'in the copy', answer: 'x' });
    await original.call('remember', { task: 'in the original', answer: 'x' });
    await original.call('remember', { task: 'in the original, too', answer: 'x' });
    assert.equal((await front.call('stats')).total_entries, 2);
    assert.equal((await original.call('stats')).total_entries, 3);
    assert.notEqual(recordIn(copy).pid, recordIn(box.storage).pid);
  });

  test('a store copied from another machine while it was in use names that machine, and opens once told so', async (t) => {
    const box = new Sandbox(t, 'shared');
    await fromElsewhere(box);
    changeOwner(box.storage, { machineId: 'linux:0123456789abcdef', host: 'other-machine' });

    const front = await box.start({ env: WITHOUT_MODEL, initialize: false });
    const refusal = await refusedHandshake(front);
    assert.match(refusal, /other-machine/);
    assert.ok(refusal.includes(`delete ${ownerFile(box.storage)}`), refusal);
    rmSync(ownerFile(box.storage));
    await front.initialize();
    assert.equal((await front.call('recall', { task: ROW.task })).answer, ROW.answer);
  });

  test('a store copied from another machine whose host had left opens at once', async (t) => {
    const box = new Sandbox(t, 'shared');
    await fromElsewhere(box);
    const left = { ...ownerIn(box.storage), owner: null };
    writeFileSync(ownerFile(box.storage), JSON.stringify(left));
    const front = await box.start({ env: WITHOUT_MODEL });
    assert.equal((await front.call('recall', { task: ROW.task })).answer, ROW.answer);
    assert.equal((await front.call('remember', { task: 'here', answer: 'x' })).stored, true);
  });

  test('in a directory that can only be read several clients read, and writes are refused with the reason', async (t) => {
    const box = new Sandbox(t, 'shared');
    // Root may write anywhere, so under root this is done as nobody, with a copy that nobody can read.
    const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, program: copyBundles(box) } : {};
    if (asNobody.uid !== undefined) {
      chmodSync(box.root, 0o755);
      chownSync(box.home, NOBODY, NOBODY);
    }
    const first = await box.start({ ...asNobody, env: WITHOUT_MODEL });
    await first.call('remember', ROW);
    await first.end();
    await killHost(box);
    chmodSync(box.storage, 0o500);
    for (const name of readdirSync(box.storage)) chmodSync(join(box.storage, name), 0o400);

    const start = () => box.start({ ...asNobody, env: WITHOUT_MODEL });
    for (const front of await Promise.all([start(), start()])) {
      assert.equal((await front.call('recall', { task: ROW.task })).answer, ROW.answer);
      const refusal = await front.refusal('remember', { task: 'no room', answer: 'x' });
      assert.match(refusal, /read-only/);
      assert.ok(refusal.includes(box.storage), refusal);
      assert.ok((await front.call('stats')).health.some(({ code }) => code === 'read_only'));
    }
    assert.ok(!readdirSync(box.storage).some((name) => name.endsWith('.tmp')));
  });

  test('a storage directory that is a file is named as one, and nobody is kept out once it is gone', async (t) => {
    const box = new Sandbox(t, 'shared');
    const storage = join(box.root, 'file');
    writeFileSync(storage, 'not a folder');
    const env = { ...WITHOUT_MODEL, SUBCONSCIOUS_STORAGE_DIR: storage };
    const front = await box.start({ env, initialize: false });
    const refusal = await refusedHandshake(front);
    assert.ok(refusal.includes(storage), refusal);
    assert.match(refusal, /a file, not a folder/);
    rmSync(storage);
    await front.initialize();
    assert.equal((await front.call('remember', ROW)).stored, true);
  });
});

/** A store as it arrives from another machine: with a host.json whose address does not exist here. */
async function fromElsewhere(box: Sandbox): Promise<void> {
  const front = await box.start({ env: WITHOUT_MODEL });
  await front.call('remember', ROW);
  await front.end();
  await killHost(box);
  const record = { ...recordIn(box.storage), address: '/home/somebody/data/host.0a1b2c3d.sock' };
  writeFileSync(join(box.storage, 'host.json'), JSON.stringify(record));
}

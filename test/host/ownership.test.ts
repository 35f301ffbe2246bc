import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ownerDisk, type OwnerDisk } from '../../src/host/ownerFile.js';
import { takeOwnership } from '../../src/host/ownership.js';
import type { ProcessIdentity } from '../../src/host/processIdentity.js';
import { newStore, refusal, self, type Store } from './ownedStore.js';

let store: Store;
let directory = '';
beforeEach(() => {
  store = newStore();
  directory = store.directory;
});

function failing(code: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(`${code}: refused`), { code }));
}

test('the owner holds until it leaves, and leaves one small file', async () => {
  const ownership = await takeOwnership(directory, self);
  assert.equal(await ownership.held(), true);
  if (process.platform !== 'win32') {
    assert.equal(statSync(join(directory, 'owner.1')).mode & 0o777, 0o600);
  }
  await ownership.release();
  await ownership.release();
  assert.equal(await ownership.held(), false);
  assert.deepEqual(readdirSync(directory), ['owner.1']);
  const next = await takeOwnership(directory, self);
  assert.equal(await next.held(), true);
  assert.deepEqual(readdirSync(directory), ['owner.2']);
});

test('a second owner in the same process is refused, naming the process and what to do', async () => {
  await takeOwnership(directory, self);
  const message = await refusal(takeOwnership(directory, self), 'owned');
  assert.ok(message.includes(directory) && message.includes(`End process ${self.pid}`), message);
});

test('an owner whose pid is used again by another process is dead', async () => {
  store.writeOwner(7, { startTime: '0' });
  const ownership = await takeOwnership(directory, self);
  assert.equal(await ownership.held(), true);
  assert.deepEqual(readdirSync(directory), ['owner.8']);
});

test('an owner from before this start of the machine is dead', async () => {
  store.writeOwner(1, { bootId: 'before' });
  await takeOwnership(directory, { ...self, bootId: 'now' });
  assert.deepEqual(readdirSync(directory), ['owner.2']);
});

test('an owner on another machine or in another pid namespace is refused, naming both', async () => {
  const elsewhere: Partial<ProcessIdentity>[] = [
    { machineId: 'linux:other', host: 'attic', bootId: 'other', startTime: '0' },
    { pidNamespace: 'pid:[1]', startTime: '0' },
  ];
  for (const owner of elsewhere) {
    store.writeOwner(3, owner);
    const before = readFileSync(join(directory, 'owner.3'), 'utf8');
    const message = await refusal(takeOwnership(directory, self), 'owned');
    for (const part of [
      ...Object.values(owner).slice(0, 1),
      self.machineId,
      self.host,
      join(directory, 'owner.3'),
    ]) {
      assert.ok(message.includes(String(part)), message);
    }
    assert.deepEqual(readdirSync(directory), ['owner.3']);
    assert.equal(readFileSync(join(directory, 'owner.3'), 'utf8'), before);
  }
});

test('an owner file that is no record is refused, named, and left alone', async () => {
  const refuses = async (garbage: string): Promise<void> => {
    const other = newStore().directory;
    const file = join(other, 'owner.2');
    writeFileSync(file, garbage);
    const message = await refusal(takeOwnership(other, self), 'storage');
    assert.ok(message.includes(file), message);
    assert.equal(readFileSync(file, 'utf8'), garbage);
    assert.deepEqual(readdirSync(other), ['owner.2']);
  };
  const group = JSON.stringify({ claim: 'x', owner: { ...self, pid: -1 } });
  await Promise.all(['', '{"claim":"x"', '[]', '{"claim":"x","owner":{"pid":1}}', group].map(refuses));
});

test('names that only look like owner files do not count', async () => {
  for (const name of ['owner.01', 'owner.x', 'owner.', 'owner.5.bak', 'owner.-1']) {
    writeFileSync(join(directory, name), '');
  }
  await takeOwnership(directory, self);
  assert.ok(existsSync(join(directory, 'owner.1')) && existsSync(join(directory, 'owner.5.bak')));
});

test('the owner deletes what earlier processes left', async () => {
  for (const number of [2, 3, 5]) store.writeOwner(number, { startTime: '0' });
  writeFileSync(join(directory, 'owner.99999.0a1b2c3d4e5f.tmp'), '{"cla');
  writeFileSync(join(directory, 'memory.db'), '');
  await takeOwnership(directory, self);
  assert.deepEqual(readdirSync(directory).sort(), ['memory.db', 'owner.6']);
});

test('a starter whose draft is tidied away looks again', async () => {
  let tidied = false;
  const ownership = await store.take(1, {
    link: async (draft, path) => {
      if (!tidied) rmSync(draft);
      tidied = true;
      await ownerDisk.link(draft, path);
    },
  });
  assert.equal(await ownership.held(), true);
});

test('without hard links the directory is owned just as exclusively', async () => {
  for (const code of ['EPERM', 'ENOTSUP', 'EISDIR']) {
    const disk = { link: failing(code) };
    const first = await store.take(1, disk);
    await refusal(store.take(2, disk), 'owned');
    await first.release();
    await (await store.take(2, disk)).release();
    assert.equal(readdirSync(directory).length, 1);
  }
});

test('without hard links a starter that comes second to create the file looks again', async () => {
  const slow = store.take(1, {
    link: async () => {
      await store.take(2);
      await failing('ENOTSUP')();
    },
  });
  assert.match(await refusal(slow, 'owned'), /pid 2\b/);
});

test('a half-written owner file is waited for', async () => {
  const file = join(directory, 'owner.1');
  writeFileSync(file, '{"claim":');
  const waiting = store.take(1);
  await turn();
  writeFileSync(file, JSON.stringify({ claim: 'x', owner: null }));
  assert.equal(await (await waiting).held(), true);
});

test('a link that was made but reported as failed is recognised', async () => {
  const ownership = await store.take(1, {
    link: async (from, to) => {
      await ownerDisk.link(from, to);
      await failing('EEXIST')();
    },
  });
  assert.equal(await ownership.held(), true);
  assert.deepEqual(readdirSync(directory), ['owner.1']);
});

test('a directory that refuses is reported with the reason, and keeps nothing', async () => {
  const cases: [string, RegExp][] = [
    ['EROFS', /read-only/],
    ['EACCES', /permission denied/],
    ['ENOSPC', /the disk is full/],
  ];
  for (const [code, reason] of cases) {
    const half: OwnerDisk['create'] = async (path) => {
      writeFileSync(path, '');
      await failing(code)();
    };
    assert.match(await refusal(store.take(1, { create: half }), 'storage'), reason);
    assert.deepEqual(readdirSync(directory), []);
  }
  rmSync(directory, { recursive: true });
  assert.match(await refusal(store.take(1), 'storage'), /does not exist/);
});

test('an owner whose directory was deleted holds no more and writes nothing', async () => {
  const ownership = await takeOwnership(directory, self);
  rmSync(directory, { recursive: true });
  assert.equal(await ownership.held(), false);
  await ownership.release();
  assert.equal(existsSync(directory), false);
});

test('an owner whose place was taken after a wipe leaves the new owner alone', async () => {
  const first = await store.take(1);
  rmSync(join(directory, 'owner.1'));
  const second = await store.take(2);
  await first.release();
  assert.deepEqual([await first.held(), await second.held()], [false, true]);
});

test('leaving does not fail where nothing can be written', async () => {
  let full = false;
  const ownership = await store.take(1, {
    create: async (path, text) => {
      if (full) await failing('ENOSPC')();
      await ownerDisk.create(path, text);
    },
  });
  full = true;
  await ownership.release();
  await refusal(store.take(2), 'owned');
  store.living.delete(1);
  await store.take(3);
});

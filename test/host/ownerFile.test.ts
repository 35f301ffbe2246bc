import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRecord, type OwnerRecord } from '../../src/host/ownerFile.js';
import { newStore, self } from './ownedStore.js';

const RECORD: OwnerRecord = { claim: 'mine', owner: self, role: 'host' };

function ownerPath(): string {
  return join(newStore().directory, 'owner.1');
}

test('a record is read as it was written, with an owner and after it has left', async () => {
  const path = ownerPath();
  for (const record of [RECORD, { ...RECORD, owner: null }]) {
    writeFileSync(path, JSON.stringify(record));
    assert.deepEqual(await readRecord(path), record);
  }
});

test('a record without a role is one of a time when nothing was shared', async () => {
  const path = ownerPath();
  const { claim, owner } = RECORD;
  for (const role of [undefined, 'king']) {
    writeFileSync(path, JSON.stringify({ claim, owner, role }));
    assert.deepEqual(await readRecord(path), { claim, owner, role: 'standalone' });
  }
});

test('where no file is, there is no record', async () => {
  assert.equal(await readRecord(ownerPath()), 'gone');
  assert.equal(await readRecord(join(ownerPath(), 'owner.1')), 'gone');
});

test('what is no record is garbled', async () => {
  const path = ownerPath();
  const owners = [5, [], { ...self, pid: 0 }, { ...self, pid: '1' }, { ...self, bootId: 5 }, { pid: 1 }];
  const contents = [
    '',
    '{',
    'null',
    '{}',
    ...owners.map((owner) => JSON.stringify({ ...RECORD, owner })),
    JSON.stringify({ ...RECORD, claim: 1 }),
  ];
  for (const content of contents) {
    writeFileSync(path, content);
    assert.equal(await readRecord(path), 'garbled', content);
  }
});

test('a file far larger than a record is not read', async () => {
  const path = ownerPath();
  const padded = (length: number) => writeFileSync(path, JSON.stringify(RECORD).padEnd(length));
  padded(64 * 1024);
  assert.deepEqual(await readRecord(path), RECORD);
  padded(64 * 1024 + 1);
  assert.equal(await readRecord(path), 'garbled');
  truncateSync(path, 8 * 1024 ** 3);
  assert.equal(await readRecord(path), 'garbled');
});

test('a folder is no record', async () => {
  const path = ownerPath();
  mkdirSync(path);
  assert.equal(await readRecord(path), 'garbled');
});

if (process.platform !== 'win32') {
  test('a pipe or a device is not waited for, nor a link followed', async () => {
    const path = ownerPath();
    execFileSync('mkfifo', [path]);
    assert.equal(await readRecord(path), 'garbled');
    assert.equal(await readRecord('/dev/zero'), 'garbled');
    const target = ownerPath();
    writeFileSync(target, JSON.stringify(RECORD));
    symlinkSync(target, `${path}0`);
    assert.equal(await readRecord(`${path}0`), 'garbled');
  });
}

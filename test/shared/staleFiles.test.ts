import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { hostsOf, killHost, onlyHost, recordIn } from './hosts.js';
import { changeOwner } from './owners.js';
import { refusedHandshake } from './refusals.js';

const ROW = { task: 'stored before', answer: 'kept' };

/** A store whose host was killed: owner file, host.json and socket are as it left them. */
async function abandoned(box: Sandbox): Promise<void> {
  const front = await box.start({ env: WITHOUT_MODEL });
  await front.call('remember', ROW);
  await front.end();
  await killHost(box);
}

/** A client gets what was stored, from a host of its own time. */
async function works(box: Sandbox): Promise<void> {
  const front = await box.start({ env: WITHOUT_MODEL });
  assert.equal((await front.call('recall', { task: ROW.task })).answer, ROW.answer);
  assert.equal(recordIn(box.storage).pid, await onlyHost(box));
}

/** Puts something else in the place of `host.json`. */
function replaceRecord(box: Sandbox, put: (path: string) => void): void {
  const path = join(box.storage, 'host.json');
  rmSync(path);
  put(path);
}

test('owner file and host.json of a dead host whose pid is used again do not keep anyone out', async (t) => {
  const box = new Sandbox(t, 'shared');
  await abandoned(box);
  changeOwner(box.storage, { pid: process.pid });
  const stale = { ...recordIn(box.storage), pid: process.pid };
  replaceRecord(box, (path) => writeFileSync(path, JSON.stringify(stale), { mode: 0o600 }));
  await works(box);
});

test('the socket of a dead host is in nobody’s way, and goes', async (t) => {
  const box = new Sandbox(t, 'shared');
  await abandoned(box);
  const { address } = recordIn(box.storage);
  assert.ok(existsSync(address));
  await works(box);
  assert.equal(existsSync(address), false);
});

test('a host.json that names the host of another store leads nobody there', async (t) => {
  const box = new Sandbox(t, 'shared');
  await abandoned(box);
  const env = { ...WITHOUT_MODEL, SUBCONSCIOUS_STORAGE_DIR: join(box.root, 'other') };
  const other = await box.start({ env });
  const foreign = recordIn(env.SUBCONSCIOUS_STORAGE_DIR);
  for (const token of ['0'.repeat(64), foreign.token]) {
    const text = JSON.stringify({ ...foreign, token });
    replaceRecord(box, (path) => writeFileSync(path, text, { mode: 0o600 }));
    const front = await box.start({ env: WITHOUT_MODEL });
    assert.equal((await front.call('recall', { task: ROW.task })).answer, ROW.answer);
    assert.notEqual(recordIn(box.storage).pid, foreign.pid);
    await killHost(box);
  }
  assert.equal((await other.call('stats')).total_entries, 0);
  assert.deepEqual(hostsOf(box), [foreign.pid]);
});

test('a host.json that is none is as good as none', async (t) => {
  const box = new Sandbox(t, 'shared');
  await abandoned(box);
  const target = join(box.root, 'target');
  writeFileSync(target, 'untouched');
  const elsewhere = { ...recordIn(box.storage), address: '/no/such/folder/host.0a1b2c3d.sock' };
  const kinds: ((path: string) => void)[] = [
    (path) => writeFileSync(path, '{"pid":'),
    (path) => writeFileSync(path, JSON.stringify(elsewhere), { mode: 0o600 }),
    (path) => symlinkSync(target, path),
  ];
  for (const kind of kinds) {
    replaceRecord(box, kind);
    await works(box);
    assert.ok(lstatSync(join(box.storage, 'host.json')).isFile());
    await killHost(box);
  }
  assert.equal(readFileSync(target, 'utf8'), 'untouched');
});

test('a folder in the place of host.json is named, and nobody is kept out once it is gone', async (t) => {
  const box = new Sandbox(t, 'shared');
  await abandoned(box);
  replaceRecord(box, (path) => mkdirSync(path));
  const front = await box.start({ env: WITHOUT_MODEL, initialize: false });
  const refusal = await refusedHandshake(front);
  assert.ok(refusal.includes(join(box.storage, 'host.json')), refusal);
  assert.match(refusal, /remove it/);
  assert.deepEqual(hostsOf(box), []);
  rmdirSync(join(box.storage, 'host.json'));
  await front.initialize();
  assert.equal((await front.call('recall', { task: ROW.task })).hit, true);
});

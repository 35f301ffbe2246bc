import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoryError } from '../../src/core/errors.js';
import { Intake } from '../../src/host/intake.js';
import { aSession, aTurn, someTurns } from '../core/episodeFixture.js';
import { until } from '../server/until.js';
import { CaptureRig } from './captureRig.js';

/** Of a hook that writes ever other sessions. */
const session = (sessionId: string) => aSession([aTurn(1)], { sessionId });

function intake(t: TestContext, rig: CaptureRig, beforeWrite: () => void = () => undefined): Intake {
  const { engine, storageDir, log } = rig;
  const storeFailed = () => void (rig.storeFailures += 1);
  const opened = new Intake({ engine, storageDir, log, beforeWrite, storeFailed });
  t.after(() => opened.close());
  return opened;
}

async function inboxIsEmpty(rig: CaptureRig): Promise<void> {
  await until('the inbox is empty', () => readdirSync(rig.inbox).length === 0);
}

test('what hooks have left is taken oldest first, each once, and is gone then', async (t) => {
  const rig = new CaptureRig();
  rig.spool(...['c', 'a', 'b'].map(session));
  ['a', 'b', 'c'].forEach((name, at) => utimesSync(join(rig.inbox, `${name}.json`), at, at));
  intake(t, rig);
  assert.deepEqual(await rig.takes(3), ['a', 'b', 'c']);
  await inboxIsEmpty(rig);
  assert.deepEqual(rig.taken[0], session('a'));
  assert.equal(rig.asked, 3);
  assert.deepEqual(rig.logged, []);
});

test('the first hook may come after the host, and others after it', async (t) => {
  const rig = new CaptureRig();
  intake(t, rig);
  assert.equal(existsSync(rig.inbox), false);
  for (const [at, name] of ['first', 'second', 'third'].entries()) {
    rig.spool(session(name));
    assert.equal((await rig.takes(at + 1)).at(-1), name);
  }
  await inboxIsEmpty(rig);
});

test('an inbox that is deleted and made again is looked after as the one before', async (t) => {
  const rig = new CaptureRig();
  rig.spool(session('before'));
  intake(t, rig);
  await rig.takes(1);
  rmSync(rig.inbox, { recursive: true });
  rig.spool(session('after'));
  assert.deepEqual(await rig.takes(2), ['before', 'after']);
  await inboxIsEmpty(rig);
  assert.deepEqual(rig.logged, []);
});

test('what a hook writes while its older file is taken is taken too', async (t) => {
  const rig = new CaptureRig();
  rig.spool(session('s'));
  let written = false;
  rig.refusal = () => {
    if (!written) rig.spool(aSession(someTurns(1, 2), { sessionId: 's' }));
    written = true;
    return null;
  };
  intake(t, rig);
  await rig.takes(2);
  await inboxIsEmpty(rig);
  assert.deepEqual(
    rig.taken.map(({ turns }) => turns.length),
    [1, 2],
  );
});

test('what memory refuses stays, is said once, and is taken when it no longer refuses', async (t) => {
  const rig = new CaptureRig();
  rig.spool(...['a', 'b'].map(session));
  rig.refusal = () => new Error('no room');
  intake(t, rig);
  await until('it was tried again', () => rig.asked > 2);
  assert.equal(readdirSync(rig.inbox).length, 2);
  assert.equal(rig.logged.length, 1);
  assert.match(rig.logged[0] ?? '', /^ERROR inbox: Error: no room/);
  rig.refusal = null;
  assert.deepEqual((await rig.takes(2)).sort(), ['a', 'b']);
  await inboxIsEmpty(rig);
});

test('that the store cannot write is told to whoever can open it anew, and no other refusal is', async (t) => {
  const rig = new CaptureRig();
  rig.refusal = () => new Error('no room');
  rig.spool(session('a'));
  intake(t, rig);
  await until('it is refused', () => rig.asked > 0 && rig.logged.length > 0);
  assert.equal(rig.storeFailures, 0);
  rig.refusal = () => new MemoryError('storage', 'The write was refused: the disk is full.');
  await until('it is told', () => rig.storeFailures > 0);
  rig.refusal = null;
  assert.deepEqual(await rig.takes(1), ['a']);
});

test('a refusal is not answered by trying again without a pause', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const rig = new CaptureRig();
  rig.spool(session('a'));
  rig.refusal = () => new Error('no room');
  intake(t, rig);
  await until('it was tried', () => rig.asked > 0);
  // The one wait that is meant: that nothing happens is not announced.
  await sleep(200);
  const before = rig.asked;
  assert.ok(before <= 3, `tried ${before} times although no time has passed`);
  t.mock.timers.tick(1000);
  await until('it was tried again a second later', () => rig.asked > before);
});

test('one session that is refused for good does not keep the others out', async (t) => {
  const rig = new CaptureRig();
  rig.spool(...['a', 'b', 'c'].map(session));
  ['b', 'a', 'c'].forEach((name, at) => utimesSync(join(rig.inbox, `${name}.json`), at, at));
  rig.refusal = ({ sessionId }) => (sessionId === 'b' ? new Error('not this one') : null);
  intake(t, rig);
  assert.deepEqual(await rig.takes(2), ['a', 'c']);
  await until('the rest is gone', () => readdirSync(rig.inbox).length === 1);
});

test('what cannot be read is set aside as it is, and the others are taken', async (t) => {
  const rig = new CaptureRig();
  rig.spool(session('good'));
  writeFileSync(join(rig.inbox, 'torn.json'), '{"version":1,');
  mkdirSync(join(rig.inbox, 'folder.json'));
  symlinkSync(join(rig.inbox, 'good.json'), join(rig.inbox, 'link.json'));
  intake(t, rig);
  await rig.takes(1);
  await until('the rest is set aside', () => readdirSync(rig.inbox).join() === 'damaged');
  assert.equal(rig.asked, 1);
  const names = readdirSync(rig.damaged).sort();
  assert.deepEqual(
    names.map((name) => name.replace(/\.[0-9a-f]{16}\./, '.')),
    ['folder.json', 'link.json', 'torn.json'],
  );
  assert.equal(readFileSync(join(rig.damaged, names[2] ?? ''), 'utf8'), '{"version":1,');
  for (const name of names) {
    assert.ok(rig.logged.some((line) => line.startsWith(`WARNING inbox: ${name} was set aside: it is n`)));
  }
});

test('what is no document of the inbox is left alone', async (t) => {
  const rig = new CaptureRig();
  rig.spool(session('good'));
  for (const name of ['notes.txt', '.json.swp', '0123456789abcdef.tmp']) {
    writeFileSync(join(rig.inbox, name), 'mine');
  }
  const old = join(rig.inbox, 'fedcba9876543210.tmp');
  writeFileSync(old, 'a draft of a hook that was killed');
  utimesSync(old, 1, 1);
  intake(t, rig);
  await rig.takes(1);
  await until('the good one is gone', () => !existsSync(join(rig.inbox, 'good.json')));
  await until('three are left', () => readdirSync(rig.inbox).length === 3);
  assert.equal(existsSync(old), false);
});

test('an end waits for the file under way, and leaves the others for the next start', async (t) => {
  const rig = new CaptureRig();
  rig.spool(...['a', 'b', 'c'].map(session));
  const closing: Promise<void>[] = [];
  const first = intake(t, rig);
  rig.refusal = () => {
    closing.push(first.close());
    return null;
  };
  await until('it is told to end', () => closing.length > 0);
  await Promise.all(closing);
  const left = readdirSync(rig.inbox).length;
  assert.ok(left > 0 && left < 3);
  assert.equal(rig.taken.length + left, 3);
  rig.refusal = null;
  intake(t, rig);
  assert.equal(new Set(await rig.takes(3)).size, 3);
});

test('nothing is touched where the directory is no longer ours', async (t) => {
  const rig = new CaptureRig();
  rig.spool(session('a'));
  let looks = 0;
  intake(t, rig, () => {
    looks += 1;
    throw new Error('another directory lies there');
  });
  await until('it was looked at', () => looks > 0);
  assert.deepEqual(readdirSync(rig.inbox), ['a.json']);
  assert.equal(rig.asked, 0);
});

test('a file in the place of the inbox is said, and taken for nothing else', async (t) => {
  const rig = new CaptureRig();
  writeFileSync(rig.inbox, 'no captures, please');
  intake(t, rig);
  await until('it is said', () => rig.logged.length > 0);
  assert.match(rig.logged[0] ?? '', /^ERROR inbox: .*ENOTDIR/);
  assert.equal(readFileSync(rig.inbox, 'utf8'), 'no captures, please');
});

import assert from 'node:assert/strict';
import { cpSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Ownership } from '../../src/host/ownership.js';
import { Presence } from '../../src/host/presence.js';
import { newStore } from './ownedStore.js';

async function present() {
  const store = newStore();
  const { directory } = store;
  const ownership = await store.take(100);
  return { directory, ownership, presence: new Presence(directory, ownership) };
}

/** An owner file of which nothing can be told. */
const untold: Ownership = {
  held: () => Promise.resolve(true),
  vanished: () => false,
  release: () => Promise.resolve(),
};

test('a directory is there as long as nobody touches it, whatever is written in it', async () => {
  const { directory, presence } = await present();
  assert.equal(presence.lost, false);
  writeFileSync(join(directory, 'memory.db'), 'content');
  assert.equal(presence.lost, false);
  const { dev, ino } = statSync(directory, { bigint: true });
  assert.equal(presence.identity, `${dev}:${ino}`);
});

test('a directory that was deleted is lost', async () => {
  const { directory, presence } = await present();
  rmSync(directory, { recursive: true });
  assert.equal(presence.lost, true);
  writeFileSync(directory, 'a file');
  assert.equal(presence.lost, true);
});

test('a directory that is emptied is lost with its owner file', async () => {
  const { directory, presence } = await present();
  rmSync(join(directory, 'owner.1'));
  assert.equal(presence.lost, true);
});

test('a directory is lost when a copy of it, with its owner file, takes its place', async () => {
  const { directory, presence } = await present();
  const before = presence.identity;
  renameSync(directory, `${directory}.old`);
  assert.equal(presence.lost, true);
  cpSync(`${directory}.old`, directory, { recursive: true });
  assert.equal(presence.lost, true);
  assert.equal(presence.identity, before);
  rmSync(directory, { recursive: true });
  renameSync(`${directory}.old`, directory);
  assert.equal(presence.lost, false);
});

test('an owner that has left is not lost: its file stays', async () => {
  const { ownership, presence } = await present();
  await ownership.release();
  assert.equal(presence.lost, false);
});

test('a look that fails says nothing', async () => {
  const nowhere = join(newStore().directory, 'x'.repeat(100_000));
  const presence = new Presence(nowhere, untold);
  assert.deepEqual([presence.lost, presence.identity], [false, null]);

  if (process.platform === 'win32') return;
  const { directory, presence: seen } = await present();
  renameSync(directory, `${directory}.old`);
  symlinkSync(directory, directory); // Leads to itself: the system gives up.
  assert.equal(seen.lost, false);
  rmSync(directory);
  renameSync(`${directory}.old`, directory);
  assert.equal(seen.lost, false);
});

test('a directory that was gone from the beginning is lost', () => {
  const presence = new Presence(join(newStore().directory, 'missing'), untold);
  assert.equal(presence.lost, true);
});

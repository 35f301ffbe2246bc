import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { createLock, removeStale, withLock } from '../../src/clients/fileLock.js';
import { Place } from './place.js';

const seconds = () => Date.now() / 1000;

function locked(place: Place) {
  const file = place.write('content');
  return { file, lock: `${file}.subconscious.lock` };
}

test('what is done under the lock of one file is done one after the other', async (t) => {
  const { file, lock } = locked(new Place(t));
  let inside = 0;
  const results = await Promise.all(
    [1, 2, 3, 4].map((number) =>
      withLock(file, async () => {
        inside += 1;
        assert.equal(inside, 1);
        assert.match(readFileSync(lock, 'utf8'), new RegExp(`"pid":${process.pid}\\b`));
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        return number;
      }),
    ),
  );
  assert.deepEqual(results, [1, 2, 3, 4]);
  assert.equal(existsSync(lock), false);
});

test('a lock that could not be written is not left behind', async (t) => {
  const { file, lock } = locked(new Place(t));
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  await assert.rejects(
    createLock(lock, 'claim', () => Promise.reject(full)),
    full,
  );
  assert.equal(existsSync(lock), false);
  assert.equal(await withLock(file, () => Promise.resolve('done')), 'done');
});

test('a failure lets go of the lock and is passed on', async (t) => {
  const { file, lock } = locked(new Place(t));
  await assert.rejects(
    withLock(file, () => Promise.reject(new Error('no'))),
    /^Error: no$/,
  );
  assert.equal(existsSync(lock), false);
});

test('the lock of a dead process, and one older than a minute, is taken over', async (t) => {
  const { file, lock } = locked(new Place(t));
  const { pid } = spawnSync(process.execPath, ['--version']);
  for (const [claim, age] of [
    // Its time is of no account, be it that of a clock which was set back.
    [`{"pid":${pid},"claim":"x"}`, -3600],
    [`{"pid":${process.pid},"claim":"x"}`, 61],
    ['', 61],
  ] as const) {
    writeFileSync(lock, claim);
    utimesSync(lock, seconds() - age, seconds() - age);
    assert.equal(await withLock(file, () => Promise.resolve('done')), 'done');
    assert.equal(existsSync(lock), false);
  }
});

test('a lock whose process was killed before it wrote its name is taken over after some seconds', async (t) => {
  const place = new Place(t);
  const { file, lock } = locked(place);
  writeFileSync(lock, '');
  assert.equal(removeStale(lock), false);
  assert.deepEqual(place.beside(file), ['settings.json', 'settings.json.subconscious.lock']);
  utimesSync(lock, seconds() - 6, seconds() - 6);
  assert.equal(await withLock(file, () => Promise.resolve('done')), 'done');
  assert.equal(existsSync(lock), false);
});

test('a lock that somebody holds is waited for', async (t) => {
  const { file, lock } = locked(new Place(t));
  writeFileSync(lock, `{"pid":${process.pid},"claim":"x"}`);
  let mine = false;
  const done = withLock(file, () => Promise.resolve((mine = true)));
  // A whole turn of another lock later it still waits.
  await withLock(`${file}2`, () => Promise.resolve());
  assert.equal(mine, false);
  rmSync(lock);
  await done;
  assert.ok(mine);
});

test('a lock that was taken over meanwhile is not removed', async (t) => {
  const { file, lock } = locked(new Place(t));
  await withLock(file, () => {
    writeFileSync(lock, 'theirs');
    return Promise.resolve();
  });
  assert.equal(readFileSync(lock, 'utf8'), 'theirs');
});

test('a stale lock is taken over by one at a time, however many find it', async (t) => {
  const { file, lock } = locked(new Place(t));
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(lock, `{"pid":${pid},"claim":"x"}`);
  let inside = 0;
  const enter = async () => {
    inside += 1;
    assert.equal(inside, 1);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 12 }, () => withLock(file, enter)));
  assert.equal(existsSync(lock), false);
});

test('a fresh lock that has taken the place of a stale one is put back as it was', (t) => {
  const place = new Place(t);
  const { file, lock } = locked(place);
  const claim = `{"pid":${process.pid},"claim":"theirs"}`;
  writeFileSync(lock, claim);
  assert.equal(removeStale(lock), false);
  assert.equal(readFileSync(lock, 'utf8'), claim);
  assert.deepEqual(place.beside(file), ['settings.json', 'settings.json.subconscious.lock']);
  utimesSync(lock, seconds() - 61, seconds() - 61);
  assert.equal(removeStale(lock), true);
  assert.equal(removeStale(lock), false);
  assert.deepEqual(place.beside(file), ['settings.json']);
});

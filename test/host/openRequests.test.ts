import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenRequests } from '../../src/host/openRequests.js';

const MIB = 1024 * 1024;

/** Work on so many requests of this size, with the ids from 0 on. */
function workOn(count: number, size: number): OpenRequests {
  const work = new OpenRequests();
  for (let id = 0; id < count; id += 1) work.begin(id, size);
  return work;
}

test('up to 8 MiB are worked on, whatever their number', () => {
  const work = workOn(2, 4 * MIB);
  assert.equal(work.full, false);
  work.begin('more', 1);
  assert.equal(work.full, true);
  work.done('more');
  assert.equal(work.full, false);
});

test('up to a thousand requests are worked on, however small', () => {
  const work = workOn(1000, 0);
  assert.equal(work.full, false);
  work.begin('more', 0);
  assert.equal(work.full, true);
  work.done(0);
  assert.equal(work.full, false);
});

test('what was done already, or never begun, changes nothing', () => {
  const work = workOn(2, 4 * MIB);
  work.done(0);
  for (const id of [0, '1', 'unknown', undefined]) work.done(id);
  work.begin('more', 4 * MIB);
  assert.equal(work.full, false);
  work.begin('one', 1);
  assert.equal(work.full, true);
});

test('1 and "1" are different requests', () => {
  const work = workOn(0, 0);
  work.begin(1, 4 * MIB);
  work.begin('1', 4 * MIB + 1);
  assert.equal(work.full, true);
});

test('an id that is in use counts with its last request', () => {
  const work = workOn(0, 0);
  work.begin(1, 8 * MIB);
  work.begin(1, MIB);
  work.begin(2, 7 * MIB);
  assert.equal(work.full, false);
  work.done(1);
  work.done(2);
  work.begin(3, 8 * MIB);
  assert.equal(work.full, false);
});

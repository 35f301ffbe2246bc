import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patiently } from '../../src/link/busyFiles.js';

/** Fails so many times with a code of the system, and counts how often it was tried. */
function failing(times: number, code: string) {
  const tried = { times: 0 };
  const act = () => {
    tried.times += 1;
    if (tried.times > times) return Promise.resolve();
    return Promise.reject(Object.assign(new Error('in use'), { code }));
  };
  return { tried, act };
}

test('what succeeds is done once', async () => {
  const { tried, act } = failing(0, '');
  await patiently(act);
  assert.equal(tried.times, 1);
});

test('a file that is open elsewhere is tried again until it is free', async () => {
  for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
    const { tried, act } = failing(3, code);
    await patiently(act);
    assert.equal(tried.times, 4);
  }
});

test('one that stays open is given up in the end, with the error of the system', async () => {
  const { tried, act } = failing(1000, 'EBUSY');
  await assert.rejects(patiently(act), { code: 'EBUSY' });
  assert.equal(tried.times, 20);
});

test('any other failure is told at once', async () => {
  for (const code of ['ENOENT', 'ENOSPC', '']) {
    const { tried, act } = failing(1000, code);
    await assert.rejects(patiently(act), { code });
    assert.equal(tried.times, 1);
  }
});

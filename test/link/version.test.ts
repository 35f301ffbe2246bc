import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNewer } from '../../src/link/version.js';

/** From semver.org and around it, oldest first. */
const ORDER = [
  '0.1.0',
  '0.1.9',
  '0.1.10',
  '0.2.0',
  '1.0.0-1',
  '1.0.0-2',
  '1.0.0-10',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1',
  '1.10.0',
  '10.0.0',
];

test('versions are ordered as semver.org says', () => {
  for (const [at, a] of ORDER.entries()) {
    for (const [other, b] of ORDER.entries()) assert.equal(isNewer(a, b), at > other, `${a} after ${b}`);
  }
});

test('the build does not count', () => {
  assert.equal(isNewer('1.0.0+2', '1.0.0+1'), false);
  assert.equal(isNewer('1.0.1+1', '1.0.0+2'), true);
  assert.equal(isNewer('1.0.0+1', '1.0.0-rc.1+2'), true);
});

test('what is no version is never newer, nor is anything newer than it', () => {
  for (const garbage of [
    '',
    '1',
    '1.0',
    'v9.9.9',
    '9.9.9.9',
    '9.9.x',
    ' 9.9.9',
    '9.9.9-',
    '-1.0.0',
    'newest',
  ]) {
    assert.equal(isNewer(garbage, '0.0.1'), false, garbage);
    assert.equal(isNewer('0.0.1', garbage), false, garbage);
  }
});

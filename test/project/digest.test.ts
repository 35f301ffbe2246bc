import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint, sha256 } from '../../src/project/digest.js';

test('a SHA-256 is that of the UTF-8 bytes', () => {
  assert.equal(sha256('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.notEqual(sha256('é'), sha256('e'));
});

test('a fingerprint is 16 hex digits, forwards as the test vectors of FNV-1a have it', () => {
  assert.equal(fingerprint(''), '811c9dc5811c9dc5');
  assert.equal(fingerprint('a'), 'e40c292ce40c292c');
  assert.equal(fingerprint('foobar').slice(0, 8), 'bf9cf968');
  assert.match(fingerprint('店'), /^[0-9a-f]{16}$/);
});

test('texts that differ little have fingerprints of their own', () => {
  const texts = Array.from({ length: 20_000 }, (_, n) => `path:/srv/${n % 7}/project-${n}`);
  assert.equal(new Set(texts.map(fingerprint)).size, texts.length);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sanitizeNamespace } from '../../src/config/namespace.js';

test('a namespace is folded as existing stores expect', () => {
  const cases: [string, string][] = [
    ['Team', 'team'],
    ['my project!', 'my-project'],
    ['a  b', 'a--b'],
    ['café', 'caf'],
    ['a😀b', 'a-b'],
    ['_x-', 'x'],
    ['snake_case', 'snake_case'],
    ['---', ''],
    ['', ''],
    ['経理', ''],
    ['Default', 'default'],
    ['a'.repeat(70), 'a'.repeat(64)],
    [`${'a'.repeat(63)}-b`, 'a'.repeat(63)],
  ];
  for (const [from, to] of cases) assert.equal(sanitizeNamespace(from), to, JSON.stringify(from));
});

test('any text gives a name of allowed characters that stays as it is when folded again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
      const name = sanitizeNamespace(text);
      assert.match(name, /^([a-z0-9]([a-z0-9_-]{0,62}[a-z0-9])?)?$/);
      assert.equal(sanitizeNamespace(name), name);
    }),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonFault } from '../../src/config/jsonFault.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

for (const [what, text, at] of [
  ['nothing', '', 0],
  ['an object that is not ended', '{"a": 1', 7],
  ['a comma at the end of an object', '{"a": 1, }', 9],
  ['a comma at the end of a list', '[1, 2,]', 6],
  ['a comment', '{ // mine\n}', 2],
  ['a name without quotes', '{a: 1}', 1],
  ['a name without a value', '{"a"}', 4],
  ['a value without a comma before it', '{"a": 1 "b": 2}', 8],
  ['two values', '{} {}', 3],
  ['a number that begins with 0', '[01]', 2],
  ['a line end within a string', '["a\nb"]', 1],
  ['an escape that is none', '["a", "\\x"]', 6],
] as const) {
  test(`of ${what} the place is told`, () => assert.equal(jsonFault(text), at));
}

test('it has a fault to tell exactly where the engine finds one', () => {
  const pieces = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"', '\\', ' ', '\n', '\u007f'],
    '"a"',
    '"\\u00e9"',
    '-0.5e+3',
    '01',
    'true',
    'null',
    'x',
    '\u0001',
  );
  const near = fc.array(pieces, { maxLength: 12 }).map((list) => list.join(''));
  fc.assert(
    fc.property(fc.oneof(near, fc.json()), (text) => {
      assert.equal(jsonFault(text) === null, isJson(text), text);
    }),
    { numRuns: 500 },
  );
});

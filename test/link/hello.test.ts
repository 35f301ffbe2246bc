import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostWord, SCHEMA } from '../../src/link/hello.js';
import { MIGRATIONS } from '../../src/storage/schema.js';

test('fronts and hosts tell each other the schema that the store has', () => {
  assert.equal(SCHEMA, MIGRATIONS.length);
});

test('the words of a host are known, with whatever newer versions add to them', () => {
  const words = [
    { subconscious: 'welcome', version: '1.0.0', pid: 7 },
    { subconscious: 'refused', why: 'store', message: 'no', yours: false, more: 1 },
    { subconscious: 'retiring' },
  ];
  for (const word of words) assert.deepEqual(hostWord(word), word);
});

test('anything else is no word of a host', () => {
  const others = [null, 'retiring', 5, [], {}, { subconscious: 'hello' }, { subconscious: 1 }, { id: 1 }];
  for (const other of others) assert.equal(hostWord(other), null, JSON.stringify(other));
});

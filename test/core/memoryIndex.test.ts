import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/core/memory.js';
import { MemoryIndex } from '../../src/core/memoryIndex.js';
import { aMemory } from './fixture.js';

const EVERYWHERE = { projects: null };
const VECTOR = Float32Array.of(1, 0);

/** An index of one row. */
function holding(memory: Memory): MemoryIndex {
  const index = new MemoryIndex(2);
  index.add(aMemory({ id: 'other', task: 'bystander', answer: 'bystander' }), Float32Array.of(0, 1));
  index.add(memory, VECTOR);
  return index;
}

const idsOf = (index: MemoryIndex, query: string) =>
  index.byWords(query, 10, EVERYWHERE).map(({ slot }) => index.at(slot)?.id);

describe('a row that is replaced by one with another answer', () => {
  const old = aMemory({ task: 'feed the zebra', answer: 'clover and hay' });
  const next = { ...old, answer: 'hay and apples', tags: ['new'], storedAt: old.storedAt + 1 };

  it('is found by the words it has now, and no longer by those it had', () => {
    const index = holding(old);
    index.replace(old, next);
    for (const word of ['zebra', 'hay', 'apples']) assert.deepEqual(idsOf(index, word), ['row'], word);
    assert.deepEqual(idsOf(index, 'clover'), []);
    index.remove(next);
    for (const word of ['zebra', 'hay', 'apples']) assert.deepEqual(idsOf(index, word), [], word);
    assert.deepEqual(idsOf(index, 'bystander'), ['other']);
  });

  it('keeps its place and its vector, and takes over the rest', () => {
    const index = holding(old);
    const slot = index.row('row')?.slot;
    index.replace(old, next);
    const row = index.row('row');
    assert.deepEqual([row?.slot, row?.tags, row?.storedAt], [slot, ['new'], next.storedAt]);
    assert.deepEqual(
      index.nearest(VECTOR, 1, EVERYWHERE).map((near) => near.slot),
      [slot],
    );
    assert.equal(index.pending, 0);
    assert.equal(index.identical('Feed  the zebra', EVERYWHERE)[0]?.storedAt, next.storedAt);
  });
});

describe('a row that is replaced by one with another task', () => {
  const old = aMemory({ task: 'feed the zebra', answer: 'clover' });
  const next = { ...old, task: 'feed the okapi' };

  it('waits for another vector, and is found by its new task alone', () => {
    const index = holding(old);
    index.replace(old, next);
    assert.deepEqual(
      index.withoutVector(10, () => false),
      ['row'],
    );
    assert.equal(index.cosine(index.row('row')?.slot ?? -1, VECTOR), undefined);
    assert.deepEqual(idsOf(index, 'zebra'), []);
    for (const word of ['okapi', 'clover']) assert.deepEqual(idsOf(index, word), ['row'], word);
    assert.deepEqual(index.identical(old.task, EVERYWHERE), []);
    assert.equal(index.identical(next.task, EVERYWHERE).length, 1);
    assert.equal(index.count(null), 2);
  });
});

describe('a row that is not there', () => {
  it('is not made by being replaced', () => {
    const index = holding(aMemory());
    const stranger = aMemory({ id: 'stranger', task: 'a', answer: 'zebra' });
    index.replace(stranger, { ...stranger, answer: 'okapi' });
    index.replace(stranger, { ...stranger, task: 'okapi' });
    assert.equal(index.count(null), 2);
    assert.deepEqual(idsOf(index, 'okapi zebra'), []);
  });
});

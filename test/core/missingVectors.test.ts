import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryIndex } from '../../src/core/memoryIndex.js';
import { aMemory } from './fixture.js';

const VECTOR = new Float32Array([1, 0]);
const none = () => false;

/** An index of rows named by number, none of which has a vector. */
function indexOf(count: number): MemoryIndex {
  const index = new MemoryIndex(VECTOR.length);
  for (let at = 0; at < count; at += 1) index.add(aMemory({ id: `row ${at}`, task: `task ${at}` }), null);
  return index;
}

describe('rows without a vector are listed', () => {
  it('in the order they were stored, so many at a time', () => {
    const index = indexOf(5);
    assert.deepEqual(index.withoutVector(3, none), ['row 0', 'row 1', 'row 2']);
    assert.deepEqual(index.withoutVector(9, none), ['row 0', 'row 1', 'row 2', 'row 3', 'row 4']);
  });

  it('until they get one, are removed, or are to be left out', () => {
    const index = indexOf(6);
    index.setVector('row 0', VECTOR);
    index.remove(aMemory({ id: 'row 2', task: 'task 2' }));
    assert.equal(index.pending, 4);
    assert.deepEqual(
      index.withoutVector(2, (id) => id === 'row 3'),
      ['row 1', 'row 4'],
    );
    index.add(aMemory({ id: 'row 2', task: 'task 2' }), null);
    assert.deepEqual(index.withoutVector(9, none), ['row 1', 'row 3', 'row 4', 'row 5', 'row 2']);
  });

  it('where theirs is of another length, and not where they had one before', () => {
    const index = indexOf(2);
    index.setVector('row 0', new Float32Array(3));
    index.setVector('row 1', VECTOR);
    index.setVector('row 1', new Float32Array(3));
    assert.deepEqual(index.withoutVector(9, none), ['row 0']);
    assert.equal(index.pending, 1);
  });
});

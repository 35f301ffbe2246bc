import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MOST_OCCURRENCES, Postings } from '../../src/search/postings.js';
import type { PostingList } from '../../src/search/postings.js';

function read(postings: Postings, list: PostingList): [number, number][] {
  const pairs: [number, number][] = [];
  for (let at = list.start; at < list.start + list.used; at += 1) {
    const count = postings.counts[at] ?? 0;
    if (count > 0) pairs.push([postings.slots[at] ?? -1, count]);
  }
  return pairs;
}

test('several lists in one storage each stay sorted and complete under random changes', () => {
  const change = fc.record({ list: fc.nat(2), slot: fc.nat(60), count: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
      const postings = new Postings();
      const lists = [postings.create(), postings.create(), postings.create()];
      const oracles = lists.map(() => new Map<number, number>());
      for (const { list: which, slot, count } of changes) {
        const list = lists[which];
        const oracle = oracles[which];
        assert.ok(list && oracle);
        if (count === 0) {
          postings.remove(list, slot);
          oracle.delete(slot);
        } else {
          postings.put(list, slot, count);
          oracle.set(slot, count);
        }
      }
      lists.forEach((list, i) => {
        const expected = [...(oracles[i] ?? [])].sort(([a], [b]) => a - b);
        assert.deepEqual(read(postings, list), expected);
        assert.equal(list.live, expected.length);
      });
    }),
  );
});

test('storage of released lists and of removed postings is used again', () => {
  const postings = new Postings();
  const before = postings.slots.length;
  for (let round = 0; round < 2000; round += 1) {
    const list = postings.create();
    for (let slot = 0; slot < 20; slot += 1) postings.put(list, slot, 1);
    postings.release(list);
  }
  const sliding = postings.create();
  for (let slot = 0; slot < 20_000; slot += 1) {
    postings.put(sliding, slot, 1);
    if (slot >= 10) postings.remove(sliding, slot - 10);
  }
  assert.equal(postings.slots.length, before);
});

test('takes less than 10 bytes a posting once there are many', () => {
  const postings = new Postings();
  let count = 0;
  for (let term = 1; term <= 2000; term += 1) {
    const list = postings.create();
    for (let slot = 0; slot < 20_000 / term; slot += 1, count += 1) postings.put(list, slot, 1);
  }
  const bytes = postings.slots.byteLength + postings.counts.byteLength;
  assert.ok(bytes / count < 10, `${bytes / count} bytes`);
});

test('a count beyond two bytes is kept as the highest one', () => {
  const postings = new Postings();
  const list = postings.create();
  postings.put(list, 5, MOST_OCCURRENCES + 10);
  assert.deepEqual(read(postings, list), [[5, MOST_OCCURRENCES]]);
});

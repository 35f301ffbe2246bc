import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fuse } from '../../src/search/fusion.js';
import type { Ranked } from '../../src/search/ranked.js';

const list = (...pairs: [number, number][]): Ranked[] => pairs.map(([slot, score]) => ({ slot, score }));
const slots = (ranked: readonly Ranked[]): number[] => ranked.map(({ slot }) => slot);
const rankedList = fc
  .uniqueArray(fc.record({ slot: fc.nat(30), score: fc.double({ min: 0.001, max: 20, noNaN: true }) }), {
    selector: ({ slot }) => slot,
  })
  .map((ranked) => ranked.sort((a, b) => b.score - a.score || b.slot - a.slot));

test('what both lists rank high beats what only one does', () => {
  const dense = list([1, 0.9], [2, 0.85], [3, 0.3]);
  const words = list([4, 10], [2, 9], [3, 1]);
  assert.equal(slots(fuse(dense, words, 10, { query: 'plain words' }))[0], 2);
});

test('one list alone keeps its order', () => {
  fc.assert(
    fc.property(rankedList, (ranked) => {
      assert.deepEqual(slots(fuse(ranked, [], 100)), slots(ranked));
      assert.deepEqual(slots(fuse([], ranked, 100)), slots(ranked));
    }),
  );
});

test('every slot of either list comes out once, best first, with a score from 0 to 1', () => {
  fc.assert(
    fc.property(rankedList, rankedList, fc.nat(70), (dense, words, limit) => {
      const fused = fuse(dense, words, limit);
      const all = new Set([...slots(dense), ...slots(words)]);
      assert.equal(fused.length, Math.min(limit, all.size));
      assert.equal(new Set(slots(fused)).size, fused.length);
      fused.forEach(({ slot, score }, i) => {
        assert.ok(all.has(slot) && score >= 0 && score <= 1 + 1e-9);
        assert.ok(score <= (fused[i - 1]?.score ?? Infinity));
      });
    }),
  );
});

test('words decide for a query that is not in Latin script, vectors only order the rest', () => {
  const dense = list([1, 0.9], [3, 0.8], [2, 0.1]);
  const words = list([2, 10], [4, 9]);
  assert.deepEqual(slots(fuse(dense, words, 10, { query: '文字化けの直し方' })), [2, 4, 1, 3]);
});

test('a match by words that the cut-off list of vectors lacks counts as near as its last', () => {
  const dense = list([1, 0.5], [2, 0.4]);
  const words = list([3, 10], [1, 1]);
  assert.equal(slots(fuse(dense, words, 10, { query: 'words' }))[0], 3);
});

test('cosines of 0 and below keep their order', () => {
  assert.deepEqual(slots(fuse(list([1, 0], [2, -0.1]), [], 5)), [1, 2]);
  assert.deepEqual(slots(fuse(list([1, -0.1], [2, -0.2]), [], 5)), [1, 2]);
});

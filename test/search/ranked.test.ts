import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TopRanked } from '../../src/search/ranked.js';

const offers = fc.array(
  fc.tuple(fc.nat(40), fc.integer({ min: -3, max: 3 })).map(([slot, score]) => ({ slot, score })),
  {
    maxLength: 60,
  },
);

test('keeps what a full sort would put first, newer before older at equal scores', () => {
  fc.assert(
    fc.property(offers, fc.nat(70), (all, limit) => {
      const best = new TopRanked(limit, all.length);
      for (const { slot, score } of all) best.offer(slot, score);
      const sorted = [...all].sort((a, b) => b.score - a.score || b.slot - a.slot);
      assert.deepEqual(best.take(), sorted.slice(0, limit));
    }),
  );
});

test('asks for acceptance only where the score is good enough', () => {
  const asked: number[] = [];
  const best = new TopRanked(1, 10);
  for (const [slot, score] of [
    [0, 0.5],
    [1, 0.4],
    [2, 0.6],
  ] as const) {
    best.offer(slot, score, (candidate) => {
      asked.push(candidate);
      return true;
    });
  }
  assert.deepEqual(asked, [0, 2]);
});

test('takes nothing at a limit that is not positive and everything at an endless one', () => {
  for (const limit of [0, -1, Number.NaN]) {
    const best = new TopRanked(limit, 5);
    best.offer(1, 1);
    assert.deepEqual(best.take(), []);
  }
  const all = new TopRanked(Infinity, 2);
  all.offer(1, 1);
  all.offer(2, 2);
  assert.deepEqual(
    all.take().map(({ slot }) => slot),
    [2, 1],
  );
});

test('never takes a score that is not a number', () => {
  const best = new TopRanked(3, 3);
  best.offer(1, Number.NaN);
  best.offer(2, -1);
  assert.deepEqual(best.take(), [{ slot: 2, score: -1 }]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { VectorMatrix } from '../../src/search/vectorMatrix.js';

// Eighths: every sum is exact, so the slow oracle agrees to the last bit and ties are ties.
const component = fc.integer({ min: -8, max: 8 }).map((n) => n / 8);

function slowDot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

test('agrees with a plain map under random changes, filters and limits', () => {
  const scenario = fc.integer({ min: 1, max: 9 }).chain((dimension) => {
    const vector = fc
      .array(component, { minLength: dimension, maxLength: dimension })
      .map((v) => new Float32Array(v));
    return fc.record({
      dimension: fc.constant(dimension),
      changes: fc.array(fc.record({ slot: fc.nat(90), values: fc.option(vector) }), { maxLength: 200 }),
      query: vector,
      limit: fc.nat(100),
      modulus: fc.integer({ min: 1, max: 4 }),
    });
  });
  fc.assert(
    fc.property(scenario, ({ dimension, changes, query, limit, modulus }) => {
      const matrix = new VectorMatrix(dimension);
      const oracle = new Map<number, Float32Array>();
      for (const { slot, values } of changes) {
        if (values === null) {
          matrix.delete(slot);
          oracle.delete(slot);
        } else {
          matrix.set(slot, values);
          oracle.set(slot, values);
        }
      }
      const accept = (slot: number): boolean => slot % modulus === 0;
      const expected = [...oracle]
        .map(([slot, values]) => ({ slot, score: slowDot(values, query) }))
        .sort((a, b) => b.score - a.score || b.slot - a.slot);
      assert.equal(matrix.size, oracle.size);
      assert.deepEqual(
        matrix.nearest(query, limit, accept).map(({ slot, score }) => ({ slot, score: score + 0 })),
        expected
          .filter(({ slot }) => accept(slot))
          .slice(0, limit)
          .map(({ slot, score }) => ({ slot, score: score + 0 })),
      );
      for (let slot = 0; slot <= 91; slot += 1) {
        const values = oracle.get(slot);
        assert.equal(matrix.has(slot), values !== undefined);
        const similarity = matrix.similarity(slot, query);
        assert.equal(
          similarity === undefined ? undefined : similarity + 0,
          values && slowDot(values, query) + 0,
        );
      }
    }),
  );
});

test('scores are those of a float64 dot product', () => {
  const unit = fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 384, maxLength: 384 })
    .map((values) => new Float32Array(values.map((value) => value / (Math.hypot(...values) || 1))));
  fc.assert(
    fc.property(unit, unit, (a, b) => {
      const matrix = new VectorMatrix(384);
      matrix.set(0, a);
      const score = matrix.nearest(b, 1)[0]?.score ?? Number.NaN;
      assert.ok(Math.abs(score - slowDot(a, b)) < 1e-6);
    }),
    { numRuns: 20 },
  );
});

test('500 nearer rows that are refused do not hide an accepted one', () => {
  const matrix = new VectorMatrix(2);
  matrix.set(0, new Float32Array([0.6, 0.8]));
  for (let slot = 1; slot <= 500; slot += 1) matrix.set(slot, new Float32Array([1, 0]));
  const found = matrix.nearest(new Float32Array([1, 0]), 1, (slot) => slot === 0);
  assert.deepEqual(
    found.map(({ slot }) => slot),
    [0],
  );
});

test('of equal vectors the newer comes first, and zero vectors score 0', () => {
  const matrix = new VectorMatrix(3);
  for (const slot of [4, 9, 7]) matrix.set(slot, new Float32Array([0, 1, 0]));
  matrix.set(12, new Float32Array(3));
  assert.deepEqual(matrix.nearest(new Float32Array([0, 1, 0]), 10), [
    { slot: 9, score: 1 },
    { slot: 7, score: 1 },
    { slot: 4, score: 1 },
    { slot: 12, score: 0 },
  ]);
});

test('keeps its own copy of a vector', () => {
  const matrix = new VectorMatrix(2);
  const values = new Float32Array([1, 0]);
  matrix.set(3, values);
  values.fill(0);
  assert.equal(matrix.similarity(3, new Float32Array([1, 0])), 1);
});

test('refuses vectors of another dimension and slots that are none, and stays as it was', () => {
  const matrix = new VectorMatrix(2);
  const three = new Float32Array(3);
  assert.throws(() => matrix.set(0, three), RangeError);
  assert.throws(() => matrix.nearest(three, 1), RangeError);
  assert.throws(() => matrix.similarity(0, three), RangeError);
  for (const slot of [-1, 0.5, Number.NaN]) {
    assert.throws(() => matrix.set(slot, new Float32Array(2)), RangeError);
    assert.equal(matrix.has(slot), false);
  }
  assert.throws(() => new VectorMatrix(0), RangeError);
  assert.equal(matrix.size, 0);
});

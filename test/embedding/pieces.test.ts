import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  combine,
  excerpt,
  MAX_CHARS,
  MAX_PIECES,
  normalize,
  PIECE_TOKENS,
  splitPieces,
} from '../../src/embedding/pieces.js';

const ids = (count: number) => Array.from({ length: count }, (_, index) => index);

test('a text that fits is left alone', () => {
  const text = 'a'.repeat(MAX_CHARS);
  assert.equal(excerpt(text), text);
});

test('a huge text is cut to the limit and keeps its start and its end', () => {
  const cut = excerpt(`START${'x'.repeat(4 << 20)}END`);
  assert.ok(cut.length <= MAX_CHARS);
  assert.ok(cut.startsWith('START'));
  assert.ok(cut.endsWith('END'));
  assert.equal(excerpt(cut), cut, 'a second cut takes nothing more');
});

test('a huge text keeps something of its middle', () => {
  const part = 'x'.repeat(1 << 20);
  assert.ok(excerpt(`${part}${'m'.repeat(1 << 20)}${part}`).includes('m'.repeat(1000)));
});

test('no tokens make one empty piece', () => {
  assert.deepEqual(splitPieces([]), [[]]);
});

test('tokens are cut into consecutive pieces without loss up to the limit', () => {
  for (const count of [1, PIECE_TOKENS, PIECE_TOKENS + 1, PIECE_TOKENS * MAX_PIECES]) {
    const pieces = splitPieces(ids(count));
    assert.deepEqual(pieces.flat(), ids(count));
    assert.ok(pieces.every((piece) => piece.length > 0 && piece.length <= PIECE_TOKENS));
  }
});

test('past the limit the pieces are full and reach from the first token to the last', () => {
  const count = PIECE_TOKENS * MAX_PIECES + 1;
  const pieces = splitPieces(ids(count));
  assert.equal(pieces.length, MAX_PIECES);
  assert.ok(pieces.every((piece) => piece.length === PIECE_TOKENS));
  assert.equal(pieces.at(0)?.at(0), 0);
  assert.equal(pieces.at(-1)?.at(-1), count - 1);
});

test('combined vectors are unit vectors that lean to the longer piece', () => {
  const [x, y] = [new Float32Array([1, 0]), new Float32Array([0, 1])];
  const combined = combine([x, y], [3, 4]);
  assert.ok(Math.abs((combined[0] ?? 0) - 0.6) < 1e-6);
  assert.ok(Math.abs((combined[1] ?? 0) - 0.8) < 1e-6);
});

test('a zero vector stays zero instead of becoming NaN', () => {
  assert.deepEqual(normalize(new Float32Array(2)), new Float32Array(2));
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Restarts } from '../../src/extension/restarts.js';

const MINUTE = 60_000;
const START = 1_900_000_000_000;

/** What is said about ends at these times, in milliseconds after a start. */
function answers(times: readonly number[], restarts = new Restarts()): boolean[] {
  return times.map((time) => restarts.mayRestart(START + time));
}

describe('a server that ends by itself', () => {
  it('is started again three times within a minute, not more', () => {
    assert.deepEqual(answers([0, 1, 2, 3, 4]), [true, true, true, false, false]);
    assert.deepEqual(answers([0, 0, 0, 0]), [true, true, true, false]);
  });

  it('is started again as often as it ends where a minute holds no more than three ends', () => {
    const everyTwentySeconds = Array.from({ length: 50 }, (_, index) => index * (MINUTE / 3));
    assert.ok(answers(everyTwentySeconds).every((may) => may));
  });

  it('counts an end for one minute', () => {
    assert.deepEqual(answers([0, 1, 2, MINUTE - 1]), [true, true, true, false]);
    assert.deepEqual(answers([0, 1, 2, MINUTE]), [true, true, true, true]);
  });

  it('counts the ends that were not followed by a start, too: trouble must not become a slow loop', () => {
    const times = [0, 0, 0, MINUTE / 2, MINUTE, MINUTE + 1, MINUTE + 2];
    assert.deepEqual(answers(times), [true, true, true, false, true, true, false]);
  });

  it('may end as often again once the user has asked for it', () => {
    const restarts = new Restarts();
    assert.deepEqual(answers([0, 0, 0, 0], restarts), [true, true, true, false]);
    restarts.forget();
    assert.deepEqual(answers([0, 0, 0, 0], restarts), [true, true, true, false]);
  });

  it('is not kept from starting by ends that a clock set back put into the future', () => {
    const restarts = new Restarts();
    answers([10 * MINUTE, 10 * MINUTE, 10 * MINUTE], restarts);
    assert.deepEqual(answers([0, 0, 0, 0], restarts), [true, true, true, false]);
  });
});

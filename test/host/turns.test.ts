import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from '../../src/host/turns.js';

test('callers get their turns in order, and timers get a word in between', async () => {
  const turn = createTurns();
  const order: (number | 'timer')[] = [];
  setTimeout(() => order.push('timer'), 1);
  const callers = Array.from({ length: 20_000 }, (_, n) => turn().then(() => order.push(n)));
  await Promise.all(callers);
  const at = order.indexOf('timer');
  assert.ok(at >= 0 && at < callers.length, `the timer came at ${at}`);
  const numbers = order.filter((entry) => entry !== 'timer');
  assert.deepEqual(numbers, [...numbers.keys()]);
});

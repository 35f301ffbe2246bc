import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from '../../src/host/turns.js';
import { until } from '../server/until.js';

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

test('in each turn is waited for what has to be ready, in order', async () => {
  let ready: () => void = () => undefined;
  let waits = 0;
  const turn = createTurns(() => {
    waits += 1;
    return new Promise((resolve) => (ready = resolve));
  });
  const order: number[] = [];
  const callers = [1, 2, 3].map((n) => turn().then(() => order.push(n)));
  for (const n of [1, 2, 3]) {
    await until(`turn ${n} has begun`, () => waits === n);
    assert.deepEqual(order, [1, 2, 3].slice(0, n - 1));
    ready();
    await callers[n - 1];
  }
  assert.deepEqual(order, [1, 2, 3]);
});

test('when it will never be ready nobody else gets a turn', async () => {
  let asked = 0;
  const turn = createTurns(() => {
    asked += 1;
    return asked === 1 ? Promise.resolve() : Promise.reject(new Error('the client is gone'));
  });
  const ends = await Promise.allSettled([turn(), turn(), turn()]);
  assert.deepEqual(
    ends.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  );
  await assert.rejects(turn(), /the client is gone/);
  assert.equal(asked, 2);
});

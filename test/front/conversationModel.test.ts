import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { World } from './modelWorld.js';

const URIS = ['memory://a', 'memory://b'] as const;
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('call' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('subscribe' as const, 'unsubscribe' as const),
      uri: fc.constantFrom(...URIS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('garbage' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('connect' as const) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('work' as const) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('deliver' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('die' as const) }) },
);

test('however hosts die, every request is carried out once and answered once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
      const world = new World();
      for (const one of steps) {
        switch (one.kind) {
          case 'subscribe':
          case 'unsubscribe':
            world[one.kind](one.uri);
            break;
          case 'cancel':
          case 'deliver':
            world[one.kind](one.which);
            break;
          default:
            world[one.kind]();
        }
      }
      world.calmDown();
      assert.deepEqual(world.unanswered(), []);
      assert.deepEqual(world.subscribed(), world.wanted());
    }),
    { numRuns: 300 },
  );
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inBatches } from '../../src/extension/commands/batches.js';

const IDS = Array.from({ length: 2500 }, (_, index) => String(index));

describe('work on many entries', () => {
  it('is done a thousand at a time, and says how far it is', async () => {
    const calls: number[] = [];
    const told: number[] = [];
    const given = await inBatches(IDS, {
      act: (ids) => {
        calls.push(ids.length);
        return Promise.resolve(ids);
      },
      isCancelled: () => false,
      report: (done) => told.push(done),
    });
    assert.deepEqual(given, IDS);
    assert.deepEqual(calls, [1000, 1000, 500]);
    assert.deepEqual(told, [0, 1000, 2000]);
  });

  it('counts what was under way when it was cancelled, and begins nothing more', async () => {
    let cancelled = false;
    const given = await inBatches(IDS, {
      act: async (ids) => {
        cancelled = true;
        await Promise.resolve();
        return ids;
      },
      isCancelled: () => cancelled,
      report: () => undefined,
    });
    assert.deepEqual(given, IDS.slice(0, 1000));
  });
});

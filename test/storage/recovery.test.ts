import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeRecord, scanLog } from '../../src/storage/changeLog.js';
import type { LogScan } from '../../src/storage/changeLog.js';
import type { LogRecord } from '../../src/storage/logPayload.js';
import { isWhole, planRecovery } from '../../src/storage/recovery.js';
import type { Found } from '../../src/storage/recovery.js';

const NOTHING: Found = { snapshot: null, previousSnapshot: null, log: null, previousLog: null };

/** A log after `from` with changes up to `to`, then marks. */
function log(from: number, sha256: string, to: number, marks: Record<string, number> = {}): LogScan {
  const records: LogRecord[] = [{ kind: 'base', sequence: from, sha256, schema: 1 }];
  for (let sequence = from; sequence <= to; sequence += 1) {
    if (sequence > from) records.push({ kind: 'change', sequence, changes: [], purged: [] });
    for (const [mark, at] of Object.entries(marks)) {
      if (at === sequence) records.push({ kind: 'mark', sequence, sha256: mark });
    }
  }
  return scanLog(Buffer.concat(records.map(encodeRecord)));
}

function cutTo(scan: LogScan, records: number): LogScan {
  return { ...scan, records: scan.records.slice(0, records), end: 'damaged' };
}

function outcome(found: Partial<Found>) {
  const plan = planRecovery({ ...NOTHING, ...found });
  return (
    plan && {
      from: plan.start.file,
      steps: plan.steps.map((step) => step.record.sequence),
      damaged: plan.damaged,
      missing: plan.missing,
    }
  );
}

const PREVIOUS_LOG = log(2, 'S2', 4, { S4: 4 });
const LOG = log(4, 'S4', 6);
const ALL: Found = { snapshot: 'S4', previousSnapshot: 'S2', log: LOG, previousLog: PREVIOUS_LOG };

describe('recovery', () => {
  it('starts from nothing where there is nothing', () => {
    assert.deepEqual(outcome({}), { from: null, steps: [], damaged: [], missing: [] });
    assert.deepEqual(outcome({ log: log(0, 'empty', 2) }), {
      from: null,
      steps: [1, 2],
      damaged: [],
      missing: [],
    });
  });

  it('replays what the snapshot does not hold yet', () => {
    const whole = { damaged: [], missing: [], from: 'memory.db' };
    assert.deepEqual(outcome({ snapshot: 'S4', log: LOG }), { ...whole, steps: [5, 6] });
    assert.deepEqual(outcome({ snapshot: 'S5', log: log(4, 'S4', 6, { S5: 5 }) }), { ...whole, steps: [6] });
  });

  it('needs no other file where log and snapshot fit', () => {
    assert.ok(isWhole({ snapshot: 'S4', log: LOG }));
    assert.ok(isWhole({ snapshot: null, log: log(0, 'empty', 2) }));
    assert.ok(!isWhole({ snapshot: null, log: LOG }));
    assert.ok(!isWhole({ snapshot: 'other', log: LOG }));
    assert.ok(!isWhole({ snapshot: 'S4', log: cutTo(LOG, 2) }));
    assert.ok(!isWhole({ snapshot: 'S4', log: null }));
  });

  it('falls back to the previous snapshot with both logs', () => {
    const steps = [3, 4, 5, 6];
    const from = 'memory.previous.db';
    assert.deepEqual(outcome({ ...ALL, snapshot: 'X' }), {
      from,
      steps,
      damaged: ['memory.db'],
      missing: [],
    });
    assert.deepEqual(outcome({ ...ALL, snapshot: null }), {
      from,
      steps,
      damaged: [],
      missing: ['memory.db'],
    });
  });

  it('starts from nothing where the logs reach back', () => {
    const found = { snapshot: 'X', log: log(2, 'S2', 3), previousLog: log(0, 'empty', 2, { S2: 2 }) };
    assert.deepEqual(outcome(found), { from: null, steps: [1, 2, 3], damaged: ['memory.db'], missing: [] });
  });

  it('takes an older snapshot put in place of the current one for damage', () => {
    assert.deepEqual(outcome({ ...ALL, snapshot: 'S2' }), {
      from: 'memory.previous.db',
      steps: [3, 4, 5, 6],
      damaged: ['memory.db'],
      missing: [],
    });
  });

  it('keeps what comes before the damage in the log', () => {
    const expected = { from: 'memory.db', damaged: ['changes.log'], missing: [] };
    assert.deepEqual(outcome({ ...ALL, log: cutTo(LOG, 2) }), { ...expected, steps: [5] });
    assert.deepEqual(outcome({ ...ALL, log: cutTo(LOG, 0) }), { ...expected, steps: [] });
  });

  it('does without a missing log', () => {
    const expected = { from: 'memory.db', steps: [], damaged: [], missing: ['changes.log'] };
    assert.deepEqual(outcome({ ...ALL, log: null }), expected);
  });

  it('does nothing behind a gap', () => {
    assert.deepEqual(outcome({ ...ALL, snapshot: 'X', previousLog: cutTo(PREVIOUS_LOG, 2) }), {
      from: 'memory.previous.db',
      steps: [3],
      damaged: ['changes.previous.log', 'memory.db', 'changes.log'],
      missing: [],
    });
  });

  it('gives up where nothing vouches for a snapshot and no log starts from nothing', () => {
    assert.equal(outcome({ ...ALL, snapshot: 'X', previousSnapshot: 'Y' }), null);
    assert.equal(outcome({ snapshot: 'S4' }), null);
    assert.equal(outcome({ snapshot: 'S4', log: cutTo(LOG, 0) }), null);
    assert.equal(outcome({ log: LOG }), null);
  });
});

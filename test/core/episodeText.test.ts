import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  boundedTurn,
  episodeText,
  mergeTurns,
  OUTCOME_LIMIT,
  statusOf,
  TASK_LIMIT,
  TURNS_LIMIT,
} from '../../src/core/episode.js';
import { aTurn, someTurns } from './episodeFixture.js';
import { aMemory } from './fixture.js';

describe('the text of an episode', () => {
  it('is each task with what came of it, in order', () => {
    const turns = [aTurn(1, { outcome: 'two\nlines' }), aTurn(2)];
    assert.equal(episodeText(turns), 'TASK: task 1\nOUTCOME: two\nlines\n\nTASK: task 2\nOUTCOME: outcome 2');
    assert.equal(episodeText([]), '');
  });
});

describe('a turn within its limits', () => {
  it('is the same but for the blanks around its texts where it is short enough', () => {
    const turn = aTurn(1, { task: 'x'.repeat(1000), outcome: 'y'.repeat(2000) });
    const blank = { ...turn, task: ` \n${turn.task}\t`, outcome: `\u3000${turn.outcome} ` };
    assert.deepEqual(boundedTurn(blank), turn);
  });

  it('has a task of 1,000 and an outcome of 2,000 units, and no half a character at the end', () => {
    assert.deepEqual([TASK_LIMIT, OUTCOME_LIMIT], [1000, 2000]);
    const { task, outcome } = boundedTurn(aTurn(1, { task: '😀'.repeat(501), outcome: 'y'.repeat(2001) }));
    assert.equal(task, `${'😀'.repeat(499)}…`);
    assert.equal(outcome, `${'y'.repeat(1999)}…`);
  });
});

describe('turns that are merged', () => {
  it('are each there once, oldest first', () => {
    const merged = mergeTurns([aTurn(2), aTurn(4)], [aTurn(3), aTurn(1), aTurn(4), aTurn(3)]);
    assert.deepEqual(merged, someTurns(1, 4));
  });

  it('say what was captured last, and the last word of the agent before anything else', () => {
    const unfinished = { final: false };
    const early = aTurn(1, { outcome: 'early', revisedAt: 10 });
    const late = aTurn(1, { outcome: 'late', revisedAt: 20 });
    const cases = [
      [early, late, 'late'],
      [early, { ...late, ...unfinished }, 'early'],
      [{ ...early, ...unfinished }, late, 'late'],
      [{ ...early, ...unfinished }, { ...late, ...unfinished }, 'late'],
      [{ ...early, ...unfinished }, { ...late, revisedAt: 10, ...unfinished }, 'early'],
      [{ ...late, ...unfinished }, early, 'early'],
    ] as const;
    for (const [known, added, expected] of cases) {
      assert.equal(mergeTurns([known], [added])[0]?.outcome, expected);
    }
    assert.equal(mergeTurns([late], [early])[0]?.outcome, 'late');
  });

  it('stay in the place of their first capture', () => {
    const first = aTurn(1, { at: 100, final: false });
    const last = aTurn(1, { at: 300, revisedAt: 300, outcome: 'done' });
    for (const [known, added] of [
      [first, last],
      [last, first],
    ] as const) {
      assert.deepEqual(mergeTurns([known], [added, aTurn(2, { at: 200 })]), [
        { ...last, at: 100 },
        aTurn(2, { at: 200 }),
      ]);
    }
  });

  it('are the newest 20', () => {
    assert.equal(TURNS_LIMIT, 20);
    assert.deepEqual(mergeTurns(someTurns(2, 25), [aTurn(1)]), someTurns(6, 25));
    assert.deepEqual(mergeTurns(someTurns(2, 21), [aTurn(22)]), someTurns(3, 22));
  });

  it('are the same whatever the order they come in, and however often', () => {
    // Of one turn, captures at different times; those of different turns begin at different times.
    const captures = fc
      .uniqueArray(fc.record({ n: fc.nat(5), late: fc.integer({ min: 1, max: 50 }), final: fc.boolean() }), {
        selector: ({ n, late }) => `${n} ${late}`,
        maxLength: 12,
      })
      .map((all) =>
        all.map(({ n, late, final }) =>
          aTurn(n, { at: 100 * n + late, revisedAt: 100 * n + late, final, outcome: `outcome ${late}` }),
        ),
      );
    const orders = captures.chain((all) =>
      fc.record({ all: fc.constant(all), shuffled: fc.shuffledSubarray([...all, ...all], { minLength: 0 }) }),
    );
    fc.assert(
      fc.property(orders, ({ all, shuffled }) => {
        const inOrder = mergeTurns([], all);
        const oneByOne = [...shuffled, ...all.toReversed()].reduce(
          (known, turn) => mergeTurns(known, [turn]),
          mergeTurns([], []),
        );
        assert.deepEqual(oneByOne, inOrder);
      }),
    );
  });
});

describe('the state of an episode', () => {
  it('is told by its row: forgotten, replaced or neither', () => {
    assert.equal(statusOf(aMemory()), 'ingested');
    assert.equal(statusOf(aMemory({ supersededBy: 'memory' })), 'kept');
    assert.equal(statusOf(aMemory({ deletedAt: 1 })), 'discarded');
    assert.equal(statusOf(aMemory({ deletedAt: 1, supersededBy: 'memory' })), 'discarded');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId, type Bench } from './fixture.js';

const DEFAULTS = { project: PROJECT, minHits: 3, minSpread: 0.08 };

/** Asks once for each of these similarities to the task, each time in other words. */
async function hitAt(bench: Bench, task: string, similarities: readonly number[]): Promise<void> {
  for (const [n, similarity] of similarities.entries()) {
    const question = `${task} asked at ${similarity} (${n})`;
    bench.embedder.place(question, { [task]: similarity });
    await bench.engine.recall(asking(question, { threshold: 0.5 }));
  }
}

async function rememberPlaced(bench: Bench, task: string): Promise<string> {
  bench.embedder.axis(task);
  return rememberId(bench, task);
}

async function candidates(bench: Bench, given: Partial<typeof DEFAULTS> = {}) {
  return (await bench.engine.driftReport({ ...DEFAULTS, ...given })).candidates;
}

describe('the drift report', () => {
  it('names an entry that hits for questions of very different closeness', async () => {
    const bench = await openBench();
    const id = await rememberPlaced(bench, 'the task');
    await hitAt(bench, 'the task', [0.86, 0.99, 0.91, 0.3]);
    await bench.engine.recall(asking('a stranger'));
    assert.deepEqual(await bench.engine.driftReport(DEFAULTS), {
      analyzed_recalls: 5,
      entries_with_hits: 1,
      candidates: [
        {
          entry_id: id,
          task_text: 'the task',
          still_stored: true,
          hits: 3,
          distinct_queries: 3,
          similarity_min: 0.86,
          similarity_max: 0.99,
          similarity_spread: 0.13,
        },
      ],
    });
  });

  it('wants enough hits and enough spread, the limits included', async () => {
    const bench = await openBench();
    await rememberPlaced(bench, 'the task');
    await hitAt(bench, 'the task', [0.84, 0.92]);
    assert.equal((await candidates(bench, { minHits: 2, minSpread: 0.08 })).length, 1);
    assert.equal((await candidates(bench, { minHits: 3, minSpread: 0.08 })).length, 0);
    assert.equal((await candidates(bench, { minHits: 2, minSpread: 0.0801 })).length, 0);
    assert.equal((await candidates(bench, { minHits: -1, minSpread: 0 })).length, 1, 'at least one hit');
  });

  it('includes the limit of the spread wherever it lies', async () => {
    for (let hundredths = 50; hundredths <= 91; hundredths += 1) {
      const bench = await openBench();
      await rememberPlaced(bench, 'the task');
      const least = hundredths / 100;
      await hitAt(bench, 'the task', [least, Math.round((least + 0.08) * 100) / 100]);
      assert.equal((await candidates(bench, { minHits: 2 })).length, 1, `from ${least}`);
    }
  });

  it('takes questions that differ in case and white space for one', async () => {
    const bench = await openBench();
    const id = await rememberPlaced(bench, 'the task');
    bench.embedder.place('Ask this', { 'the task': 0.7 });
    bench.embedder.place(' ask\n THIS ', { 'the task': 0.9 });
    for (const question of ['Ask this', ' ask\n THIS ', 'Ask this']) {
      await bench.engine.recall(asking(question, { threshold: 0.5 }));
    }
    assert.deepEqual(await candidates(bench), []);
    await hitAt(bench, 'the task', [0.8]);
    const [candidate] = await candidates(bench);
    assert.deepEqual([candidate?.entry_id, candidate?.hits, candidate?.distinct_queries], [id, 4, 2]);
  });

  it('sorts by spread, largest first, and rounds to four decimals', async () => {
    const bench = await openBench();
    await rememberPlaced(bench, 'some');
    await rememberPlaced(bench, 'more');
    await hitAt(bench, 'some', [0.612345, 0.7]);
    await hitAt(bench, 'more', [0.55555, 0.9]);
    const found = await candidates(bench, { minHits: 2 });
    assert.deepEqual(
      found.map((one) => [one.task_text, one.similarity_min, one.similarity_max, one.similarity_spread]),
      [
        ['more', 0.5556, 0.9, 0.3445],
        ['some', 0.6123, 0.7, 0.0877],
      ],
    );
  });

  it('goes on listing what was forgotten, and knows what was superseded', async () => {
    const bench = await openBench();
    const forgotten = await rememberPlaced(bench, 'forgotten');
    const superseded = await rememberPlaced(bench, 'superseded');
    await hitAt(bench, 'forgotten', [0.6, 0.9]);
    await hitAt(bench, 'superseded', [0.6, 0.8]);
    await bench.engine.forget(forgotten, PROJECT);
    await rememberId(bench, 'correction', { supersedes: superseded });
    const found = await candidates(bench, { minHits: 2 });
    assert.deepEqual(
      found.map((one) => [one.entry_id, one.task_text, one.still_stored]),
      [
        [forgotten, null, false],
        [superseded, 'superseded', true],
      ],
    );
  });

  it('never counts a miss', async () => {
    const bench = await openBench();
    await rememberPlaced(bench, 'the task');
    bench.embedder.place('far', { 'the task': 0.6 });
    bench.embedder.place('near', { 'the task': 0.8 });
    for (const question of ['far', 'near']) await bench.engine.recall(asking(question));
    const report = await bench.engine.driftReport({ ...DEFAULTS, minHits: 1, minSpread: 0 });
    assert.deepEqual(report, { analyzed_recalls: 2, entries_with_hits: 0, candidates: [] });
  });

  it('keeps projects apart, and survives a restart', async () => {
    const bench = await openBench();
    await rememberPlaced(bench, 'the task');
    await hitAt(bench, 'the task', [0.6, 0.9]);
    const { engine } = await bench.reopen();
    const limits = { minHits: 2, minSpread: 0 };
    assert.equal((await engine.driftReport({ project: PROJECT, ...limits })).candidates.length, 1);
    assert.equal((await engine.driftReport({ project: OTHER_PROJECT, ...limits })).analyzed_recalls, 0);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DriftReviewRequest } from '../../src/core/driftReview.js';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId, type Bench } from './fixture.js';

const review = ({ engine }: Bench, given: Partial<DriftReviewRequest> = {}) =>
  engine.reviewDrift({ project: PROJECT, minHits: 2, minSpread: 0.08, reviewed: false, ...given });
const candidates = async (bench: Bench, given: Partial<DriftReviewRequest> = {}) =>
  (await review(bench, given)).candidates.map(({ entry_id }) => entry_id);

/** Asks, a second later than before. */
async function ask(bench: Bench, question: string, similarity: number, project = PROJECT): Promise<void> {
  bench.sources.time += 1;
  bench.embedder.place(question, { 'the task': similarity });
  const { hit } = await bench.engine.recall(asking(question, { project, threshold: 0.5 }));
  assert.ok(hit);
}

/** An entry that drifts. */
async function drifting() {
  const bench = await openBench();
  bench.embedder.axis('the task');
  const id = await rememberId(bench, 'the task', { scope: 'global' });
  await ask(bench, 'near', 0.95);
  await ask(bench, 'far', 0.6);
  return { bench, id };
}

describe('drift for people', () => {
  it('shows the questions behind it, each once, the least similar first', async () => {
    const { bench, id } = await drifting();
    await ask(bench, 'Far ', 0.61);
    const at = bench.sources.time;
    assert.deepEqual(await review(bench), {
      analyzed_recalls: 3,
      candidates: [
        {
          entry_id: id,
          task_text: 'the task',
          hits: 3,
          distinct_queries: 2,
          similarity_min: 0.6,
          similarity_max: 0.95,
          similarity_spread: 0.35,
          reviewed: false,
          questions: [
            { text: 'Far ', similarity_min: 0.6, similarity_max: 0.61, count: 2, last_at: at },
            { text: 'near', similarity_min: 0.95, similarity_max: 0.95, count: 1, last_at: at - 2 },
          ],
        },
      ],
    });
  });

  it('has what the drift report has, of stored entries', async () => {
    const { bench, id } = await drifting();
    const report = async () =>
      (await bench.engine.driftReport({ project: PROJECT, minHits: 2, minSpread: 0.08 })).candidates;
    const [reported] = await report();
    const [candidate] = (await review(bench)).candidates;
    assert.ok(reported && candidate);
    for (const field of ['hits', 'distinct_queries', 'similarity_spread'] as const)
      assert.equal(candidate[field], reported[field]);
    assert.deepEqual(await candidates(bench, { minHits: 3 }), []);
    assert.deepEqual(await candidates(bench, { minSpread: 0.36 }), []);
    await bench.engine.forget(id, PROJECT);
    assert.deepEqual(await candidates(bench), []);
    assert.equal((await report()).length, 1);
  });

  it('shows at most 50 questions of an entry, long ones cut off', async () => {
    const { bench } = await drifting();
    for (let n = 0; n < 60; n += 1) await ask(bench, `question ${n} ${'x'.repeat(400)}`, 0.7);
    const [candidate] = (await review(bench)).candidates;
    assert.deepEqual([candidate?.distinct_queries, candidate?.questions.length], [62, 50]);
    assert.equal(candidate?.questions[0]?.text, 'far');
    assert.ok(candidate.questions.every(({ text }) => text.length <= 300));
  });
});

describe('an entry that was reviewed', () => {
  it('is no candidate any more, unless those are asked for too', async () => {
    const { bench, id } = await drifting();
    assert.deepEqual(await bench.engine.markReviewed([id, id, 'unknown'], PROJECT), [id]);
    assert.deepEqual(await candidates(bench), []);
    const [candidate] = (await review(bench, { reviewed: true })).candidates;
    assert.deepEqual([candidate?.entry_id, candidate?.reviewed], [id, true]);
  });

  it('stays so for questions that were asked before, and comes back with a new one', async () => {
    const { bench, id } = await drifting();
    await bench.engine.markReviewed([id], PROJECT);
    await ask(bench, ' FAR', 0.55);
    await ask(bench, 'near', 0.95);
    assert.deepEqual(await candidates(bench), []);
    await ask(bench, 'something else', 0.9);
    assert.deepEqual(await candidates(bench), [id]);
    assert.equal((await review(bench, { reviewed: true })).candidates[0]?.reviewed, false);
    await bench.engine.markReviewed([id], PROJECT);
    assert.deepEqual(await candidates(bench), []);
  });

  it('is still so after a restart, and a candidate of every other project', async () => {
    const { bench, id } = await drifting();
    await ask(bench, 'near', 0.95, OTHER_PROJECT);
    await ask(bench, 'far', 0.6, OTHER_PROJECT);
    await bench.engine.markReviewed([id], PROJECT);
    const again = await bench.reopen();
    assert.deepEqual(await candidates(again), []);
    assert.deepEqual(await candidates(again, { project: OTHER_PROJECT }), [id]);
  });

  it('is not one that was forgotten', async () => {
    const { bench, id } = await drifting();
    await bench.engine.forget(id, PROJECT);
    assert.deepEqual(await bench.engine.markReviewed([id], PROJECT), []);
    assert.deepEqual([...(await bench.store.reviews(PROJECT))], []);
  });
});

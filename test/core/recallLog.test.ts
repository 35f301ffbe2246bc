import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId, SETTINGS } from './fixture.js';

const DRIFT = { project: PROJECT, minHits: 1, minSpread: 0 };

describe('the recall log', () => {
  it('keeps question, nearest entry, similarity, outcome and threshold of a hit and of a miss', async () => {
    const { engine, store, sources, embedder, ...rest } = await openBench();
    const bench = { engine, store, sources, embedder, ...rest };
    embedder.place('near', { 'the task': 0.9 });
    embedder.place('far', { 'the task': 0.2 });
    const id = await rememberId(bench, 'the task');
    await engine.recall(asking('near'));
    sources.time += 1;
    await engine.recall(asking('far', { threshold: 0.7 }));

    const common = { project: PROJECT, entryId: id };
    assert.deepEqual(await store.recalls(PROJECT), [
      { ...common, at: sources.time - 1, query: 'near', similarity: 0.9, hit: true, threshold: 0.85 },
      { ...common, at: sources.time, query: 'far', similarity: 0.2, hit: false, threshold: 0.7 },
    ]);
  });

  it('keeps a null entry where nothing was there to compare with', async () => {
    const { engine, store } = await openBench();
    await engine.recall(asking('question'));
    const [record] = await store.recalls(PROJECT);
    assert.deepEqual([record?.entryId, record?.similarity, record?.hit], [null, 0, false]);
  });

  it('belongs to the project that asked', async () => {
    const { engine, store } = await openBench();
    await engine.recall(asking('question', { project: OTHER_PROJECT }));
    assert.deepEqual(await store.recalls(PROJECT), []);
    assert.equal((await store.recalls(OTHER_PROJECT)).length, 1);
  });

  it('keeps outcomes but no questions of a caller who has switched it off', async () => {
    const bench = await openBench();
    const settings = { ...SETTINGS, recallLogEnabled: false };
    await rememberId(bench, 'the task');
    await bench.engine.recall(asking('the task', { settings }));
    await bench.engine.recall(asking('a stranger', { settings }));

    const report = await bench.engine.driftReport(DRIFT);
    assert.deepEqual(report, { analyzed_recalls: 0, entries_with_hits: 0, candidates: [] });
    const stats = await bench.engine.stats(PROJECT);
    assert.deepEqual([stats.hit_rate_last_100, stats.last_hit_at], [0.5, bench.sources.time]);
    assert.doesNotMatch(JSON.stringify(await bench.store.recalls(PROJECT)), /stranger|the task/);
    await bench.engine.recall(asking('a question'));
    assert.equal((await bench.store.recalls(PROJECT)).at(-1)?.query, 'a question', 'another caller');
  });

  it('drops the older half of the questions when it is full, keeps the outcomes, and recall goes on', async () => {
    const bench = await openBench();
    const settings = { ...SETTINGS, recallLogMaxBytes: 2000 };
    const id = await rememberId(bench, 'the task');
    for (let n = 0; n < 60; n += 1) {
      assert.equal(
        (await bench.engine.recall(asking(`the task${' '.repeat(n)}`, { settings }))).entry_id,
        id,
      );
    }
    const records = await bench.store.recalls(PROJECT);
    const asked = records.filter(({ query }) => query !== null);
    assert.ok(asked.length > 0 && asked.length < 60, `${asked.length} questions are left`);
    assert.equal(records.at(-1)?.query, `the task${' '.repeat(59)}`);
    assert.equal((await bench.engine.driftReport(DRIFT)).analyzed_recalls, asked.length);
    assert.equal(records.length, 60, 'all outcomes are there');
  });

  it('tells the hit rate of the last 100 and the last hit although it holds almost no question', async () => {
    const bench = await openBench();
    const settings = { ...SETTINGS, recallLogMaxBytes: 1000 };
    await rememberId(bench, 'the task');
    await bench.engine.recall(asking('the task', { settings }));
    const lastHit = bench.sources.time;
    for (let n = 0; n < 20; n += 1) {
      bench.sources.time += 1;
      await bench.engine.recall(asking(`stranger ${n}`, { settings }));
    }
    const stats = await bench.engine.stats(PROJECT);
    assert.deepEqual([stats.hit_rate_last_100, stats.last_hit_at], [0.0476, lastHit]);
    for (let n = 0; n < 200; n += 1) await bench.engine.recall(asking(`stranger ${n}`, { settings }));
    const later = await bench.engine.stats(PROJECT);
    assert.deepEqual([later.hit_rate_last_100, later.last_hit_at], [0, lastHit]);
  });

  it('of one project is not shortened by the questions of another', async () => {
    const bench = await openBench();
    const settings = { ...SETTINGS, recallLogMaxBytes: 2000 };
    await bench.engine.recall(asking('a question', { settings }));
    for (let n = 0; n < 50; n += 1) {
      await bench.engine.recall(asking(`question ${n}`, { settings, project: OTHER_PROJECT }));
    }
    assert.equal((await bench.engine.driftReport(DRIFT)).analyzed_recalls, 1);
  });

  it('is worth less than an answer: a hit stays a hit when its line cannot be written', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task');
    bench.store.appendRecall = () => Promise.reject(new Error('disk full'));
    assert.equal((await bench.engine.recall(asking('the task'))).entry_id, id);
  });
});

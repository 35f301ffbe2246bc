import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId, SETTINGS } from './fixture.js';

const MISS = { hit: false, answer: null, task_text: null, entry_id: null, stored_at: null, tags: [] };

describe('recall', () => {
  it('hands out the stored answer from the threshold on, the threshold itself included', async () => {
    const bench = await openBench();
    bench.embedder.place('question', { 'the task': 0.84 });
    const id = await rememberId(bench, 'the task', { answer: 'the answer', tags: ['one', 'two'] });

    assert.deepEqual(await bench.engine.recall(asking('question', { threshold: 0.84 })), {
      hit: true,
      similarity: 0.84,
      answer: 'the answer',
      task_text: 'the task',
      entry_id: id,
      stored_at: bench.sources.time,
      tags: ['one', 'two'],
    });
  });

  it('misses just below the threshold and names the entry that was close', async () => {
    const bench = await openBench();
    bench.embedder.place('question', { 'the task': 0.84 });
    const id = await rememberId(bench, 'the task');

    assert.deepEqual(await bench.engine.recall(asking('question', { threshold: 0.840001 })), {
      ...MISS,
      similarity: 0.84,
      reason: 'below_threshold',
      nearest: { entry_id: id, similarity: 0.84, task_text: 'the task' },
    });
  });

  it('takes the threshold its caller has configured when the call gives none', async () => {
    const bench = await openBench();
    bench.embedder.place('question', { 'the task': 0.8 });
    await rememberId(bench, 'the task');
    for (const [defaultThreshold, hit] of [
      [0.8, true],
      [0.81, false],
    ] as const) {
      const settings = { ...SETTINGS, defaultThreshold };
      const result = await bench.engine.recall(asking('question', { settings }));
      assert.equal(result.hit, hit, `threshold ${defaultThreshold}`);
    }
  });

  it('accepts the ends of the range: everything at 0, only the same at 1', async () => {
    const bench = await openBench();
    bench.embedder.place('opposite', { 'the task': -1 });
    await rememberId(bench, 'the task');

    const { hit, similarity } = await bench.engine.recall(asking('opposite', { threshold: 0 }));
    assert.deepEqual({ hit, similarity }, { hit: true, similarity: 0 }, 'a negative cosine counts as 0');
    assert.equal((await bench.engine.recall(asking('the task', { threshold: 1 }))).hit, true);
  });

  it('counts the identical text as 1.0, whatever its case, width and white space', async () => {
    const bench = await openBench();
    await rememberId(bench, 'Fix the  CI build №１');
    for (const text of ['Fix the  CI build №１', 'fix THE ci build\tno1 ', '\nＦix the CI build No1']) {
      const { hit, similarity } = await bench.engine.recall(asking(text, { threshold: 1 }));
      assert.deepEqual({ hit, similarity }, { hit: true, similarity: 1 }, JSON.stringify(text));
    }
  });

  it('says "empty" where there is nothing this project could recall, and needs no model to say so', async () => {
    const bench = await openBench({
      rows: [
        { task: 'other', project: OTHER_PROJECT },
        { task: 'episode', kind: 'episode' },
        { task: 'expired', expiresAt: 10 },
      ],
    });
    assert.deepEqual(await bench.engine.recall(asking('question')), {
      ...MISS,
      similarity: 0,
      reason: 'empty',
    });
    assert.deepEqual(bench.embedder.calls, []);
  });

  it('says "filtered" where only the tags stood in the way', async () => {
    const bench = await openBench();
    await rememberId(bench, 'the task', { tags: ['one'] });
    const result = await bench.engine.recall(asking('the task', { tags: ['two'] }));
    assert.deepEqual(result, { ...MISS, similarity: 0, reason: 'filtered' });
  });

  it('keeps an entry that shares at least one tag, and all of them for an empty list', async () => {
    const bench = await openBench();
    await rememberId(bench, 'the task', { tags: ['one', 'two'] });
    const hits = async (tags: string[]) => (await bench.engine.recall(asking('the task', { tags }))).hit;
    assert.equal(await hits(['two', 'three']), true);
    assert.equal(await hits(['three']), false);
    assert.equal(await hits(['ONE']), false, 'tags are compared as they are');
    assert.equal(await hits([]), true);
  });

  it('reports the best similarity that was left after the filters', async () => {
    const bench = await openBench();
    bench.embedder.place('question', { 'without tag': 0.8, 'with tag': 0.5 });
    await rememberId(bench, 'without tag');
    await rememberId(bench, 'with tag', { tags: ['one'] });
    const { similarity, nearest } = await bench.engine.recall(asking('question', { tags: ['one'] }));
    assert.deepEqual({ similarity, nearest }, { similarity: 0.5, nearest: undefined });
  });

  it('names the nearest entry within 0.15 of the threshold, the border included', async () => {
    for (let hundredths = 16; hundredths <= 100; hundredths += 1) {
      const threshold = hundredths / 100;
      const bench = await openBench();
      const border = Math.round((threshold - 0.15) * 1e6) / 1e6;
      bench.embedder.place('at the border', { 'the task': border });
      bench.embedder.place('below it', { 'the task': border - 0.000002 });
      await rememberId(bench, 'the task');
      const at = await bench.engine.recall(asking('at the border', { threshold }));
      const below = await bench.engine.recall(asking('below it', { threshold }));
      assert.equal(at.nearest?.similarity, border, `threshold ${threshold}`);
      assert.equal('nearest' in below, false, `threshold ${threshold}`);
    }
  });

  it('prefers the newest of equally similar entries, by the time of storing and not by the place in the store', async () => {
    const bench = await openBench();
    bench.embedder.place('question', { 'the task': 0.9 });
    const older = await rememberId(bench, 'the task', { answer: 'first' });
    bench.sources.time += 1;
    const newer = await rememberId(bench, 'the task', { answer: 'second' });
    const answers = async () => [
      (await bench.engine.recall(asking('question'))).entry_id,
      (await bench.engine.recall(asking('the task'))).entry_id,
    ];
    assert.deepEqual(await answers(), [newer, newer]);

    bench.sources.time += 1;
    assert.equal(await rememberId(bench, 'the task', { answer: 'first' }), older);
    assert.deepEqual(await answers(), [older, older]);
  });

  it('answers the same for any top_k: it only widens what is looked at', async () => {
    const bench = await openBench();
    bench.embedder.place('question', { far: 0.6, near: 0.7 });
    const near = await rememberId(bench, 'near');
    await rememberId(bench, 'far');
    for (const topK of [1, 2, 100]) {
      const { entry_id } = await bench.engine.recall(asking('question', { topK, threshold: 0.6 }));
      assert.equal(entry_id, near);
    }
  });

  it('sees global entries from every project', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'shared', { scope: 'global' });
    for (const project of [PROJECT, OTHER_PROJECT]) {
      assert.equal((await bench.engine.recall(asking('shared', { project }))).entry_id, id);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EchoRequest } from '../../src/core/echo.js';
import { openBench, OTHER_PROJECT, PROJECT, rememberId } from './fixture.js';
import { WordEmbedder } from './wordEmbedder.js';

const around = (task: string, given: Partial<EchoRequest> = {}): EchoRequest => ({
  task,
  project: PROJECT,
  topK: 5,
  ...given,
});

/** Three tasks at .9, .6 and .3 of the question. */
function placed(): WordEmbedder {
  const embedder = new WordEmbedder();
  for (const [task, cosine] of Object.entries({ near: 0.9, middle: 0.6, far: 0.3 })) {
    embedder.place(task, { question: cosine });
  }
  return embedder;
}

describe('echo', () => {
  it('lists what lies around, nearest first, without any answer', async () => {
    const rows = [
      { id: 'f', task: 'far', answer: 'hidden' },
      { id: 'n', task: 'near', answer: 'hidden', tags: ['one'] },
      { id: 'm', task: 'middle', answer: 'hidden', kind: 'episode' as const },
    ];
    const { engine } = await openBench({ embedder: placed(), rows });
    const result = await engine.echo(around('question'));
    const stored_at = 1_600_000_000;
    assert.deepEqual(result, {
      count: 3,
      echoes: [
        { entry_id: 'n', similarity: 0.9, task_text: 'near', stored_at, tags: ['one'], kind: 'memory' },
        { entry_id: 'm', similarity: 0.6, task_text: 'middle', stored_at, tags: [], kind: 'episode' },
        { entry_id: 'f', similarity: 0.3, task_text: 'far', stored_at, tags: [], kind: 'memory' },
      ],
    });
    assert.doesNotMatch(JSON.stringify(result), /hidden/);
  });

  it('is cut to top_k', async () => {
    const rows = ['far', 'near', 'middle'].map((task) => ({ task }));
    const { engine } = await openBench({ embedder: placed(), rows });
    const { count, echoes } = await engine.echo(around('question', { topK: 2 }));
    assert.deepEqual([count, echoes.map((echo) => echo.task_text)], [3, ['near', 'middle']]);
  });

  it('counts the rows this project can see, expired ones and episodes included', async () => {
    const { engine } = await openBench({
      rows: [
        { task: 'mine' },
        { task: 'shared', project: '' },
        { task: 'expired', expiresAt: 10 },
        { task: 'episode', kind: 'episode' },
        { task: 'foreign', project: OTHER_PROJECT },
        { task: 'old version', supersededBy: 'mine' },
      ],
    });
    assert.equal((await engine.echo(around('question'))).count, 4);
  });

  it('leaves out expired, superseded and foreign rows, 500 nearer ones included', async () => {
    const embedder = placed();
    embedder.place('nearer', { question: 0.99 });
    const invalid = [
      { expiresAt: 10 },
      { supersededBy: 'valid' },
      { project: OTHER_PROJECT },
      { tags: ['b'] },
    ];
    const nearer = Array.from({ length: 500 }, (_, n) => ({
      task: 'nearer',
      tags: ['a'],
      ...invalid[n % invalid.length],
    }));
    const { engine } = await openBench({
      embedder,
      rows: [...nearer, { id: 'valid', task: 'far', tags: ['a'] }],
    });
    const { echoes } = await engine.echo(around('question', { tags: ['a'] }));
    assert.deepEqual(
      echoes.map((echo) => echo.entry_id),
      ['valid'],
    );
  });

  it('filters nothing with an empty list of tags', async () => {
    const { engine } = await openBench({ rows: [{ task: 'the task' }] });
    assert.equal((await engine.echo(around('the task', { tags: [] }))).echoes.length, 1);
  });

  it('is empty on an empty store, and asks no model', async () => {
    const { engine, embedder } = await openBench();
    assert.deepEqual(await engine.echo(around('question')), { count: 0, echoes: [] });
    assert.deepEqual(embedder.calls, []);
  });

  it('lists the identical text first, at similarity 1, and once', async () => {
    const bench = await openBench({ embedder: placed(), rows: [{ task: 'near' }] });
    const id = await rememberId(bench, 'QUESTION');
    const { echoes } = await bench.engine.echo(around('question'));
    assert.deepEqual(
      echoes.map((echo) => [echo.task_text, echo.similarity]),
      [
        ['QUESTION', 1],
        ['near', 0.9],
      ],
    );
    assert.equal(echoes[0]?.entry_id, id);
  });

  it('finds the identical text without a model, and says that it is degraded', async () => {
    const bench = await openBench({ rows: [{ id: 'same', task: 'Question' }, { task: 'near' }] });
    bench.embedder.unavailable = 'The model file is missing.';
    const { echoes, degraded } = await bench.engine.echo(around('question'));
    assert.deepEqual([echoes.map((echo) => echo.entry_id), degraded], [['same'], 'no_model']);
  });

  it('records nothing', async () => {
    const { engine, store } = await openBench({ rows: [{ task: 'question' }] });
    const before = await engine.stats(PROJECT);
    await engine.echo(around('question'));
    assert.deepEqual(await engine.stats(PROJECT), before);
    assert.deepEqual(await store.recalls(PROJECT), []);
  });
});

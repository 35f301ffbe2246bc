import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OTHER_PROJECT, PROJECT, SETTINGS } from '../core/fixture.js';
import { CALLER, openToolBench, type ToolBench } from './fixture.js';

/** The structured result of a call that must succeed. */
async function calling(
  { dispatcher }: ToolBench,
  ...given: Parameters<ToolBench['dispatcher']['call']>
): Promise<Record<string, unknown>> {
  const { structuredContent, isError } = await dispatcher.call(...given);
  assert.equal(isError, undefined);
  return structuredContent ?? assert.fail('no structured result');
}

describe('callers that share an engine', () => {
  it('each have their own threshold, lifetime, recall log and project', async () => {
    const bench = await openToolBench();
    bench.embedder.place('question', { 'the task': 0.8 });
    const settings = { ...SETTINGS, defaultThreshold: 0.8, defaultTtlSeconds: 60, recallLogEnabled: false };
    const lenient = { ...CALLER, settings };
    const remembering = { task: 'the task', answer: 'yes' };
    const { entry_id } = await calling(bench, 'remember', remembering, lenient);
    assert.equal((await bench.store.get(String(entry_id)))?.expiresAt, bench.sources.time + 60);
    assert.equal((await calling(bench, 'recall', { task: 'question' }, lenient))['hit'], true);
    assert.equal((await calling(bench, 'recall', { task: 'question' }, CALLER))['hit'], false);
    const questions = (await bench.store.recalls(PROJECT)).map(({ query }) => query);
    assert.deepEqual(questions, [null, 'question']);
    const elsewhere = { ...CALLER, project: { key: OTHER_PROJECT, name: 'Project B' } };
    assert.equal((await calling(bench, 'recall', { task: 'the task' }, elsewhere))['reason'], 'empty');
  });
});

describe('a call that was sent before', () => {
  const call = { key: 'front 1', digest: 'digest', repeatedSince: null };
  const again = { ...call, repeatedSince: 0 };

  it('is answered with the stored result: remember', async () => {
    const bench = await openToolBench();
    const remembering = { task: 'the task', answer: 'yes' };
    const first = await bench.dispatcher.call('remember', remembering, CALLER, call);
    assert.deepEqual(await bench.dispatcher.call('remember', remembering, CALLER, again), first);
  });

  it('is answered with the stored result: forget', async () => {
    const bench = await openToolBench();
    const { entry_id } = await bench.succeed('remember', { task: 'the task', answer: 'yes' });
    assert.deepEqual(await calling(bench, 'forget', { entry_id }, CALLER, call), { forgotten: true });
    assert.deepEqual(await calling(bench, 'forget', { entry_id }, CALLER, again), { forgotten: true });
    assert.deepEqual(await calling(bench, 'forget', { entry_id }, CALLER, call), { forgotten: false });
  });
});

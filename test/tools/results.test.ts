import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { coreTools } from '../../src/tools/coreTools.js';
import { createDispatcher } from '../../src/tools/dispatcher.js';
import { CALLER, openToolBench, textOf, type ToolBench } from './fixture.js';

const listed = createDispatcher(
  { core: coreTools },
  () => Promise.reject(new Error('unused')),
  () => 0,
  () => undefined,
).list(CALLER);
const ajv = new Ajv2020({ strict: false });

/** Calls a tool and holds the result against its schemas; says what it was. */
async function check(bench: ToolBench, name: string, args: Record<string, unknown> = {}) {
  const tool = coreTools.find((one) => one.name === name);
  const schemas = listed.find((one) => one.name === name);
  assert.ok(tool && schemas?.outputSchema);
  assert.ok(ajv.validate(schemas.inputSchema, args), `${name}: ${ajv.errorsText()}`);

  const result = await bench.call(name, args);
  assert.equal(result.isError, undefined, textOf(result));
  const structured = result.structuredContent ?? assert.fail(`${name} has no structured result`);
  assert.deepEqual(JSON.parse(textOf(result)), structured, 'the text is the same JSON');
  assert.deepEqual(
    tool.output.strict().parse(structured),
    structured,
    'no field that the schema does not know',
  );
  assert.ok(ajv.validate(schemas.outputSchema, structured), `${name}: ${ajv.errorsText()}`);
  return structured;
}

async function remember(
  bench: ToolBench,
  task: string,
  given: Record<string, unknown> = {},
): Promise<string> {
  return String(
    (await check(bench, 'remember', { task, answer: `answer to ${task}`, ...given }))['entry_id'],
  );
}

describe('every result keeps to the schemas of its tool', () => {
  it('on an empty store', async () => {
    const bench = await openToolBench();
    assert.equal((await check(bench, 'recall', { task: 'x' }))['reason'], 'empty');
    assert.deepEqual(await check(bench, 'echo', { task: 'x' }), { count: 0, echoes: [] });
    assert.deepEqual(await check(bench, 'search', { query: 'x' }), { results: [], more: 0 });
    assert.deepEqual(await check(bench, 'forget', { entry_id: 'x' }), { forgotten: false });
    await check(bench, 'drift_report');
    await check(bench, 'stats');
  });

  it('with everything a result can hold', async () => {
    const bench = await openToolBench({ rows: [{ task: 'episode', kind: 'episode', expiresAt: 10 }] });
    bench.embedder.place('paraphrase', { 'the task': 0.9 });
    bench.embedder.place('close', { 'the task': 0.8 });
    const id = await remember(bench, 'the task', { tags: ['one'], ttl_seconds: 60 });
    assert.equal((await check(bench, 'recall', { task: 'paraphrase' }))['hit'], true);
    assert.ok((await check(bench, 'recall', { task: 'close' }))['nearest']);
    assert.equal((await check(bench, 'recall', { task: 'x', tags: ['two'] }))['reason'], 'filtered');
    await check(bench, 'recall', { task: 'the task', threshold: 0.5, top_k: 3, tags: ['one'] });

    const close = { task: 'close', answer: 'new' };
    assert.equal((await check(bench, 'remember', { ...close, skip_if_duplicate: true }))['stored'], false);
    assert.equal((await check(bench, 'remember', { ...close, ttl_seconds: 0 }))['warning'], 'near_duplicate');
    assert.equal(
      (await check(bench, 'remember', { task: 'x', answer: '', ttl_seconds: 0 }))['warning'],
      'already_expired',
    );
    assert.equal((await check(bench, 'remember', { task: 'x', answer: '' }))['refreshed'], true);
    const next = await remember(bench, 'the task', {
      answer: 'newer',
      supersedes: id,
      idempotency_key: 'key',
    });
    assert.equal(await remember(bench, 'the task', { idempotency_key: 'key', scope: 'global' }), next);

    assert.ok(
      ((await check(bench, 'echo', { task: 'paraphrase', top_k: 3 }))['echoes'] as unknown[]).length > 1,
    );
    assert.ok(
      ((await check(bench, 'search', { query: 'task', scope: 'all', limit: 1 }))['results'] as unknown[])
        .length > 0,
    );
    assert.equal(((await check(bench, 'get', { entry_id: next }))['history'] as unknown[]).length, 1);
    assert.equal((await check(bench, 'get', { entry_id: id }))['superseded_by'], next);
    const drift = { min_hits: 1, min_spread: 0 };
    assert.equal(((await check(bench, 'drift_report', drift))['candidates'] as unknown[]).length, 1);
    assert.deepEqual(await check(bench, 'forget', { entry_id: id }), { forgotten: true });
    const [forgotten] = (await check(bench, 'drift_report', drift))['candidates'] as { task_text: unknown }[];
    assert.equal(forgotten?.task_text, null);
  });

  it('without a model', async () => {
    const bench = await openToolBench();
    bench.embedder.unavailable = 'The model file is missing.';
    const id = await remember(bench, 'the task');
    for (const [name, args] of [
      ['recall', { task: 'the task' }],
      ['recall', { task: 'another task' }],
      ['echo', { task: 'the task' }],
      ['search', { query: 'task' }],
      ['remember', { task: 'the task', answer: 'two' }],
    ] as const) {
      assert.equal((await check(bench, name, args))['degraded'], 'no_model', name);
    }
    const stats = await check(bench, 'stats');
    assert.match(JSON.stringify(stats['model']), /The model file is missing/);
    await check(bench, 'get', { entry_id: id });
  });

  it('and stats name the project as people know it, and whether capture is on', async () => {
    const stats = await check(await openToolBench(), 'stats');
    assert.deepEqual([stats['project'], stats['capture_enabled']], ['Project A', true]);
    const first = ['total_entries', 'last_hit_at', 'hit_rate_last_100'];
    assert.deepEqual(Object.keys(stats).slice(0, 3), first, 'the contract comes first');
  });
});

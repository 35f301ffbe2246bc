import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { copyProgram } from './programCopy.js';
import { Sandbox } from './sandbox.js';

/** Names of the tools that are listed. */
async function listedTools(server: Awaited<ReturnType<Sandbox['start']>>): Promise<string[]> {
  const { result } = await server.request('tools/list');
  return (result as { tools: { name: string }[] }).tools.map(({ name }) => name); // The method's result.
}

const CORE = ['recall', 'remember', 'echo', 'search', 'get', 'forget', 'drift_report', 'stats'];

test('the handshake and the list of tools need no store; a call says why there is none', async (t) => {
  const box = new Sandbox(t);
  mkdirSync(dirname(box.storage), { recursive: true });
  writeFileSync(box.storage, 'a file where the folder should be');
  const server = await box.start();
  assert.deepEqual(await listedTools(server), CORE);
  for (const [tool, args] of [
    ['stats', {}],
    ['recall', { task: 'anything' }],
    ['remember', { task: 'anything', answer: 'x' }],
  ] as const) {
    assert.ok((await server.refusal(tool, args)).includes(box.storage), tool);
  }

  rmSync(box.storage);
  assert.equal((await server.call('remember', { task: 'anything', answer: 'x' })).stored, true);
});

test('with a damaged model memory goes on by words and identical text, and stats says why', async (t) => {
  const box = new Sandbox(t);
  const program = copyProgram(box);
  writeFileSync(join(program.model, 'onnx', 'model_quantized.onnx'), 'not a model');
  const server = await box.start({ program: program.server });
  assert.deepEqual(await listedTools(server), CORE);
  await server.modelSettled();

  const task = 'Resize the thumbnails without blurring them';
  const stored = await server.call('remember', { task, answer: 'Use Lanczos.' });
  assert.equal(stored.embedding_dim, null);
  assert.equal(stored.degraded, 'no_model');
  const same = await server.call('recall', { task: '  resize the THUMBNAILS without blurring them ' });
  assert.equal(same.hit, true);
  assert.equal(same.similarity, 1);
  assert.equal(same.degraded, 'no_model');
  const other = await server.call('recall', { task: 'thumbnails are blurred after resizing' });
  assert.equal(other.hit, false);
  assert.equal(other.reason, 'no_model');
  assert.equal(other.nearest?.task_text, task);
  assert.equal((await server.call('search', { query: 'thumbnails' })).results[0]?.task_text, task);

  const { model, health, without_vector } = await server.call('stats');
  assert.equal(model.state, 'unavailable');
  assert.match(model.reason ?? '', /model_quantized\.onnx/);
  assert.deepEqual(
    health.map(({ code }) => code),
    ['no_model'],
  );
  assert.equal(without_vector, 1);
});

test('with a damaged or missing database engine every call says so, and the server stays up', async (t) => {
  for (const content of ['not an engine', null]) {
    const box = new Sandbox(t);
    const program = copyProgram(box);
    const engine = join(dirname(program.server), 'sql-wasm.wasm');
    if (content === null) rmSync(engine);
    else writeFileSync(engine, content);
    const server = await box.start({ program: program.server });
    for (const tool of ['stats', 'drift_report'] as const) {
      assert.match(await server.refusal(tool, {}), /sql-wasm\.wasm.*Install the program again/);
    }
    assert.deepEqual(await listedTools(server), CORE);
  }
});

test('the model may be named as stats shows it', async (t) => {
  const box = new Sandbox(t);
  const first = await box.start();
  await first.modelSettled();
  const { name } = (await first.call('stats')).model;
  await first.call('remember', { task: 'Name the model', answer: 'x' });
  await first.end();
  const next = await box.start({ env: { SUBCONSCIOUS_EMBEDDING_MODEL: name } });
  const stats = await next.call('stats');
  assert.deepEqual([stats.model.name, stats.without_vector, stats.total_entries], [name, 0, 1]);
});

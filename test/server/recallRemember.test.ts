import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import packageJson from '../../package.json' with { type: 'json' };
import { Sandbox } from './sandbox.js';
import { until } from './until.js';

const box = new Sandbox({ after });
let client: Client;
before(connect);

/** A server with the model loaded, however long that takes on this machine. */
async function connect(): Promise<void> {
  client = await box.connect();
  await until(
    'the model is loaded',
    async () => !('degraded' in (await call('search', { query: 'warm up' }))),
    60,
  );
}

/** The structured result; fails where the text beside it is not the same JSON. */
async function call(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: args });
  const [part] = content as { type: string; text: string }[]; // What the protocol says of content.
  assert.notEqual(isError, true, part?.text);
  assert.deepEqual(JSON.parse(part?.text ?? ''), structuredContent);
  return structuredContent as Record<string, unknown>; // As above.
}

const TASK = 'Fix flaky integration tests that fail because the database container is not ready';
const ANSWER = 'Wait for pg_isready in the compose health check before the tests start.';

test('the client learns who serves it and how to use it in under 250 words', () => {
  const { name, version } = client.getServerVersion() ?? {};
  assert.deepEqual({ name, version }, { name: 'subconscious-mcp', version: packageJson.version });
  const instructions = client.getInstructions() ?? '';
  for (const tool of ['recall', 'remember', 'echo']) assert.match(instructions, new RegExp(`\\b${tool}\\b`));
  assert.ok(instructions.split(/\s+/).length < 250);
});

test('an empty memory misses and says that it is empty', async () => {
  const result = await call('recall', { task: TASK });
  assert.deepEqual(result, {
    hit: false,
    similarity: 0,
    answer: null,
    task_text: null,
    entry_id: null,
    stored_at: null,
    tags: [],
    reason: 'empty',
  });
});

test('what was remembered is recalled by a paraphrase, and a stranger misses', async () => {
  const stored = await call('remember', { task: TASK, answer: ANSWER, tags: ['testing', 'docker'] });
  assert.equal(stored['stored'], true);
  assert.equal(stored['embedding_dim'], 384);

  const hit = await call('recall', {
    task: 'Fix flaky integration tests failing because the database container is not ready yet',
  });
  assert.equal(hit['hit'], true);
  assert.equal(hit['answer'], ANSWER);
  assert.equal(hit['task_text'], TASK);
  assert.equal(hit['entry_id'], stored['entry_id']);
  assert.deepEqual(hit['tags'], ['testing', 'docker']);
  const similarity = Number(hit['similarity']);
  assert.ok(similarity >= 0.85 && similarity < 1, `similarity ${similarity}`);

  const stranger = await call('recall', { task: 'Choose a colour palette for the marketing site' });
  assert.equal(stranger['hit'], false);
  assert.equal(stranger['reason'], 'below_threshold');
  assert.equal(stranger['nearest'], undefined);
});

test('a near miss names the entry it missed, without the answer', async () => {
  const similar = {
    task: 'Fix flaky integration tests failing because the database container is not ready yet',
  };
  const { similarity } = await call('recall', similar);
  const miss = await call('recall', { ...similar, threshold: Math.min(1, Number(similarity) + 0.01) });
  assert.equal(miss['hit'], false);
  assert.equal(miss['answer'], null);
  assert.deepEqual(Object.keys(miss['nearest'] ?? {}).sort(), ['entry_id', 'similarity', 'task_text']);
});

test('echo, search, get, forget and the reports agree on one entry', async () => {
  const task = 'Rotate the signing key of the release pipeline';
  const { entry_id } = await call('remember', {
    task,
    answer: 'Run release/rotate-key and commit the public half.',
  });
  const echo = await call('echo', { task });
  assert.equal((echo['echoes'] as { entry_id: string }[])[0]?.entry_id, entry_id);
  assert.doesNotMatch(JSON.stringify(echo), /rotate-key/);
  const search = await call('search', { query: 'rotate-key' });
  assert.equal((search['results'] as { entry_id: string }[])[0]?.entry_id, entry_id);
  assert.equal((await call('get', { entry_id }))['task_text'], task);
  assert.deepEqual(await call('forget', { entry_id }), { forgotten: true });
  assert.deepEqual(await call('forget', { entry_id }), { forgotten: false });
  assert.equal((await call('recall', { task }))['hit'], false);
  assert.deepEqual((await call('drift_report'))['candidates'], []);
  const stats = await call('stats');
  assert.equal(stats['total_entries'], 1);
  assert.equal((stats['model'] as { state: string }).state, 'ready');
});

test('a new server on the same store recalls what the last one remembered', async () => {
  await client.close();
  await connect();
  const hit = await call('recall', { task: 'fix flaky integration tests: database container is not ready' });
  assert.equal(hit['hit'], true);
  assert.equal(hit['answer'], ANSWER);
});

test('unrelated texts in a script the model does not know do not answer for each other', async () => {
  await call('remember', { task: 'ลบไฟล์เก่า', answer: 'find -mtime +30 -delete' });
  await call('remember', { task: '请重启服务器', answer: 'systemctl restart app' });
  for (const task of ['สร้างไฟล์ใหม่', 'วันนี้อากาศร้อนมาก', '请购买苹果']) {
    assert.equal((await call('recall', { task }))['hit'], false, task);
  }
});

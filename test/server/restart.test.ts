import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from './sandbox.js';
import type { ServerProcess } from './serverProcess.js';

const box = new Sandbox({ after });
const TASK = 'Make the nightly backup of the customer database finish before six';
let server: ServerProcess;
before(async () => {
  server = await box.start();
  await server.modelSettled();
});

async function restart(env: Record<string, string> = {}): Promise<void> {
  await server.end();
  server = await box.start({ env });
}

test('hit rate, last hit and drift report are the same after a restart', async () => {
  await server.call('remember', { task: TASK, answer: 'Run it with four jobs in parallel.' });
  const questions = [
    TASK,
    'Nightly backup of the customer database must finish before six',
    'Speed up the database backup at night',
  ];
  for (const task of questions)
    assert.equal((await server.call('recall', { task, threshold: 0.4 })).hit, true, task);
  assert.equal(
    (await server.call('recall', { task: 'Translate the onboarding mail into Polish' })).hit,
    false,
  );

  const stats = await server.call('stats');
  assert.equal(stats.hit_rate_last_100, 0.75);
  assert.ok(stats.last_hit_at !== null);
  const drift = await server.call('drift_report');
  assert.equal(drift.analyzed_recalls, 4);
  assert.equal(drift.candidates[0]?.task_text, TASK);
  assert.equal(drift.candidates[0].hits, 3);
  assert.equal(drift.candidates[0].similarity_max, 1);

  await restart();
  const later = await server.call('stats');
  assert.equal(later.hit_rate_last_100, stats.hit_rate_last_100);
  assert.equal(later.last_hit_at, stats.last_hit_at);
  assert.deepEqual(await server.call('drift_report'), drift);
});

test('what was forgotten stays in the trash, and stays in the drift report as gone', async () => {
  const { echoes } = await server.call('echo', { task: TASK, top_k: 1 });
  await server.call('forget', { entry_id: echoes[0]?.entry_id });
  await restart(WITHOUT_MODEL);
  const { trash, total_entries } = await server.call('stats');
  assert.deepEqual({ trash, total_entries }, { trash: 1, total_entries: 0 });
  assert.equal((await server.call('recall', { task: TASK })).hit, false);
  const [candidate] = (await server.call('drift_report')).candidates;
  assert.equal(candidate?.still_stored, false);
  assert.equal(candidate.task_text, null);
});

test('an idempotency key is answered with the first result, word for word', async () => {
  const request = { task: 'Stored once', answer: 'x', idempotency_key: 'retry-1' };
  const first = await server.call('remember', request);
  assert.deepEqual(await server.call('remember', request), first);
  await restart(WITHOUT_MODEL);
  assert.deepEqual(await server.call('remember', { ...request, answer: 'changed' }), first);
  assert.equal((await server.call('get', { entry_id: first.entry_id })).answer, 'x');
  assert.equal((await server.call('stats')).total_entries, 1);
});

test('concurrent calls with one idempotency key store one row', async () => {
  const before = (await server.call('stats')).total_entries;
  const request = { task: 'Stored once by many', answer: 'x', idempotency_key: 'retry-2' };
  const results = await Promise.all(Array.from({ length: 10 }, () => server.call('remember', request)));
  assert.equal(new Set(results.map(({ entry_id }) => entry_id)).size, 1);
  assert.equal((await server.call('stats')).total_entries, before + 1);
});

test('what an entry replaced is its history, and is not recalled', async () => {
  const task = 'Which port does the staging proxy listen on';
  const ids: (string | undefined)[] = [];
  for (const answer of ['8080', '8443', '9443']) {
    const supersedes = ids.at(-1);
    const { entry_id, superseded } = await server.call('remember', { task, answer, supersedes });
    assert.equal(superseded, supersedes);
    ids.push(entry_id);
  }
  await restart(WITHOUT_MODEL);
  assert.equal((await server.call('recall', { task })).answer, '9443');
  const entry = await server.call('get', { entry_id: ids[2] });
  assert.deepEqual(
    entry.history.map(({ answer }) => answer),
    ['8443', '8080'],
  );
  assert.equal((await server.call('get', { entry_id: ids[0] })).superseded_by, ids[1]);
  assert.equal((await server.call('stats')).superseded, 2);
  const refusal = await server.refusal('remember', { task, answer: '1', supersedes: ids[0] });
  assert.match(refusal, new RegExp(`already replaced by ${ids[2] ?? ''}`));
});

test('the same task and answer again renew the entry instead of doubling it', async () => {
  const row = { task: 'Clear the CDN cache', answer: 'Run purge-all.' };
  const first = await server.call('remember', { ...row, tags: ['cdn'] });
  await restart(WITHOUT_MODEL);
  const again = await server.call('remember', { ...row, task: '  Clear the  CDN cache', tags: ['ops'] });
  assert.equal(again.refreshed, true);
  assert.equal(again.entry_id, first.entry_id);
  assert.match(again.note ?? '', /renewed/);
  assert.deepEqual((await server.call('get', { entry_id: first.entry_id })).tags, ['cdn', 'ops']);
});

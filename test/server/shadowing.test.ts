import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import type { Memory } from '../../src/core/memory.js';
import { ChildEmbedder } from '../../src/embedding/childEmbedder.js';
import { identifyProject } from '../../src/project/project.js';
import { openSqlStore } from '../../src/storage/sqlStore.js';
import { Sandbox } from './sandbox.js';

const QUESTION = 'Restart the payment worker after a failed deployment';
const VALID = 'Bring the payment service back up when a release went wrong';
const SHADOWS = 500;
const NOW = Date.now() / 1000;

const embedder = new ChildEmbedder({
  modelName: 'all-MiniLM-L6-v2',
  script: fileURLToPath(new URL('../../dist/embedder.js', import.meta.url)),
});

/** Rows as near to the question as can be, each of them invalid here for the reason given. */
const shadows: readonly [string, (id: string) => Partial<Memory>][] = [
  ['expired', () => ({ expiresAt: NOW - 1 })],
  ['superseded', () => ({ supersededBy: 'some-newer-row' })],
  ['episodes', () => ({ kind: 'episode' })],
  ['of another project', () => ({ project: 'path:/somebody/else' })],
];

test('500 nearer rows of every invalid kind do not hide the one valid row', async (t) => {
  const box = new Sandbox(t);
  t.after(() => embedder.close());
  const { key } = identifyProject({ namespace: null, directory: box.project, home: box.home });
  const [question, valid] = await embedder.embed([QUESTION, VALID]);
  assert.ok(question && valid);
  const row = (id: string, task: string, rest: Partial<Memory>): Memory => ({
    id,
    kind: 'memory',
    project: key,
    task,
    answer: `answer of ${id}`,
    tags: ['shared'],
    source: 'remember',
    storedAt: NOW - 60,
    expiresAt: null,
    supersededBy: null,
    deletedAt: null,
    ...rest,
  });

  box.folder('home', '.subconscious-mcp', 'data');
  const store = await openSqlStore(box.storage);
  for (const [reason, change] of shadows) {
    for (let at = 0; at < SHADOWS; at += 1) {
      // Half of them are the very question, half only its vector.
      const id = `${reason}-${at}`;
      const memory = row(id, at % 2 === 0 ? QUESTION : `${QUESTION} ${at}`, change(id));
      await store.insert({ memory, vector: { model: embedder.model, values: question } });
    }
  }
  await store.insert({ memory: row('valid', VALID, {}), vector: { model: embedder.model, values: valid } });
  await store.close();

  const server = await box.start();
  await server.modelSettled();
  for (const args of [{}, { tags: ['shared'] }, { tags: ['other', 'shared'], top_k: 5 }]) {
    const hit = await server.call('recall', { task: QUESTION, threshold: 0.5, ...args });
    assert.equal(hit.entry_id, 'valid', JSON.stringify([args, hit]));
  }
  const found = await server.call('search', { query: QUESTION, kind: 'memory' });
  assert.deepEqual(
    found.results.map(({ entry_id }) => entry_id),
    ['valid'],
  );
  const { echoes } = await server.call('echo', { task: QUESTION, top_k: 100 });
  assert.ok(
    echoes.every(({ entry_id }) => entry_id.startsWith('episodes-')),
    'only episodes are nearer and shown',
  );
  const { by_kind, expired, superseded, total_entries } = await server.call('stats');
  assert.deepEqual(by_kind, { memory: SHADOWS + 1, episode: SHADOWS });
  assert.deepEqual(
    { expired, superseded, total_entries },
    { expired: SHADOWS, superseded: SHADOWS, total_entries: 2 * SHADOWS + 1 },
  );
});

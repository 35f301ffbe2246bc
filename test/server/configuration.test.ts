import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SETTINGS } from '../../src/config/settings.js';
import { spoolTurns } from '../../src/capture/spoolTurns.js';
import { inboxOf } from '../../src/capture/spool.js';
import { identifyProject } from '../../src/project/project.js';
import { review, REVIEWING } from '../../test/shared/reviewer.js';
import { Sandbox, WITHOUT_MODEL } from './sandbox.js';
import type { ServerProcess } from './serverProcess.js';
import { until } from './until.js';

interface Key {
  readonly env: string | null;
  /** Set in the file, and what is to be seen then. */
  readonly file: readonly [value: unknown, seen: unknown];
  /** Set in the environment over the file; without a variable there is nothing more to see. */
  readonly variable: readonly [value: string, seen: unknown];
  readonly preset: unknown;
  /** The effect as a client sees it. */
  readonly see: (server: ServerProcess, box: Sandbox) => Promise<unknown>;
}

const withModel: Readonly<Record<string, Key>> = {
  storage_dir: {
    env: 'SUBCONSCIOUS_STORAGE_DIR',
    file: ['~/from-file', 'home/from-file'],
    variable: ['~/from-env', 'home/from-env'],
    preset: 'home/.subconscious-mcp/data',
    async see(server, box) {
      await server.call('remember', { task: 'where', answer: 'here' });
      const folders = ['home/from-file', 'home/from-env', 'home/.subconscious-mcp/data'];
      return folders.filter((folder) => existsSync(join(box.root, folder, 'changes.log'))).join();
    },
  },
  default_threshold: {
    env: 'SUBCONSCIOUS_DEFAULT_THRESHOLD',
    file: [0.3, 'hit'],
    variable: ['0.99', 'miss'],
    preset: 'miss',
    async see(server) {
      await server.call('remember', { task: 'Deploy the documentation site', answer: 'x' });
      return (await server.call('recall', { task: 'Publish the docs pages' })).hit ? 'hit' : 'miss';
    },
  },
  default_ttl_seconds: {
    env: null,
    file: [3600, 3600],
    variable: ['', 3600],
    preset: null,
    async see(server) {
      const { entry_id } = await server.call('remember', { task: 'how long', answer: 'x' });
      const { expires_at, stored_at } = await server.call('get', { entry_id });
      return expires_at === null ? null : Math.round(expires_at - stored_at);
    },
  },
  log_level: {
    env: 'SUBCONSCIOUS_LOG_LEVEL',
    file: ['debug', 'DEBUG,INFO'],
    variable: ['CRITICAL', ''],
    preset: 'INFO',
    async see(server, box) {
      await server.call('stats');
      const file = join(box.home, '.subconscious-mcp', 'logs', 'server.log');
      const log = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return ['DEBUG', 'INFO'].filter((level) => log.includes(` ${level} `)).join();
    },
  },
  echo_log_enabled: {
    env: 'SUBCONSCIOUS_ECHO_LOG_ENABLED',
    file: [false, 0],
    variable: ['yes', 1],
    preset: 1,
    async see(server) {
      const before = await server.call('drift_report');
      await server.call('recall', { task: 'how long' });
      assert.notEqual((await server.call('stats')).last_hit_at, null, 'the outcome is kept either way');
      return (await server.call('drift_report')).analyzed_recalls - before.analyzed_recalls;
    },
  },
  namespace: {
    env: 'SUBCONSCIOUS_NAMESPACE',
    file: ['Of The File', 'of-the-file'],
    variable: ['of_the_env', 'of_the_env'],
    preset: 'project',
    see: async (server) => (await server.call('stats')).project,
  },
  capture_enabled: {
    env: 'SUBCONSCIOUS_CAPTURE_ENABLED',
    file: [false, false],
    variable: ['on', true],
    preset: true,
    see: async (server) => (await server.call('stats')).capture_enabled,
  },
};

/** These would be in the way of the ones above. */
const others: Readonly<Record<string, Key>> = {
  embedding_model: {
    env: 'SUBCONSCIOUS_EMBEDDING_MODEL',
    file: ['model-of-the-file', 'model-of-the-file unavailable'],
    variable: ['model-of-the-env', 'model-of-the-env unavailable'],
    preset: 'all-MiniLM-L6-v2 ready',
    async see(server) {
      await server.call('remember', { task: 'which model', answer: 'x' });
      const { name, state } = (await server.call('stats')).model;
      return `${name.replace(/@.*/, '')} ${state}`;
    },
  },
  toolsets: {
    env: 'SUBCONSCIOUS_TOOLSETS',
    file: [['core', 'admin'], 22],
    variable: ['core', 8],
    preset: 8,
    async see(server) {
      const { result } = await server.request('tools/list');
      return (result as { tools: readonly unknown[] }).tools.length;
    },
  },
  echo_log_max_bytes: {
    env: 'SUBCONSCIOUS_ECHO_LOG_MAX_BYTES',
    file: [1000, 'cut'],
    variable: ['1e6', 'whole'],
    preset: 'whole',
    async see(server) {
      for (let at = 0; at < 20; at += 1) await server.call('recall', { task: `question ${at} `.repeat(10) });
      return (await server.call('drift_report')).analyzed_recalls === 20 ? 'whole' : 'cut';
    },
  },
};

const scenarios: readonly [string, (key: Key) => { file?: unknown; variable?: string; seen: unknown }][] = [
  ['without configuration the defaults hold', ({ preset }) => ({ seen: preset })],
  ['the file takes effect', ({ file: [file, seen] }) => ({ file, seen })],
  ['an empty variable counts as unset', ({ file: [file, seen] }) => ({ file, variable: '', seen })],
  [
    'a variable wins over the file',
    ({ file: [file], variable: [variable, seen] }) => ({ file, variable, seen }),
  ],
];

for (const [name, set] of scenarios) {
  for (const keys of [withModel, others]) {
    const names = Object.keys(keys);
    test(`${name}: ${names.join(', ')}`, async (t) => {
      const box = new Sandbox(t);
      const content: Record<string, unknown> = {};
      const env: Record<string, string> = {};
      const expected: Record<string, unknown> = {};
      for (const [key, description] of Object.entries(keys)) {
        const { file, variable, seen } = set(description);
        if (file !== undefined) content[key] = file;
        if (variable !== undefined && description.env !== null) env[description.env] = variable;
        expected[key] = seen;
      }
      box.configure(content);
      const server = await box.start({ env });
      await server.modelSettled();
      const seen: Record<string, unknown> = {};
      for (const [key, { see }] of Object.entries(keys)) seen[key] = await see(server, box);
      assert.deepEqual(seen, expected);
    });
  }
}

test('from the next start on there are no more episodes than configured, and none older', async (t) => {
  const box = new Sandbox(t);
  const project = identifyProject({ namespace: null, directory: box.project, home: box.home });
  const turn = { id: 'one', task: 'a question', outcome: 'an answer', final: true };
  for (const [day, sessionId] of ['today', 'yesterday', 'long ago'].entries()) {
    const at = Date.now() / 1000 - (day === 2 ? 1000 : day) * 86_400;
    const turns = [{ ...turn, at, revisedAt: at }];
    spoolTurns(inboxOf(box.storage), { project, directory: box.project, sessionId, turns });
  }
  const left = async (env: Record<string, string>) => {
    const server = await box.start({ env: { ...REVIEWING, ...env } });
    await server.call('stats');
    await until('the inbox is empty', () => readdirSync(inboxOf(box.storage)).length === 0);
    const { ingested } = (await review(server, 'episodes')).counts;
    await server.end();
    return ingested;
  };
  const plenty = { SUBCONSCIOUS_EPISODE_DAYS: '5000' };
  assert.equal(await left(plenty), 3);
  assert.equal(await left({}), 2);
  assert.equal(await left({ ...plenty, SUBCONSCIOUS_EPISODE_LIMIT: '1' }), 1);
});

/** Keys about processes, tested with these, and about episodes, tested above. */
const about = { standalone: null, idle_seconds: null, episode_days: null, episode_limit: null };

test('every key there is has its test here or is known to have it elsewhere', () => {
  const seen = Object.keys({ ...withModel, ...others, ...about });
  assert.deepEqual(seen.sort(), Object.keys(SETTINGS).sort());
});

test('the threshold and the lifetime of a call win over the configured ones', async (t) => {
  const box = new Sandbox(t);
  box.configure({ default_threshold: 1, default_ttl_seconds: 60 });
  const server = await box.start();
  await server.modelSettled();
  const { entry_id } = await server.call('remember', {
    task: 'Deploy the documentation site',
    answer: 'x',
    ttl_seconds: 7200,
  });
  const { expires_at, stored_at } = await server.call('get', { entry_id });
  assert.equal(Math.round(Number(expires_at) - stored_at), 7200);
  assert.equal((await server.call('recall', { task: 'Publish the docs pages', threshold: 0.3 })).hit, true);
});

test('--config reads another file instead', async (t) => {
  const box = new Sandbox(t);
  const other = join(box.root, 'other.json');
  writeFileSync(other, '{ "namespace": "other-file" }');
  box.configure({ namespace: 'usual-file' });
  const server = await box.start({ env: WITHOUT_MODEL, args: ['--config', other] });
  assert.equal((await server.call('stats')).project, 'other-file');
});

test('a key nobody knows does not stop the server; log and stats suggest the right one', async (t) => {
  const box = new Sandbox(t);
  box.configure({ default_treshold: 0.5 });
  const server = await box.start({ env: WITHOUT_MODEL });
  const { health } = await server.call('stats');
  assert.match(JSON.stringify(health), /default_treshold.*default_threshold/);
  const log = readFileSync(join(box.home, '.subconscious-mcp', 'logs', 'server.log'), 'utf8');
  assert.match(log, /default_treshold.*default_threshold/);
});

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig, type Config } from '../../src/config/config.js';
import { directoryIdentity } from '../../src/link/address.js';
import { introduction } from '../../src/server/introduction.js';

const root = mkdtempSync(join(tmpdir(), 'introduction-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** The introduction of a client that works in `directory`. */
function introducing(changes: Partial<Config> = {}, directory = root) {
  const env = { SUBCONSCIOUS_STORAGE_DIR: join(root, 'store') };
  const config = { ...readConfig({ env, home: '' }), ...changes };
  const setup = {
    config,
    version: '1.2.3',
    home: '',
    directory,
    leaving: new Promise<string>(() => undefined),
  };
  return { config, hello: introduction(setup, 'front-0001') };
}

test('each host is told its own token, and the same of all else', () => {
  const { hello } = introducing();
  const [first, second] = [hello('a'), hello('b')];
  assert.deepEqual([first.token, first.version, first.frontId], ['a', '1.2.3', 'front-0001']);
  assert.deepEqual({ ...second, token: 'a' }, first);
});

test('the project is that of the folder the client works in, looked up once', () => {
  const directory = join(root, 'shop');
  mkdirSync(directory);
  const { hello } = introducing({}, directory);
  const { project } = hello('a');
  assert.equal(project.name, 'shop');
  rmSync(directory, { recursive: true });
  assert.equal(hello('b').project, project);
});

test('a namespace is the project', () => {
  const { hello } = introducing({ namespace: 'mine' });
  assert.deepEqual(hello('a').project, { key: 'namespace:mine', name: 'mine' });
});

test('the storage directory is named as it is at that time', () => {
  const { config, hello } = introducing();
  assert.equal(hello('a').store, null);
  mkdirSync(config.storageDir);
  const store = directoryIdentity(config.storageDir);
  assert.match(store ?? '', /^\d+:\d+$/);
  assert.equal(hello('a').store, store);
});

test('settings that are a client’s own come with it, nothing else of the configuration does', () => {
  const settings = {
    defaultThreshold: 0.9,
    defaultTtlSeconds: 60,
    echoLogEnabled: false,
    echoLogMaxBytes: 7,
    captureEnabled: false,
    embeddingModel: 'another',
    toolsets: ['core', 'admin'] as const,
    warnings: ['It has no effect.'],
  };
  assert.deepEqual(introducing(settings).hello('a').settings, settings);
});

test('of many warnings the first twenty are told', () => {
  const warnings = Array.from({ length: 30 }, (_, n) => `Setting ${n} is unknown.`);
  assert.deepEqual(introducing({ warnings }).hello('a').settings.warnings, warnings.slice(0, 20));
});

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { printable, readConfig } from '../../src/config/config.js';
import { file, home, read, refusal, write } from './home.js';

test('without file and environment every key has its default', () => {
  assert.deepEqual(read(), {
    storageDir: join(home, '.subconscious-mcp', 'data'),
    embeddingModel: 'all-MiniLM-L6-v2',
    defaultThreshold: 0.85,
    defaultTtlSeconds: null,
    logLevel: 'INFO',
    echoLogEnabled: true,
    echoLogMaxBytes: 5_000_000,
    namespace: null,
    captureEnabled: true,
    episodeDays: 90,
    episodeLimit: 2000,
    toolsets: ['core'],
    standalone: false,
    idleSeconds: process.platform === 'win32' ? 10 : 60,
    warnings: [],
  });
});

test('every key of the file takes effect', () => {
  write({
    storage_dir: join(home, 'elsewhere'),
    embedding_model: 'other-model',
    default_threshold: 0.5,
    default_ttl_seconds: 3600,
    log_level: 'debug',
    echo_log_enabled: false,
    echo_log_max_bytes: 1000,
    namespace: 'Team',
    capture_enabled: false,
    episode_days: 30,
    episode_limit: 100,
    toolsets: ['admin', 'core'],
    standalone: true,
    idle_seconds: 5,
  });
  assert.deepEqual(read(), {
    storageDir: join(home, 'elsewhere'),
    embeddingModel: 'other-model',
    defaultThreshold: 0.5,
    defaultTtlSeconds: 3600,
    logLevel: 'DEBUG',
    echoLogEnabled: false,
    echoLogMaxBytes: 1000,
    namespace: 'Team',
    captureEnabled: false,
    episodeDays: 30,
    episodeLimit: 100,
    toolsets: ['core', 'admin'],
    standalone: true,
    idleSeconds: 5,
    warnings: [],
  });
});

test('every variable wins over the file', () => {
  write({
    default_threshold: 0.5,
    log_level: 'ERROR',
    namespace: 'file',
    echo_log_enabled: true,
    episode_days: 1,
    episode_limit: 2,
    toolsets: ['core'],
  });
  const config = read({
    SUBCONSCIOUS_STORAGE_DIR: join(home, 'env'),
    SUBCONSCIOUS_EMBEDDING_MODEL: 'env-model',
    SUBCONSCIOUS_DEFAULT_THRESHOLD: '0.7',
    SUBCONSCIOUS_LOG_LEVEL: 'Critical',
    SUBCONSCIOUS_ECHO_LOG_ENABLED: 'no',
    SUBCONSCIOUS_ECHO_LOG_MAX_BYTES: '2000',
    SUBCONSCIOUS_NAMESPACE: 'env',
    SUBCONSCIOUS_CAPTURE_ENABLED: 'off',
    SUBCONSCIOUS_EPISODE_DAYS: '30',
    SUBCONSCIOUS_EPISODE_LIMIT: ' 5e2 ',
    SUBCONSCIOUS_TOOLSETS: 'admin',
    SUBCONSCIOUS_STANDALONE: '1',
    SUBCONSCIOUS_IDLE_SECONDS: '7',
  });
  assert.deepEqual(config, {
    storageDir: join(home, 'env'),
    embeddingModel: 'env-model',
    defaultThreshold: 0.7,
    defaultTtlSeconds: null,
    logLevel: 'CRITICAL',
    echoLogEnabled: false,
    echoLogMaxBytes: 2000,
    namespace: 'env',
    captureEnabled: false,
    episodeDays: 30,
    episodeLimit: 500,
    toolsets: ['admin'],
    standalone: true,
    idleSeconds: 7,
    warnings: [],
  });
});

test('a process that waits for clients stays less long on Windows, where it is in the way of updates', () => {
  assert.equal(readConfig({ env: {}, home, platform: 'win32' }).idleSeconds, 10);
  assert.equal(readConfig({ env: {}, home, platform: 'darwin' }).idleSeconds, 60);
});

test('the time to live has no variable', () => {
  assert.equal(read({ SUBCONSCIOUS_DEFAULT_TTL_SECONDS: '60' }).defaultTtlSeconds, null);
});

test('an empty or blank variable counts as unset', () => {
  write({ default_threshold: 0.5, storage_dir: 'kept' });
  const config = read({ SUBCONSCIOUS_DEFAULT_THRESHOLD: '', SUBCONSCIOUS_STORAGE_DIR: ' ' });
  assert.equal(config.defaultThreshold, 0.5);
  assert.equal(config.storageDir, join(dirname(file), 'kept'));
});

test('the words for true and false are read in any case, in the environment and in the file', () => {
  for (const word of ['0', 'false', 'no', 'off', 'FALSE', ' Off ']) {
    assert.equal(read({ SUBCONSCIOUS_CAPTURE_ENABLED: word }).captureEnabled, false, word);
  }
  for (const word of ['1', 'true', 'yes', 'on', 'ON']) {
    write({ capture_enabled: false });
    assert.equal(read({ SUBCONSCIOUS_CAPTURE_ENABLED: word }).captureEnabled, true, word);
    write({ capture_enabled: word });
    assert.equal(read().captureEnabled, true, word);
  }
});

test('toolsets are names in any case and order, each once, in the environment and in the file', () => {
  for (const [given, expected] of [
    ['core', ['core']],
    ['admin', ['admin']],
    [' Admin , CORE ', ['core', 'admin']],
    ['core,core', ['core']],
  ] as const) {
    assert.deepEqual(read({ SUBCONSCIOUS_TOOLSETS: given }).toolsets, expected, given);
    write({ toolsets: given });
    assert.deepEqual(read().toolsets, expected, given);
    write({ toolsets: given.split(',') });
    assert.deepEqual(read().toolsets, expected, given);
    rmSync(file);
  }
});

test('an explicit file must exist, and replaces the default one', () => {
  write({ log_level: 'ERROR' });
  const other = join(home, 'other.json');
  assert.match(
    refusal(() => read({}, other)),
    /other\.json cannot be read: there is no such file/,
  );
  write({ default_threshold: 0.1 }, other);
  const config = read({}, other);
  assert.deepEqual([config.defaultThreshold, config.logLevel], [0.1, 'INFO']);
  assert.equal(read({}, '~/other.json').defaultThreshold, 0.1);
});

test('the home sign is expanded, and a relative storage folder of the file is relative to the file', () => {
  assert.equal(read({ SUBCONSCIOUS_STORAGE_DIR: '~' }).storageDir, home);
  assert.equal(read({ SUBCONSCIOUS_STORAGE_DIR: '~/a/../b' }).storageDir, join(home, 'b'));
  assert.equal(read({ SUBCONSCIOUS_STORAGE_DIR: 'rel/' }).storageDir, resolve('rel'));
  assert.equal(read({ SUBCONSCIOUS_STORAGE_DIR: '~user' }).storageDir, resolve('~user'));
  write({ storage_dir: './rel' });
  assert.equal(read().storageDir, join(dirname(file), 'rel'));
});

test('the printed form has the keys of the file and reads back as the same configuration', () => {
  const config = read({
    SUBCONSCIOUS_NAMESPACE: '経理',
    SUBCONSCIOUS_DEFAULT_THRESHOLD: '0.6',
    SUBCONSCIOUS_TOOLSETS: 'core,admin',
  });
  for (const original of [config, read()]) {
    write(printable(original));
    assert.deepEqual(read(), original);
  }
  assert.deepEqual(Object.keys(JSON.parse(printable(config)) as object), [
    'storage_dir',
    'embedding_model',
    'default_threshold',
    'default_ttl_seconds',
    'log_level',
    'echo_log_enabled',
    'echo_log_max_bytes',
    'namespace',
    'capture_enabled',
    'episode_days',
    'episode_limit',
    'toolsets',
    'standalone',
    'idle_seconds',
  ]);
});

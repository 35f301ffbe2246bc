import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { printable, readConfig, type Config } from '../../src/config/config.js';
import { ConfigError } from '../../src/config/configError.js';

const root = mkdtempSync(join(tmpdir(), 'config-'));
after(() => rmSync(root, { recursive: true, force: true }));

let home = '';
let file = '';
beforeEach(() => {
  home = mkdtempSync(join(root, 'home-'));
  file = join(home, '.subconscious-mcp', 'config.json');
});

function write(content: unknown, to = file): void {
  mkdirSync(dirname(to), { recursive: true });
  const raw = typeof content === 'string' || Buffer.isBuffer(content);
  writeFileSync(to, raw ? content : JSON.stringify(content));
}

const read = (env: Record<string, string> = {}, configPath?: string): Config =>
  readConfig({ env, home, configPath });

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    assert.equal(error.reason, 'config');
    return error.message;
  }
  return assert.fail('nothing was refused');
}

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
    standalone: true,
    idleSeconds: 5,
    warnings: [],
  });
});

test('every variable wins over the file', () => {
  write({ default_threshold: 0.5, log_level: 'ERROR', namespace: 'file', echo_log_enabled: true });
  const config = read({
    SUBCONSCIOUS_STORAGE_DIR: join(home, 'env'),
    SUBCONSCIOUS_EMBEDDING_MODEL: 'env-model',
    SUBCONSCIOUS_DEFAULT_THRESHOLD: '0.7',
    SUBCONSCIOUS_LOG_LEVEL: 'Critical',
    SUBCONSCIOUS_ECHO_LOG_ENABLED: 'no',
    SUBCONSCIOUS_ECHO_LOG_MAX_BYTES: '2000',
    SUBCONSCIOUS_NAMESPACE: 'env',
    SUBCONSCIOUS_CAPTURE_ENABLED: 'off',
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

test('a bad variable is refused with its name, what was found and what is allowed', () => {
  const cases: [string, string, RegExp][] = [
    ['SUBCONSCIOUS_DEFAULT_THRESHOLD', '1.01', /a number from 0 to 1/],
    ['SUBCONSCIOUS_DEFAULT_THRESHOLD', 'high', /a number from 0 to 1/],
    ['SUBCONSCIOUS_DEFAULT_THRESHOLD', '0x1', /a number from 0 to 1/],
    ['SUBCONSCIOUS_DEFAULT_THRESHOLD', 'NaN', /a number from 0 to 1/],
    ['SUBCONSCIOUS_LOG_LEVEL', 'LOUD', /DEBUG, INFO, WARNING, ERROR, CRITICAL/],
    ['SUBCONSCIOUS_ECHO_LOG_MAX_BYTES', '999', /from 1000/],
    ['SUBCONSCIOUS_ECHO_LOG_MAX_BYTES', '1e400', /from 1000/],
    ['SUBCONSCIOUS_ECHO_LOG_MAX_BYTES', '1000.5', /from 1000/],
    ['SUBCONSCIOUS_CAPTURE_ENABLED', 'maybe', /true or false/],
    ['SUBCONSCIOUS_ECHO_LOG_ENABLED', '2', /true or false/],
    ['SUBCONSCIOUS_STANDALONE', 'yes please', /true or false/],
    ['SUBCONSCIOUS_IDLE_SECONDS', '0', /from 1 to 86400/],
    ['SUBCONSCIOUS_IDLE_SECONDS', '86401', /from 1 to 86400/],
  ];
  for (const [name, found, allowed] of cases) {
    const message = refusal(() => read({ [name]: found }));
    assert.match(message, allowed);
    assert.ok(message.includes(name) && message.includes(JSON.stringify(found)), message);
  }
});

test('a bad value in the file is refused with key, file, what was found and what is allowed', () => {
  const cases: [string, unknown][] = [
    ['storage_dir', 5],
    ['storage_dir', ''],
    ['storage_dir', 'a\0b'],
    ['embedding_model', null],
    ['default_threshold', -0.1],
    ['default_threshold', [0.5]],
    ['default_ttl_seconds', 0],
    ['default_ttl_seconds', 1.5],
    ['log_level', 10],
    ['echo_log_enabled', null],
    ['echo_log_max_bytes', 999],
    ['namespace', 7],
    ['capture_enabled', {}],
  ];
  for (const [key, found] of cases) {
    write({ [key]: found });
    const message = refusal(() => read());
    for (const part of [key, file, JSON.stringify(found), 'allowed'])
      assert.ok(message.includes(part), message);
  }
});

test('a bad value in the file does not matter where the environment overrides it', () => {
  write({ default_threshold: 'high' });
  assert.equal(read({ SUBCONSCIOUS_DEFAULT_THRESHOLD: '0' }).defaultThreshold, 0);
});

test('a syntax error is refused with file, line and column', () => {
  const cases: [string, number, number][] = [
    ['{\n  "log_level": "INFO",\n}', 3, 1],
    ['{\r\n  // mine\r\n}', 2, 3],
    ['{"log_level" "INFO"}', 1, 14],
    ["{'log_level': 1}", 1, 2],
    ['', 1, 1],
  ];
  for (const [text, line, column] of cases) {
    write(text);
    const message = refusal(() => read());
    assert.ok(
      message.includes(`${file} is not valid JSON: error at line ${line}, column ${column}.`),
      message,
    );
  }
});

test('a file without an object at the top is refused', () => {
  for (const text of ['[]', 'null', '"text"', '3']) {
    write(text);
    assert.match(
      refusal(() => read()),
      /must hold one JSON object/,
    );
  }
});

test('a byte order mark is tolerated and other encodings are named', () => {
  write('\uFEFF{"log_level": "ERROR"}');
  assert.equal(read().logLevel, 'ERROR');
  write(Buffer.from('\uFEFF{"log_level": "ERROR"}', 'utf16le'));
  assert.match(
    refusal(() => read()),
    /not UTF-8/,
  );
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

test('a folder in place of the file is refused', () => {
  mkdirSync(file, { recursive: true });
  assert.ok(refusal(() => read()).includes(file));
});

test('unknown keys are warned about, with the nearest known one', () => {
  write({ default_treshold: 0.9, storageDir: 'x', zzz: 1, '__proto__ ': 1, log_level: 'ERROR' });
  const config = read();
  assert.equal(config.logLevel, 'ERROR');
  assert.equal(config.warnings.length, 4);
  assert.match(config.warnings[0] ?? '', /"default_treshold" in .*Did you mean "default_threshold"\?/);
  assert.match(config.warnings[1] ?? '', /Did you mean "storage_dir"\?/);
  assert.match(config.warnings[2] ?? '', /"zzz".*Known keys are storage_dir, /);
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
  const config = read({ SUBCONSCIOUS_NAMESPACE: '経理', SUBCONSCIOUS_DEFAULT_THRESHOLD: '0.6' });
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
    'standalone',
    'idle_seconds',
  ]);
});

test('without a home folder the storage directory has to be given, and no file is looked for', () => {
  const none = (env: Record<string, string>) => readConfig({ env, home: '' });
  assert.match(
    refusal(() => none({})),
    /no home folder.*Set SUBCONSCIOUS_STORAGE_DIR/,
  );
  assert.equal(none({ SUBCONSCIOUS_STORAGE_DIR: root }).storageDir, root);
});

test('a configuration file that is no file is refused instead of waited for', () => {
  mkdirSync(file, { recursive: true });
  assert.match(refusal(read), /cannot be read: it is not a regular file/);
});

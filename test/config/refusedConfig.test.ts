import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { readConfig } from '../../src/config/config.js';
import { file, read, refusal, root, write } from './home.js';

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
    ['SUBCONSCIOUS_EPISODE_DAYS', '0', /days from 1/],
    ['SUBCONSCIOUS_EPISODE_DAYS', '1.5', /days from 1/],
    ['SUBCONSCIOUS_EPISODE_DAYS', 'never', /days from 1/],
    ['SUBCONSCIOUS_EPISODE_LIMIT', '0', /episodes from 1/],
    ['SUBCONSCIOUS_EPISODE_LIMIT', '-5', /episodes from 1/],
    ['SUBCONSCIOUS_EPISODE_LIMIT', '1e400', /episodes from 1/],
    ['SUBCONSCIOUS_TOOLSETS', 'core,hive', /a list of core, admin/],
    ['SUBCONSCIOUS_TOOLSETS', 'core,', /a list of core, admin/],
    ['SUBCONSCIOUS_TOOLSETS', 'core admin', /a list of core, admin/],
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
    ['episode_days', 0],
    ['episode_days', null],
    ['episode_limit', 0],
    ['episode_limit', [5]],
    ['toolsets', []],
    ['toolsets', ['core', 7]],
    ['toolsets', ['core', 'hive']],
    ['toolsets', { core: true }],
    ['toolsets', null],
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

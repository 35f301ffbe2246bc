import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { createLog, describeError, serverLog } from '../../src/host/log.js';

const root = mkdtempSync(join(tmpdir(), 'log-'));
after(() => rmSync(root, { recursive: true, force: true }));

let folder = '';
let file = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(root, 'case-')), 'own', 'logs');
  file = join(folder, 'server.log');
});

const opened = () => createLog(file, 'INFO', () => new Date(0));
const HEAD = `1970-01-01T00:00:00.000Z INFO [${process.pid}] `;
const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1);

test('a line says when, how grave, which process and what', () => {
  const log = opened();
  log.write('INFO', 'host ended');
  log.write('ERROR', 'again');
  assert.deepEqual(lines(), [`${HEAD}host ended`, `${HEAD.replace('INFO', 'ERROR')}again`]);
});

test('what is below the level is not written, and no folder is made for it', () => {
  opened().write('DEBUG', 'nothing');
  assert.equal(existsSync(folder), false);
});

test('a message is one line of one language, whatever is in it', () => {
  opened().write('INFO', 'Error: a\n    at b\r\n    at c\u0000\u001b[2J\u2028d\u0085e 日本 🗂️');
  assert.deepEqual(lines(), [`${HEAD}Error: a | at b | at c | [2J | d | e 日本 🗂️`]);
});

test('a long message is cut', () => {
  opened().write('INFO', 'x'.repeat(5_000_000));
  assert.deepEqual(lines(), [`${HEAD}${'x'.repeat(4000)}`]);
});

test('above 2 MB the log begins anew, and the two before it are kept', () => {
  const log = opened();
  for (const n of [1, 2, 3, 4]) {
    log.write('INFO', `log ${n}`);
    truncateSync(file, 2 * 1024 * 1024 + 1);
  }
  log.write('INFO', 'log 5');
  assert.deepEqual(readdirSync(folder).sort(), ['server.log', 'server.log.1', 'server.log.2']);
  assert.deepEqual(lines(), [`${HEAD}log 5`]);
  const first = (name: string) => readFileSync(join(folder, name), 'utf8').split('\n')[0];
  assert.deepEqual(['server.log.1', 'server.log.2'].map(first), [`${HEAD}log 4`, `${HEAD}log 3`]);
});

test('a log of 2 MB or less goes on', () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, '');
  truncateSync(file, 2 * 1024 * 1024);
  opened().write('INFO', 'more');
  assert.deepEqual(readdirSync(folder), ['server.log']);
});

test('who deletes the folder of the log does not get it back', () => {
  const log = opened();
  log.write('INFO', 'first');
  rmSync(join(folder, '..'), { recursive: true });
  log.write('INFO', 'second');
  assert.equal(existsSync(join(folder, '..')), false);
});

test('who deletes the file gets another one', () => {
  const log = opened();
  log.write('INFO', 'first');
  rmSync(file);
  log.write('INFO', 'second');
  assert.deepEqual(lines(), [`${HEAD}second`]);
});

test('a log that cannot be written stops nothing', () => {
  mkdirSync(join(folder, '..'), { recursive: true });
  writeFileSync(folder, 'a file where the folder should be');
  opened().write('INFO', 'lost');
  assert.equal(readFileSync(folder, 'utf8'), 'a file where the folder should be');
  file = join(root, 'x'.repeat(100_000), 'logs', 'server.log');
  opened().write('INFO', 'lost');
});

test('without a home folder the log lies with the memories', () => {
  const [storageDir, home] = [mkdtempSync(join(root, 'store-')), mkdtempSync(join(root, 'home-'))];
  serverLog({ storageDir, logLevel: 'INFO' }, '').write('INFO', 'here');
  assert.match(readFileSync(join(storageDir, 'logs', 'server.log'), 'utf8'), / here\n$/);
  serverLog({ storageDir, logLevel: 'INFO' }, home).write('INFO', 'at home');
  assert.match(readFileSync(join(home, '.subconscious-mcp', 'logs', 'server.log'), 'utf8'), / at home\n$/);
});

test('an error is described with its place and its cause', () => {
  const error = new Error('outer', { cause: new Error('inner') });
  assert.match(describeError(error), /^Error: outer\n +at [^]* Cause: Error: inner\n +at /);
  assert.equal(describeError('words'), 'words');
});

if (process.platform !== 'win32') {
  test('file and folders are for this user only', () => {
    const mask = process.umask(0);
    try {
      opened().write('INFO', 'secret');
    } finally {
      process.umask(mask);
    }
    const modes = [file, folder, join(folder, '..')].map((path) => statSync(path).mode & 0o777);
    assert.deepEqual(modes, [0o600, 0o700, 0o700]);
  });

  test('a pipe in the place of the file is not waited for', () => {
    mkdirSync(folder, { recursive: true });
    execFileSync('mkfifo', [file]);
    opened().write('INFO', 'lost');
    assert.ok(statSync(file).isFIFO());
  });
}

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import {
  codeOf,
  unlinkQuietly,
  makePrivateFolder,
  patiently,
  replaceFile,
  uniqueHex,
} from '../../src/capture/folders.js';
import { readSmallFile } from '../../src/capture/smallFile.js';

const root = mkdtempSync(join(tmpdir(), 'folders-'));
after(() => rmSync(root, { recursive: true, force: true }));

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(root, 'case-'))));

test('folders are made with all above them, for their owner alone', () => {
  const deep = join(folder, 'a', 'b', 'c');
  makePrivateFolder(deep);
  makePrivateFolder(deep);
  for (const made of [deep, join(folder, 'a', 'b'), join(folder, 'a')]) {
    assert.ok(statSync(made).isDirectory());
    if (process.platform !== 'win32') assert.equal(statSync(made).mode & 0o777, 0o700);
  }
});

test('a folder below a file, or where the system makes none, is an error and no endless attempt', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  assert.throws(
    () => makePrivateFolder(join(file, 'below', 'it')),
    (error) => codeOf(error) !== '',
  );
  if (process.platform !== 'linux') return;
  assert.throws(() => makePrivateFolder('/proc/none/of/this'), { code: 'ENOENT' });
});

test('a file is replaced whole and closed to others, and no draft stays', () => {
  const path = join(folder, 'file');
  writeFileSync(path, 'old', { mode: 0o644 });
  replaceFile(path, 'new');
  assert.equal(readFileSync(path, 'utf8'), 'new');
  assert.deepEqual(readdirSync(folder), ['file']);
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('a file that cannot be replaced leaves no draft either', () => {
  mkdirSync(join(folder, 'file', 'full'), { recursive: true });
  assert.throws(
    () => replaceFile(join(folder, 'file'), 'new'),
    (error) => codeOf(error) !== '',
  );
  assert.deepEqual(readdirSync(folder), ['file']);
});

test('discarding what is not there, or cannot go, is no failure', () => {
  unlinkQuietly(join(folder, 'none'));
  unlinkQuietly(folder);
  assert.ok(statSync(folder).isDirectory());
});

const busy = (code: string) => Object.assign(new Error(code), { code });

test('on Windows a file that is held elsewhere is tried again, but not for ever', () => {
  let attempts = 0;
  const third = patiently(() => {
    attempts += 1;
    if (attempts < 3) throw busy('EBUSY');
    return attempts;
  }, 'win32');
  assert.equal(third, 3);
  attempts = 0;
  const never = () => {
    attempts += 1;
    throw busy('EPERM');
  };
  assert.throws(() => patiently(never, 'win32'), { code: 'EPERM' });
  assert.equal(attempts, 4);
});

test('elsewhere, and for other errors, the first attempt counts', () => {
  for (const [code, platform] of [
    ['EPERM', 'linux'],
    ['ENOENT', 'win32'],
  ] as const) {
    let attempts = 0;
    const fails = () => {
      attempts += 1;
      throw busy(code);
    };
    assert.throws(() => patiently(fails, platform), { code });
    assert.equal(attempts, 1);
  }
});

test('names that nobody else takes are 16 hex digits', () => {
  const names = Array.from({ length: 1000 }, uniqueHex);
  for (const name of names) assert.match(name, /^[0-9a-f]{16}$/);
  assert.equal(new Set(names).size, names.length);
});

test('of a small file the text is read, of a large one nothing', () => {
  const path = join(folder, 'file');
  writeFileSync(path, 'äb');
  assert.equal(readSmallFile(path, 3), 'äb');
  assert.throws(() => readSmallFile(path, 2), /3 bytes/);
  assert.equal(readSmallFile(join(folder, 'none'), 3), null);
  assert.throws(() => readSmallFile(folder, 3), /no regular file/);
});

import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import {
  claim,
  damagedOf,
  inboxOf,
  publish,
  removeDrafts,
  spoolFiles,
  staleDrafts,
} from '../../src/capture/spool.js';

const root = mkdtempSync(join(tmpdir(), 'spool-'));
after(() => rmSync(root, { recursive: true, force: true }));

let inbox = '';
beforeEach(() => {
  inbox = inboxOf(mkdtempSync(join(root, 'store-')));
  mkdirSync(inbox);
});

/** A file written so many seconds ago. */
function file(name: string, secondsAgo = 0): string {
  const path = join(inbox, name);
  writeFileSync(path, name);
  const at = Date.now() / 1000 - secondsAgo;
  utimesSync(path, at, at);
  return path;
}

test('the inbox lies in the storage directory, and what is damaged within it', () => {
  assert.equal(inboxOf('store'), join('store', 'inbox'));
  assert.equal(dirname(damagedOf('store')), inboxOf('store'));
});

test('documents are listed by age, claimed ones too, and nothing else', () => {
  file('young.json', 1);
  file('old.json', 30);
  file('between.0123456789abcdef.json', 10);
  file('draft.tmp', 20);
  file('notes.txt', 20);
  mkdirSync(join(inbox, 'damaged'));
  assert.deepEqual(spoolFiles(inbox), ['old.json', 'between.0123456789abcdef.json', 'young.json']);
});

test('an inbox that is not there is empty', () => {
  assert.deepEqual(spoolFiles(join(inbox, 'none')), []);
  removeDrafts(join(inbox, 'none'));
});

test('a document is claimed by renaming it, and stays one', () => {
  const claimed = claim(file('s.json')) ?? '';
  assert.match(basename(claimed), /^s\.[0-9a-f]{16}\.json$/);
  assert.deepEqual(readdirSync(inbox), [basename(claimed)]);
  assert.deepEqual(spoolFiles(inbox), [basename(claimed)]);
  const again = claim(claimed) ?? '';
  assert.match(basename(again), /^s\.[0-9a-f]{16}\.json$/);
  assert.notEqual(again, claimed);
  assert.equal(readFileSync(again, 'utf8'), 's.json');
});

test('of two that claim a document one gets it', () => {
  const path = file('s.json');
  assert.deepEqual([claim(path) === null, claim(path)], [false, null]);
});

test('a document that cannot be claimed is an error, not one that is gone', () => {
  assert.throws(() => claim(join(file('file.json'), 'below.json')), { code: 'ENOTDIR' });
});

test('what is published is there whole, for its owner alone, and no draft stays', () => {
  const path = join(inbox, 's.json');
  assert.equal(publish(path, 'text'), true);
  assert.equal(readFileSync(path, 'utf8'), 'text');
  assert.deepEqual(readdirSync(inbox), ['s.json']);
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('nothing is published over what is there', () => {
  const path = file('s.json');
  assert.equal(publish(path, 'text'), false);
  assert.equal(readFileSync(path, 'utf8'), 's.json');
  assert.deepEqual(readdirSync(inbox), ['s.json']);
});

test('on a disk without hard links a document gets a name of its own, over nobody’s', () => {
  const refused = () => {
    throw Object.assign(new Error('no links here'), { code: 'EPERM' });
  };
  const path = join(inbox, 's.json');
  assert.equal(publish(path, 'one', refused), true);
  assert.equal(publish(path, 'two', refused), true);
  const names = spoolFiles(inbox);
  for (const name of names) assert.match(name, /^s\.[0-9a-f]{16}\.json$/);
  assert.deepEqual(names.map((name) => readFileSync(join(inbox, name), 'utf8')).sort(), ['one', 'two']);
  assert.equal(readdirSync(inbox).length, 2, 'no draft is left');
});

test('where nothing can be published the error is that of the system', () => {
  assert.throws(() => publish(join(inbox, 'none', 's.json'), 'text'), { code: 'ENOENT' });
});

test('only drafts that nobody writes any more are removed', () => {
  const old = file('a.tmp', 3700);
  const young = file('b.tmp', 3500);
  const document = file('c.json', 90_000);
  removeDrafts(inbox);
  assert.deepEqual([old, young, document].map(existsSync), [false, true, true]);
});

test('whether a draft is stale is told by the clock it is asked with, and of files alone', () => {
  const draft = file('a.tmp', 3500);
  mkdirSync(join(inbox, 'folder.tmp'));
  assert.deepEqual(staleDrafts(inbox), []);
  const later = Date.now() / 1000 + 200;
  assert.deepEqual(staleDrafts(inbox, later), [draft]);
  utimesSync(join(inbox, 'folder.tmp'), 1, 1);
  removeDrafts(inbox, later);
  assert.deepEqual(readdirSync(inbox), ['folder.tmp']);
  assert.deepEqual(staleDrafts(inbox, later), []);
});

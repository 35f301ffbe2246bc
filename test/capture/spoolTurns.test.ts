import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { readSpoolDocument, spoolFiles } from '../../src/capture/spool.js';
import { spoolTurns } from '../../src/capture/spoolTurns.js';
import type { CapturedSession } from '../../src/core/episode.js';
import { session, turn } from './sessionBuilder.js';

const root = mkdtempSync(join(tmpdir(), 'spool-turns-'));
after(() => rmSync(root, { recursive: true, force: true }));

let inbox = '';
beforeEach(() => (inbox = join(mkdtempSync(join(root, 'case-')), 'own', 'data', 'inbox')));

function read(name: string): CapturedSession {
  const found = readSpoolDocument(join(inbox, name));
  assert.ok('session' in found, JSON.stringify(found));
  return found.session;
}

const ids = ({ turns }: CapturedSession): string[] => turns.map(({ id }) => id);

test('the first turn makes the document, and its folders for their owner alone', () => {
  spoolTurns(inbox, session([turn('a')]));
  assert.deepEqual(readdirSync(inbox), ['session-1.json']);
  assert.deepEqual(read('session-1.json'), session([turn('a')]));
  if (process.platform === 'win32') return;
  for (const folder of [inbox, join(inbox, '..'), join(inbox, '..', '..')]) {
    assert.equal(statSync(folder).mode & 0o777, 0o700, folder);
  }
});

test('a session grows in one document', () => {
  for (const [at, id] of ['a', 'b', 'c'].entries()) spoolTurns(inbox, session([turn(id, { at })]));
  assert.deepEqual(readdirSync(inbox), ['session-1.json']);
  assert.deepEqual(ids(read('session-1.json')), ['a', 'b', 'c']);
});

test('it keeps its last 20 turns', () => {
  for (let at = 0; at < 25; at += 1) spoolTurns(inbox, session([turn(`${at}`, { at })]));
  assert.deepEqual(
    ids(read('session-1.json')),
    Array.from({ length: 20 }, (_, i) => `${i + 5}`),
  );
});

test('a turn that is there unchanged writes nothing', () => {
  spoolTurns(inbox, session([turn('a')]));
  const before = statSync(join(inbox, 'session-1.json'), { bigint: true });
  spoolTurns(inbox, session([turn('a', { at: 900, revisedAt: 900 })]));
  const after = statSync(join(inbox, 'session-1.json'), { bigint: true });
  assert.deepEqual([after.ino, after.mtimeNs], [before.ino, before.mtimeNs]);
});

test('a final outcome is not replaced by what an unfinished transcript says, only by a later final one', () => {
  spoolTurns(inbox, session([turn('a', { outcome: 'done' })]));
  spoolTurns(inbox, session([turn('a', { outcome: 'half', final: false, revisedAt: 200 })]));
  assert.equal(read('session-1.json').turns[0]?.outcome, 'done');
  spoolTurns(inbox, session([turn('a', { outcome: 'done better', revisedAt: 300 })]));
  assert.deepEqual(read('session-1.json').turns, [turn('a', { outcome: 'done better', revisedAt: 300 })]);
});

test('sessions are apart, and so are projects with a session id in common', () => {
  const other = { key: 'path:/srv/blog', name: 'blog' };
  spoolTurns(inbox, session([turn('a')]));
  spoolTurns(inbox, session([turn('b')], { sessionId: 'session-2' }));
  spoolTurns(inbox, session([turn('c')], { project: other }));
  spoolTurns(inbox, session([turn('d', { at: 200 })], { project: other }));
  const names = readdirSync(inbox).sort();
  assert.equal(names.length, 3);
  const shared = names.find((name) => /^session-1-[0-9a-f]{8}\.json$/.test(name)) ?? '';
  assert.deepEqual([read(shared).project, ids(read(shared))], [other, ['c', 'd']]);
  assert.deepEqual(ids(read('session-1.json')), ['a']);
  assert.deepEqual(ids(read('session-2.json')), ['b']);
});

test('a session whose name is taken by one in other letter case, as on some disks, has a document all the same', () => {
  spoolTurns(inbox, session([turn('a')]));
  const stored = readFileSync(join(inbox, 'session-1.json'), 'utf8');
  writeFileSync(join(inbox, 'session-1.json'), stored.replace('session-1', 'SESSION-1'));
  spoolTurns(inbox, session([turn('b')]));
  const found = readdirSync(inbox).map((name) => [read(name).sessionId, ids(read(name))]);
  assert.deepEqual(found.sort(), [
    ['SESSION-1', ['a']],
    ['session-1', ['b']],
  ]);
});

test('where both its names are taken it is kept under a third', () => {
  const other = session([turn('x')], { project: { key: 'path:/x', name: 'x' } });
  spoolTurns(inbox, other);
  spoolTurns(inbox, session([turn('a')]));
  const second = readdirSync(inbox).find((name) => name !== 'session-1.json') ?? '';
  writeFileSync(join(inbox, second), readFileSync(join(inbox, 'session-1.json')));
  spoolTurns(inbox, session([turn('a')]));
  const third = spoolFiles(inbox).filter((name) => ids(read(name)).includes('a'));
  assert.equal(third.length, 1);
  assert.match(third[0] ?? '', /^session-1-[0-9a-f]{8}\.[0-9a-f]{16}\.json$/);
});

test('a damaged document is left for the host, under another name', () => {
  spoolTurns(inbox, session([turn('a')]));
  writeFileSync(join(inbox, 'session-1.json'), '{"version":1,"tur');
  spoolTurns(inbox, session([turn('b')]));
  assert.deepEqual(ids(read('session-1.json')), ['b']);
  const [left] = readdirSync(inbox).filter((name) => name !== 'session-1.json');
  assert.equal(readFileSync(join(inbox, left ?? ''), 'utf8'), '{"version":1,"tur');
  assert.ok(spoolFiles(inbox).includes(left ?? ''), 'the host finds it');
});

test('a folder in the place of the document is in nobody’s way', () => {
  mkdirSync(join(inbox, 'session-1.json'), { recursive: true });
  spoolTurns(inbox, session([turn('a')]));
  assert.deepEqual(ids(read('session-1.json')), ['a']);
});

test('a claimed document of a hook that was killed is not touched: the host takes it up', () => {
  spoolTurns(inbox, session([turn('a')], { sessionId: 'session-1' }));
  const left = 'session-1.0123456789abcdef.json';
  writeFileSync(join(inbox, left), readFileSync(join(inbox, 'session-1.json')));
  rmSync(join(inbox, 'session-1.json'));
  spoolTurns(inbox, session([turn('b')]));
  assert.deepEqual(spoolFiles(inbox).sort(), [left, 'session-1.json']);
  assert.deepEqual([ids(read(left)), ids(read('session-1.json'))], [['a'], ['b']]);
});

test('no session id leads out of the inbox, and none is a device of Windows', () => {
  const odd = [
    '../../../evil',
    '/etc/passwd',
    'C:\\x',
    '..',
    '.',
    'a/b',
    'a\0b',
    'con',
    'COM1',
    'ünïcode 日本',
    ' ',
    'x'.repeat(101),
    '\ud800',
  ];
  for (const sessionId of odd) spoolTurns(inbox, session([turn('a')], { sessionId }));
  const names = readdirSync(inbox);
  assert.equal(names.length, odd.length, 'each has a document');
  for (const name of names) assert.match(name, /^(?!con\.|com1\.)[A-Za-z0-9_-]{1,100}\.json$/i);
  assert.deepEqual(readdirSync(join(inbox, '..')), ['inbox']);
  spoolTurns(inbox, session([turn('b', { at: 200 })], { sessionId: '\ud800' }));
  assert.equal(readdirSync(inbox).length, odd.length, 'and keeps it');
});

test('a session that could not be read again is refused before anything is made', () => {
  const endless = session([turn('a')], { directory: `/${'x'.repeat(5000)}` });
  assert.throws(() => spoolTurns(inbox, endless), /could not be kept: .*longer than 4096/);
  assert.throws(() => readdirSync(inbox), { code: 'ENOENT' });
});

test('where nothing can be written the error is the system’s, and what was there stays', () => {
  spoolTurns(inbox, session([turn('a')]));
  const file = join(inbox, 'session-1.json');
  assert.throws(() => spoolTurns(join(file, 'inbox'), session([turn('b')])), { code: 'ENOTDIR' });
  assert.deepEqual(ids(read('session-1.json')), ['a']);
});

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { damageIn, parseSpool, readSpool, spoolText } from '../../src/capture/spoolDocument.js';
import { readSpoolDocument } from '../../src/capture/spool.js';
import { OUTCOME_LIMIT, TASK_LIMIT, TURNS_LIMIT } from '../../src/core/episode.js';
import { session, turn } from './sessionBuilder.js';

const root = mkdtempSync(join(tmpdir(), 'spool-document-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** A document with one field changed, or left out where it is undefined. */
function changed(fields: object): string {
  return JSON.stringify({ ...(JSON.parse(spoolText(session([turn('a')]))) as object), ...fields });
}

const oneTurn = { id: 'a', task: 't', outcome: 'o', at: 1, revised_at: 1, final: true };

test('a document holds the session under the names of its format', () => {
  const text = spoolText(session([turn('a', { at: 1.5, revisedAt: 2, final: false })]));
  assert.deepEqual(JSON.parse(text), {
    version: 1,
    project: { key: 'path:/srv/shop', name: 'shop' },
    directory: '/srv/shop',
    session_id: 'session-1',
    turns: [{ id: 'a', task: 'task a', outcome: 'outcome a', at: 1.5, revised_at: 2, final: false }],
  });
  assert.ok(text.endsWith('}\n'));
});

test('what was written is read', () => {
  const written = session([turn('a', { task: 'zwei\nZeilen, 日本\u2028🗂️' }), turn('b', { at: 200 })]);
  assert.deepEqual(parseSpool(spoolText(written)), { session: written });
});

test('turns come back in order, each once, within their limits', () => {
  const long = turn('long', { task: 'x'.repeat(5000), outcome: 'y'.repeat(5000), at: 999 });
  const many = Array.from({ length: 30 }, (_, i) => turn(`${i}`, { at: 500 - i }));
  const read = parseSpool(spoolText(session([long, ...many, many[0] ?? long])));
  assert.ok('session' in read);
  const { turns } = read.session;
  assert.equal(turns.length, TURNS_LIMIT);
  assert.deepEqual([turns[0]?.id, turns.at(-2)?.id, turns.at(-1)?.id], ['18', '0', 'long']);
  assert.deepEqual([turns.at(-1)?.task.length, turns.at(-1)?.outcome.length], [TASK_LIMIT, OUTCOME_LIMIT]);
});

test('text that no file can hold is mended', () => {
  const read = parseSpool(spoolText(session([turn('a', { task: 'half \ud83d' })])));
  assert.ok('session' in read);
  assert.equal(read.session.turns[0]?.task, 'half \ufffd');
});

for (const [what, text] of [
  ['nothing', ''],
  ['half of one', spoolText(session([turn('a')])).slice(0, 60)],
  ['a list', '[]'],
  ['null', 'null'],
  ['another version', changed({ version: 2 })],
  ['no version', changed({ version: undefined })],
  ['no project', changed({ project: undefined })],
  ['a project without a key', changed({ project: { name: 'shop' } })],
  ['a project that is a list', changed({ project: ['path:/x', 'x'] })],
  ['no directory', changed({ directory: 7 })],
  ['no session', changed({ session_id: '' })],
  ['an endless session id', changed({ session_id: 'x'.repeat(5000) })],
  ['no turns', changed({ turns: undefined })],
  ['turns that are none', changed({ turns: {} })],
  ['a turn that is null', changed({ turns: [null] })],
  ['a turn without an outcome', changed({ turns: [{ ...oneTurn, outcome: undefined }] })],
  ['a turn with a number for a task', changed({ turns: [{ ...oneTurn, task: 5 }] })],
  ['a turn at no time', changed({ turns: [{ ...oneTurn, at: null }] })],
  ['a turn before all time', changed({ turns: [{ ...oneTurn, revised_at: -1 }] })],
  ['a turn that is perhaps final', changed({ turns: [{ ...oneTurn, final: 'yes' }] })],
  ['a turn with an object for an id', changed({ turns: [{ ...oneTurn, id: {} }] })],
] as const) {
  test(`a file that holds ${what} is damaged, and it is said why`, () => {
    const read = parseSpool(text);
    assert.ok('damaged' in read, JSON.stringify(read));
    assert.match(read.damaged, /^its? \w+/);
  });
}

test('fields of newer hooks do no harm', () => {
  assert.deepEqual(parseSpool(changed({ branch: 'main' })), { session: session([turn('a')]) });
});

test('what is no small regular file is damaged, and not read', () => {
  const real = join(root, 'real.json');
  writeFileSync(real, spoolText(session([turn('a')])));
  const large = join(root, 'large.json');
  writeFileSync(large, '');
  truncateSync(large, 1024 * 1024 + 1);
  const folder = join(root, 'folder.json');
  mkdirSync(folder);
  const link = join(root, 'link.json');
  symlinkSync(process.platform === 'win32' ? folder : real, link, 'junction');
  for (const path of [large, folder, link]) assert.ok('damaged' in readSpoolDocument(path), path);
  assert.deepEqual(readSpoolDocument(real), { session: session([turn('a')]) });
});

test('a file that this user may not read is damaged, but on Windows a scanner may have it open', () => {
  for (const code of ['EPERM', 'EACCES']) {
    const error = Object.assign(new Error(`${code}: held`), { code });
    assert.deepEqual([damageIn(error, 'linux'), damageIn(error, 'win32')], [`${code}: held`, null]);
  }
  const passing = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  assert.deepEqual([damageIn(passing, 'linux'), damageIn(passing, 'win32')], [null, null]);
  assert.equal(damageIn(new Error('it is no regular file'), 'win32'), 'it is no regular file');
});

test('a file that is gone is told from a damaged one by the hook, and is one for the host', () => {
  assert.equal(readSpool(join(root, 'none.json')), null);
  assert.deepEqual(readSpoolDocument(join(root, 'none.json')), { damaged: 'it is gone' });
});

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import {
  briefProjects,
  forgetShown,
  noteShown,
  readBrief,
  removeBrief,
  removeBriefDrafts,
  wasShown,
  writeBrief,
} from '../../src/capture/briefFile.js';
import type { Brief } from '../../src/core/brief.js';
import { fingerprint } from '../../src/project/digest.js';

const root = mkdtempSync(join(tmpdir(), 'brief-file-'));
after(() => rmSync(root, { recursive: true, force: true }));

let storage = '';
beforeEach(() => (storage = mkdtempSync(join(root, 'case-'))));

function brief(project: string, more: Partial<Brief> = {}): Brief {
  const item = { kind: 'memory', text: `of ${project}`, storedAt: 5.5, expiresAt: null } as const;
  return {
    project,
    memories: 2,
    episodes: 1,
    items: [item, { ...item, kind: 'episode', expiresAt: 9 }],
    ...more,
  };
}

function pathOf(project: string): string {
  return join(storage, 'briefs', `${fingerprint(project)}.json`);
}

test('a brief is read by its project, and by no other', () => {
  writeBrief(storage, brief('path:/srv/店'));
  writeBrief(storage, brief(''));
  assert.deepEqual(readBrief(storage, 'path:/srv/店'), brief('path:/srv/店'));
  assert.deepEqual(readBrief(storage, ''), brief(''));
  assert.equal(readBrief(storage, 'path:/srv'), null);
  assert.deepEqual(briefProjects(storage).sort(), ['', 'path:/srv/店']);
});

test('a brief lies under the fingerprint of its project, for its owner alone, and no draft stays', () => {
  writeBrief(storage, brief('a'));
  writeBrief(storage, brief('a', { memories: 3 }));
  assert.deepEqual(readdirSync(join(storage, 'briefs')).length, 1);
  assert.equal(readBrief(storage, 'a')?.memories, 3);
  if (process.platform === 'win32') return;
  assert.equal(statSync(pathOf('a')).mode & 0o777, 0o600);
  assert.equal(statSync(join(storage, 'briefs')).mode & 0o777, 0o700);
});

test('a brief that lies in the place of another project’s is nothing', () => {
  writeBrief(storage, brief('a'));
  writeFileSync(pathOf('b'), JSON.stringify({ version: 1, ...brief('a') }));
  assert.equal(readBrief(storage, 'b'), null);
});

test('a removed brief is gone, and so is one that never was', () => {
  writeBrief(storage, brief('a'));
  removeBrief(storage, 'a');
  removeBrief(storage, 'a');
  assert.equal(readBrief(storage, 'a'), null);
  assert.deepEqual(briefProjects(storage), []);
});

const item = { kind: 'memory', text: 'x', storedAt: 1, expiresAt: null };
for (const [what, content] of [
  ['no JSON', '{"version":1,'],
  ['null', 'null'],
  ['another version', { ...brief('a'), version: 2 }],
  ['no count', { ...brief('a'), memories: -1 }],
  ['a count that is none', { ...brief('a'), episodes: '3' }],
  ['items that are none', { ...brief('a'), items: {} }],
  ['an item of no kind', { ...brief('a'), items: [{ ...item, kind: 'note' }] }],
  ['an item without text', { ...brief('a'), items: [{ ...item, text: null }] }],
  ['an item of no time', { ...brief('a'), items: [{ ...item, storedAt: '1' }] }],
  ['an item that is null', { ...brief('a'), items: [null] }],
  ['more than a brief can have', { ...brief('a'), items: [{ ...item, text: 'x'.repeat(300_000) }] }],
] as const) {
  test(`a file with ${what} is no brief`, () => {
    mkdirSync(join(storage, 'briefs'), { recursive: true });
    writeFileSync(
      pathOf('a'),
      typeof content === 'string' ? content : JSON.stringify({ version: 1, ...content }),
    );
    assert.equal(readBrief(storage, 'a'), null);
    assert.deepEqual(briefProjects(storage), []);
  });
}

test('it is remembered what a session was shown last, and only by its digest', () => {
  noteShown(storage, 'session-1', 'one');
  noteShown(storage, '../../odd', 'two');
  const shown = (session: string, text: string) => wasShown(storage, session, text);
  assert.deepEqual([shown('session-1', 'one'), shown('session-1', 'two')], [true, false]);
  assert.deepEqual([shown('../../odd', 'two'), shown('session-2', 'one')], [true, false]);
  noteShown(storage, 'session-1', 'two');
  assert.deepEqual([shown('session-1', 'one'), shown('session-1', 'two')], [false, true]);
  const files = readdirSync(join(storage, 'briefs', 'shown'));
  assert.equal(files.length, 2);
  assert.deepEqual(briefProjects(storage), []);
});

test('what was shown long ago is forgotten', () => {
  noteShown(storage, 'old', 'x');
  noteShown(storage, 'new', 'x');
  utimesSync(join(storage, 'briefs', 'shown', 'old'), 1000, 1000);
  forgetShown(storage, 1001);
  assert.deepEqual(readdirSync(join(storage, 'briefs', 'shown')), ['new']);
  forgetShown(join(storage, 'none'), 1001);
});

test('where the storage directory is gone no brief makes it again', () => {
  rmSync(storage, { recursive: true });
  assert.throws(() => writeBrief(storage, brief('a')), /ENOENT/);
  assert.deepEqual(readdirSync(root).includes(storage.slice(root.length + 1)), false);
});

test('what a host left unfinished is removed, and nothing else', () => {
  writeBrief(storage, brief('a'));
  const folder = join(storage, 'briefs');
  const [whole = ''] = readdirSync(folder);
  writeFileSync(join(folder, `${whole}.0123456789abcdef.tmp`), 'half');
  removeBriefDrafts(storage);
  assert.deepEqual(readdirSync(folder), [whole]);
  rmSync(folder, { recursive: true });
  removeBriefDrafts(storage);
});

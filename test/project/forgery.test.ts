import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { identifyProject } from '../../src/project/project.js';

/** Git's name for the folder of its records. */
const WORKTREES = 'worktrees';

const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'forgery-')));
after(() => rmSync(root, { recursive: true, force: true }));

/** A repository with a linked worktree, and an unpacked archive whose every file a stranger chose. */
let victim = '';
let record = '';
let evil = '';
beforeEach(() => {
  const base = mkdtempSync(join(root, 'case-'));
  victim = join(base, 'victim');
  record = join(victim, '.git', 'worktrees', 'wt');
  evil = join(base, 'evil');
  file(join(victim, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  file(join(base, 'wt', '.git'), `gitdir: ${record}\n`);
  file(join(record, 'commondir'), '../..\n');
  file(join(record, 'gitdir'), `${join(base, 'wt', '.git')}\n`);
  assert.equal(keyOf(join(base, 'wt')), keyOf(victim), 'the layout itself must be believable');
});

function file(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const keyOf = (directory: string): string =>
  identifyProject({ namespace: null, directory, home: '/nobody' }).key;

function assertOwnProject(): void {
  const key = process.platform === 'win32' ? evil.toLowerCase() : evil;
  assert.equal(keyOf(evil), `path:${key}`);
}

test('a .git file naming the git directory of another repository is not believed', () => {
  file(join(evil, '.git'), `gitdir: ${join(victim, '.git')}\n`);
  assertOwnProject();
});

test('a .git file naming the worktree record of another repository is not believed', () => {
  file(join(evil, '.git'), `gitdir: ${record}\n`);
  assertOwnProject();
});

test('a record that points to another file beside the .git file is not believed', () => {
  file(join(evil, '.git'), `gitdir: ${record}\n`);
  file(join(record, 'gitdir'), `${join(evil, 'notes')}\n`);
  assertOwnProject();
});

test('a fake record whose common directory names another repository is not believed', () => {
  for (const fake of ['fake', `fake/.git/${WORKTREES}/wt`, `fake/${WORKTREES}/wt`]) {
    file(join(evil, '.git'), `gitdir: ${fake}\n`);
    file(join(evil, fake, 'commondir'), `${join(victim, '.git')}\n`);
    file(join(evil, fake, 'gitdir'), `${join(evil, '.git')}\n`);
    assertOwnProject();
  }
});

test('a fake record under a linked "worktrees" folder of another repository is not believed', () => {
  mkdirSync(join(evil, 'fake'), { recursive: true });
  symlinkSync(join(victim, '.git', 'worktrees'), join(evil, 'fake', 'worktrees'), 'junction');
  file(join(evil, '.git'), `gitdir: fake/${WORKTREES}/wt\n`);
  assertOwnProject();
});

test('a fake record reached by climbing out of the worktrees folder of another repository is not believed', () => {
  file(join(evil, 'fake', 'commondir'), `${join(victim, '.git')}\n`);
  file(join(evil, 'fake', 'gitdir'), `${join(evil, '.git')}\n`);
  file(join(evil, '.git'), `gitdir: ${join(victim, '.git', 'worktrees')}/../../../evil/fake\n`);
  assertOwnProject();
});

test('a common directory that is a link to another repository is not believed', () => {
  const fake = join(evil, 'repo', 'worktrees', 'wt');
  file(join(fake, 'commondir'), '../../link\n');
  file(join(fake, 'gitdir'), `${join(evil, '.git')}\n`);
  symlinkSync(join(victim, '.git'), join(evil, 'repo', 'link'), 'junction');
  file(join(evil, '.git'), `gitdir: repo/${WORKTREES}/wt\n`);
  assertOwnProject();
});

test('a .git that is a link into another repository is not believed', () => {
  mkdirSync(evil, { recursive: true });
  symlinkSync(join(victim, '.git'), join(evil, '.git'), 'junction');
  assertOwnProject();
});

test('a repository may only ever name a folder of its own', () => {
  const fake = join(evil, 'inner', '.git', 'worktrees', 'wt');
  file(join(fake, 'commondir'), '../..\n');
  file(join(fake, 'gitdir'), `${join(evil, '.git')}\n`);
  file(join(evil, '.git'), `gitdir: inner/.git/${WORKTREES}/wt\n`);
  assert.ok(keyOf(evil).endsWith('inner'));
});

if (process.platform !== 'win32') {
  // Links to files need a privilege on Windows.
  test('a .git that is a link to the .git file of a real worktree is not believed', () => {
    mkdirSync(evil, { recursive: true });
    symlinkSync(join(dirname(victim), 'wt', '.git'), join(evil, '.git'));
    assertOwnProject();
  });
}

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, parse, relative, sep } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { identifyProject, type Project } from '../../src/project/project.js';

/** Git's name for the folder of its records. */
const WORKTREES = 'worktrees';

const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'project-')));
after(() => rmSync(root, { recursive: true, force: true }));

let home = '';
let base = '';
beforeEach(() => {
  base = mkdtempSync(join(root, 'case-'));
  home = folder(join(base, 'home'));
});

function folder(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}

function file(path: string, content: string | Buffer): void {
  folder(dirname(path));
  writeFileSync(path, content);
}

function repository(path: string): string {
  file(join(path, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  return path;
}

/** What git writes for `worktree add`, in the repository whose common directory is given. */
function worktree(common: string, path: string, relativePaths = false): string {
  const record = join(common, 'worktrees', basename(path));
  const to = (from: string, target: string): string => (relativePaths ? relative(from, target) : target);
  file(join(path, '.git'), `gitdir: ${to(path, record)}\n`);
  file(join(record, 'commondir'), '../..\n');
  file(join(record, 'gitdir'), `${to(record, join(path, '.git'))}\n`);
  return path;
}

const at = (directory: string, namespace: string | null = null): Project =>
  identifyProject({ namespace, directory, home });
/** The key a folder has when nothing but its path counts. */
const keyOf = (path: string): string => `path:${process.platform === 'win32' ? path.toLowerCase() : path}`;
const GLOBAL = { key: '', name: 'global' };

test('the namespace of the user wins over the folder', () => {
  assert.deepEqual(at(repository(join(base, 'app')), 'My Team!'), {
    key: 'namespace:my-team',
    name: 'my-team',
  });
});

test('the namespace "default" is a namespace like any other, and so is one of nothing but signs', () => {
  for (const name of ['default', ' Default ', '---', '  '])
    assert.deepEqual(at(base, name), { key: 'namespace:default', name: 'default' }, name);
});

test('namespaces in other scripts stay apart, and their spelling forms together', () => {
  const digest = createHash('sha256').update('経理').digest('hex').slice(0, 8);
  assert.deepEqual(at(base, '経理'), { key: `namespace:u-${digest}`, name: '経理' });
  assert.notEqual(at(base, '総務').key, at(base, '経理').key);
  assert.notEqual(at(base, '🧠').key, at(base, '🐸').key);
  assert.equal(at(base, 'ガ').key, at(base, 'ｶﾞ').key);
  assert.equal(at(base, 'ЖУК').key, at(base, 'жук').key);
});

test('a folder outside of any repository is its own project', () => {
  const app = folder(join(base, 'a', 'app'));
  assert.deepEqual(at(app), { key: keyOf(app), name: 'app' });
  assert.notEqual(at(folder(join(base, 'b', 'app'))).key, at(app).key);
  assert.equal(at(app + sep).key, at(app).key);
});

test('every folder of a repository is the project of its root', () => {
  const app = repository(join(base, 'app'));
  for (const inside of ['src/deep', '.git/hooks']) {
    assert.deepEqual(at(folder(join(app, inside))), { key: keyOf(app), name: 'app' });
  }
});

test('a nested repository is a project of its own', () => {
  const inner = repository(join(repository(join(base, 'outer')), 'vendor', 'inner'));
  assert.equal(at(inner).key, keyOf(inner));
});

test('names keep their Unicode, and its two spellings are one key', () => {
  const app = folder(join(base, '経理 café'.normalize('NFD')));
  assert.equal(at(app).name.normalize('NFC'), '経理 café'.normalize('NFC'));
  assert.equal(at(app).key, keyOf(app).normalize('NFC'));
});

test('home and the file system root are no project', () => {
  assert.deepEqual(at(home), GLOBAL);
  assert.deepEqual(at(home + sep), GLOBAL);
  assert.deepEqual(at(parse(base).root), GLOBAL);
});

test('where home is a repository, it is no project and folders below it are their own', () => {
  repository(home);
  const notes = folder(join(home, 'notes'));
  assert.deepEqual(at(home), GLOBAL);
  assert.equal(at(notes).key, keyOf(notes));
  assert.equal(at(repository(join(home, 'app'))).key, keyOf(join(home, 'app')));
  const linked = worktree(join(home, '.git'), join(base, 'linked'));
  assert.equal(at(linked).key, keyOf(linked));
});

test('an unknown home excludes nothing', () => {
  assert.equal(identifyProject({ namespace: null, directory: base, home: '' }).key, keyOf(base));
});

test('a directory that does not exist is taken as it is written', () => {
  const gone = join(base, 'x', '..', 'gone');
  assert.deepEqual(at(gone), { key: keyOf(join(base, 'gone')), name: 'gone' });
  const app = repository(join(base, 'app'));
  assert.equal(at(join(app, 'not', 'yet')).key, keyOf(app));
});

test('a folder reached through a link is the folder', () => {
  const app = folder(join(base, 'app'));
  symlinkSync(app, join(base, 'link'), 'junction');
  symlinkSync(home, join(base, 'home link'), 'junction');
  assert.deepEqual(at(join(base, 'link')), { key: keyOf(app), name: 'app' });
  assert.deepEqual(at(join(base, 'home link')), GLOBAL);
  repository(home);
  const gone = join(base, 'home link', 'gone');
  assert.equal(at(gone).key, keyOf(gone));
});

test('linked worktrees are the project of the main worktree', () => {
  const main = repository(join(base, 'main'));
  const plain = worktree(join(main, '.git'), join(base, 'feature'));
  const inside = worktree(join(main, '.git'), join(main, 'trees', 'fix'));
  const relativePaths = worktree(join(main, '.git'), join(base, 'relative'), true);
  for (const path of [plain, inside, relativePaths, folder(join(plain, 'src'))]) {
    assert.deepEqual(at(path), { key: keyOf(main), name: 'main' }, path);
  }
});

test('worktrees of a bare repository share its common directory', () => {
  for (const [common, name] of [
    [join(base, 'app.git'), 'app'],
    [join(base, 'proj', '.bare'), 'proj'],
  ] as const) {
    const one = worktree(common, join(base, name, 'one'));
    const two = worktree(common, join(base, name, 'two'));
    assert.deepEqual(at(one), { key: keyOf(common), name });
    assert.equal(at(two).key, at(one).key);
  }
});

test('a submodule, and a repository with its git directory elsewhere, is the folder holding the .git file', () => {
  const outer = repository(join(base, 'outer'));
  const sub = join(outer, 'sub');
  file(join(sub, '.git'), 'gitdir: ../.git/modules/sub\n');
  file(join(outer, '.git', 'modules', 'sub', 'HEAD'), 'x\n');
  assert.deepEqual(at(folder(join(sub, 'src'))), { key: keyOf(sub), name: 'sub' });
});

test('a worktree that was moved without telling git is its own project', () => {
  const main = repository(join(base, 'main'));
  worktree(join(main, '.git'), join(base, 'old'));
  const moved = join(base, 'moved');
  file(join(moved, '.git'), `gitdir: ${join(main, '.git', 'worktrees', 'old')}\n`);
  assert.equal(at(moved).key, keyOf(moved));
});

test('a .git file that cannot be one leaves the folder its own project', () => {
  const contents: [string, string | Buffer][] = [
    ['empty', ''],
    ['text', 'hello\n'],
    ['no path', 'gitdir: \n'],
    ['binary', Buffer.from([0x67, 0, 1, 2, 255])],
    ['huge', `gitdir: ${'x/'.repeat(1_000_000)}`],
    ['loop', 'gitdir: .git\n'],
    ['gone', 'gitdir: /nowhere/at/all\n'],
  ];
  for (const [name, content] of contents) {
    const app = join(base, name);
    file(join(app, '.git'), content);
    assert.equal(at(folder(join(app, 'src'))).key, keyOf(app), name);
  }
});

test('a .git file of more than 4 kB is not followed, even to a true record', () => {
  const main = repository(join(base, 'main'));
  const linked = worktree(join(main, '.git'), join(base, 'wt'), true);
  const padded = (size: number): string => `gitdir: ${'./'.repeat(size / 2)}../main/.git/${WORKTREES}/wt\n`;
  file(join(linked, '.git'), padded(1_000));
  assert.equal(at(linked).key, keyOf(main));
  file(join(linked, '.git'), padded(4_096));
  assert.equal(at(linked).key, keyOf(linked));
});

test('a worktree whose repository is reached through a link is followed', () => {
  const main = repository(join(base, 'main'));
  symlinkSync(main, join(base, 'link'), 'junction');
  const linked = worktree(join(base, 'link', '.git'), join(base, 'wt'));
  file(join(main, '.git', 'worktrees', 'wt', 'commondir'), `${join(base, 'link', '.git')}\n`);
  assert.equal(at(linked).key, keyOf(main));
});

test('links that lead nowhere or in circles are passed over', () => {
  const app = folder(join(base, 'app'));
  symlinkSync(join(base, 'a'), join(base, 'b'), 'junction');
  symlinkSync(join(base, 'b'), join(base, 'a'), 'junction');
  symlinkSync(join(base, 'a'), join(app, '.git'), 'junction');
  assert.equal(at(app).key, keyOf(app));
  assert.equal(at(join(base, 'a', 'x')).key, keyOf(join(base, 'a', 'x')));
});

if (process.platform !== 'win32') {
  test('a pipe where a file should be is not waited for', () => {
    const main = repository(join(base, 'main'));
    const linked = worktree(join(main, '.git'), join(base, 'wt'));
    const pipes = [
      join(folder(join(base, 'app')), '.git'),
      join(main, '.git', 'worktrees', 'wt', 'commondir'),
    ];
    rmSync(pipes[1] ?? '');
    execFileSync('mkfifo', pipes);
    assert.equal(at(join(base, 'app')).key, keyOf(join(base, 'app')));
    assert.equal(at(linked).key, keyOf(linked));
  });
}

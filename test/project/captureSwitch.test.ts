import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { captureSwitchedOff } from '../../src/project/captureSwitch.js';
import type { ProjectFiles } from '../../src/project/projectFiles.js';

const NAME = '.subconscious.json';
const OFF = '{"capture": false}';

const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'switch-')));
after(() => rmSync(root, { recursive: true, force: true }));

let base = '';
let repository = '';
beforeEach(() => {
  base = mkdtempSync(join(root, 'case-'));
  repository = join(base, 'repository');
  file(join(repository, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  mkdirSync(join(repository, 'src', 'deep'), { recursive: true });
});

function file(path: string, content: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const look = (directory: string, home = '/nobody') => captureSwitchedOff({ directory, home });

test('without a file capture is on', () => {
  assert.equal(look(join(repository, 'src', 'deep')), null);
});

test('a file in the folder, above it, or at the root of the repository switches it off', () => {
  for (const folder of [join(repository, 'src', 'deep'), join(repository, 'src'), repository]) {
    const switched = file(join(folder, NAME), OFF);
    assert.deepEqual(look(join(repository, 'src', 'deep')), { file: switched, fault: null });
    rmSync(switched);
  }
});

test('a file above the repository, in a folder below, or in a neighbour has no effect', () => {
  for (const folder of [base, join(repository, 'src', 'deep'), join(base, 'neighbour')]) {
    file(join(folder, NAME), OFF);
  }
  assert.equal(look(join(repository, 'src')), null);
});

test('outside of a repository only the folder itself counts', () => {
  const folder = join(base, 'notes', 'today');
  mkdirSync(folder, { recursive: true });
  file(join(base, 'notes', NAME), OFF);
  assert.equal(look(folder), null);
  assert.equal(look(join(base, 'notes'))?.fault, null);
});

test('in a home folder that is a repository only the folder itself counts', () => {
  file(join(repository, NAME), OFF);
  assert.equal(look(join(repository, 'src'), repository), null);
  assert.equal(look(repository, repository)?.fault, null);
});

test('the file of the main worktree counts in a linked one, and the other way round it does not', () => {
  const linked = join(base, 'linked');
  const record = join(repository, '.git', 'worktrees', 'linked');
  file(join(linked, '.git'), `gitdir: ${record}\n`);
  file(join(record, 'commondir'), '../..\n');
  file(join(record, 'gitdir'), `${join(linked, '.git')}\n`);
  const own = file(join(linked, NAME), OFF);
  assert.equal(look(repository), null);
  assert.equal(look(linked)?.file, own);
  rmSync(own);
  assert.equal(look(linked), null);
  const main = file(join(repository, NAME), OFF);
  assert.equal(look(linked)?.file, main);
});

test('a nested repository is looked at by itself', () => {
  file(join(repository, 'vendor', '.git', 'HEAD'), '');
  file(join(repository, NAME), OFF);
  assert.equal(look(join(repository, 'vendor')), null);
});

test('a file that says nothing of capture, or true, leaves it on, whatever else it names', () => {
  for (const content of [
    '{}',
    '{"capture": true}',
    '\ufeff{"namespace": "victim", "storage_dir": "/x"}\r\n',
  ]) {
    file(join(repository, NAME), content);
    assert.equal(look(repository), null, content);
  }
});

test('a file that cannot be understood switches it off, and it is said why', () => {
  const contents = ['', '{"capture": false', 'capture: false', '[]', 'null', '"off"', '{"capture": "no"}'];
  for (const content of [...contents, '{"capture": null}', `{"capture": true, "x": "${'y'.repeat(5000)}"}`]) {
    const path = file(join(repository, NAME), content);
    const off = look(repository);
    assert.equal(off?.file, path, content);
    assert.match(off.fault ?? '', /\w+/, content);
  }
});

test('a folder or a link of that name is not read, and switches it off', () => {
  mkdirSync(join(repository, NAME));
  assert.match(look(repository)?.fault ?? '', /no regular file/);
  rmSync(join(repository, NAME), { recursive: true });
  symlinkSync(join(repository, 'src'), join(repository, NAME), 'junction');
  const off = look(repository);
  assert.match(off?.fault ?? '', /no regular file/);
});

test('a folder that is not there has no file', () => {
  assert.equal(look(join(base, 'gone', 'long')), null);
});

test('on Windows the walk ends at the drive and ignores letter case', () => {
  const entries: Record<string, string | null> = {
    'C:\\Code': null,
    'C:\\Code\\App': null,
    'C:\\Code\\App\\.git': null,
    'C:\\Code\\App\\Src': null,
    'C:\\Code\\App\\.subconscious.json': OFF,
    'D:\\Loose': null,
  };
  const find = (path: string): string | undefined =>
    Object.keys(entries).find((name) => name.toLowerCase() === path.replaceAll('/', '\\').toLowerCase());
  const fs: ProjectFiles = {
    realpath: (path) => find(path) ?? null,
    kind: (path) => {
      const name = find(path);
      return name === undefined ? null : entries[name] === null ? 'directory' : 'file';
    },
    text: (path) => entries[find(path) ?? ''] ?? null,
  };
  const on = (directory: string) =>
    captureSwitchedOff({ directory, home: 'C:\\Users\\Ann', platform: 'win32', fs });
  assert.deepEqual(on('c:/code/app/src'), { file: 'C:\\Code\\App\\.subconscious.json', fault: null });
  assert.equal(on('C:\\Code'), null);
  assert.equal(on('D:\\Loose'), null);
  assert.equal(on('D:\\'), null);
});

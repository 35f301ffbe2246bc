import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifyProject } from '../../src/project/project.js';
import type { ProjectFiles } from '../../src/project/projectFiles.js';

/** Git's name for the folder of its records. */
const WORKTREES = 'worktrees';

/** A disk of directories (null) and files by path; real paths are looked up without regard to case. */
function disk(entries: Record<string, string | null>): ProjectFiles {
  const find = (path: string): string | undefined =>
    Object.keys(entries).find((name) => name.toLowerCase() === path.replaceAll('/', '\\').toLowerCase());
  return {
    realpath: (path) => find(path) ?? null,
    kind: (path) => {
      const name = find(path);
      return name === undefined ? null : entries[name] === null ? 'directory' : 'file';
    },
    text: (path) => entries[find(path) ?? ''] ?? null,
  };
}

const windows = (directory: string, fs: ProjectFiles): { key: string; name: string } =>
  identifyProject({ namespace: null, directory, home: 'C:\\Users\\Ann', platform: 'win32', fs });

test('on Windows the key ignores case and keeps backslashes, the name keeps its case', () => {
  const fs = disk({ 'C:\\Work\\App': null, 'C:\\Work\\App\\.git': null, 'C:\\Work\\App\\Src': null });
  for (const written of ['c:\\work\\APP\\src', 'C:/Work/App/Src', 'C:\\Work\\App\\']) {
    assert.deepEqual(windows(written, fs), { key: 'path:c:\\work\\app', name: 'App' });
  }
});

test('on Windows drives, shares and home are no project', () => {
  const fs = disk({ 'C:\\Users\\Ann': null, 'C:\\Users\\Ann\\.git': null });
  for (const none of [
    'C:\\',
    'D:\\',
    '\\\\server\\share',
    '\\\\server\\share\\',
    'c:\\users\\ann',
    'C:\\USERS\\Ann\\',
  ]) {
    assert.equal(windows(none, fs).key, '', none);
  }
  assert.equal(windows('\\\\Server\\Share\\App', fs).key, 'path:\\\\server\\share\\app');
  assert.equal(windows('C:\\Users\\Ann\\Notes', fs).key, 'path:c:\\users\\ann\\notes');
});

test('on Windows a worktree is followed through the forward slashes and letter case git wrote', () => {
  const fs = disk({
    'C:\\Main': null,
    'C:\\Main\\.git': null,
    'C:\\Main\\.git\\worktrees\\wt': null,
    'C:\\Main\\.git\\worktrees\\wt\\commondir': '../..\n',
    'C:\\Main\\.git\\worktrees\\wt\\gitdir': 'c:/wt/.git\n',
    'C:\\Wt': null,
    'C:\\Wt\\.git': `gitdir: c:/main/.git/${WORKTREES}/wt\r\n`,
  });
  assert.deepEqual(windows('C:\\wt', fs), { key: 'path:c:\\main', name: 'Main' });
});

test('on macOS the real case counts, and decomposed names are composed in the key', () => {
  const real = '/Users/ann/Cafe\u0301';
  const fs: ProjectFiles = {
    realpath: (path) => (path.toLowerCase() === '/users/ann/café' ? real : null),
    kind: () => null,
    text: () => null,
  };
  const project = identifyProject({
    namespace: null,
    directory: '/users/ANN/Café',
    home: '/Users/ann',
    platform: 'darwin',
    fs,
  });
  assert.deepEqual(project, { key: 'path:/Users/ann/Caf\u00e9', name: 'Cafe\u0301' });
});

test('elsewhere letter case tells folders apart', () => {
  const fs = disk({});
  const key = (directory: string): string =>
    identifyProject({ namespace: null, directory, home: '/home/ann', platform: 'linux', fs }).key;
  assert.deepEqual([key('/srv/App'), key('/srv/app/')], ['path:/srv/App', 'path:/srv/app']);
});

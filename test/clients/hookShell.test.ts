import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hookShell } from '../../src/clients/hookShell.js';

const env = {
  ProgramFiles: 'C:\\Program Files',
  SystemRoot: 'D:\\Windows',
  PATH: 'tools;C:\\Windows;E:\\Git\\cmd',
};
const POWERSHELL = 'D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe';

function shell(files: readonly string[], changes: NodeJS.ProcessEnv = {}) {
  return hookShell({
    platform: 'win32',
    env: { ...env, ...changes },
    isFile: (path) => files.includes(path),
  });
}

test('elsewhere than on Windows hooks are run by sh', () => {
  for (const platform of ['linux', 'darwin'] as const) {
    assert.equal(hookShell({ platform, env: {}, isFile: () => assert.fail('a file was looked for') }), 'sh');
  }
});

test('on Windows it is Git Bash, wherever that is', () => {
  for (const [files, changes] of [
    [['C:\\Program Files\\Git\\bin\\bash.exe'], {}],
    [['P:\\32\\Git\\bin\\bash.exe'], { 'ProgramFiles(x86)': 'P:\\32' }],
    [['X:\\bash.exe'], { CLAUDE_CODE_GIT_BASH_PATH: 'X:\\bash.exe' }],
    [['E:\\Git\\cmd\\git.exe', 'E:\\Git\\bin\\bash.exe'], {}],
  ] as const) {
    assert.equal(shell([...files, POWERSHELL], changes), 'sh', files[0]);
  }
});

test('without Git Bash it is PowerShell, and without that cmd', () => {
  assert.equal(shell([POWERSHELL]), 'powershell');
  assert.equal(shell(['E:\\Git\\cmd\\pwsh.exe']), 'powershell');
  assert.equal(shell([]), 'cmd');
  assert.equal(shell([POWERSHELL], { CLAUDE_CODE_GIT_BASH_PATH: 'X:\\gone.exe' }), 'powershell');
  // A git that is only a shim of a package manager.
  assert.equal(shell(['E:\\Git\\cmd\\git.exe', POWERSHELL]), 'powershell');
});

test('nothing is looked for in the working directory', () => {
  assert.equal(shell(['tools\\git.exe', 'bin\\bash.exe', 'Git\\bin\\bash.exe', 'pwsh.exe'], {}), 'cmd');
  assert.equal(shell(['Git\\bin\\bash.exe'], { ProgramFiles: '' }), 'cmd');
});

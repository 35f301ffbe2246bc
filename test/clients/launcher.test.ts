import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { refreshLauncher, removeLauncher, writeLauncher } from '../../src/clients/launcher.js';
import { launcherFiles, programIn, type Program } from '../../src/clients/launcherText.js';
import { ODD_NAMES, SHELLS } from './oddNames.js';
import { Place } from './place.js';

/** A stand-in for Node that says how it was started and what it is given. */
const NODE = '#!/bin/sh\nprintf "%s|" "$ELECTRON_RUN_AS_NODE" "$@"\ncat\n';

/** A program in a folder of that name. */
function program(place: Place, name = 'program', version = '1.2.3'): Program {
  const folder = join(place.root, name);
  const node = place.write(NODE, join(folder, 'node'));
  chmodSync(node, 0o700);
  return { node, script: place.write('', join(folder, 'hook.js')), version };
}

async function launch(place: Place, at: Program, path = process.env['PATH']) {
  await writeLauncher(place.home, at, 'linux');
  const { status, stdout, stderr } = spawnSync(place.launcher, ['--event', 'stop'], {
    encoding: 'utf8',
    env: { PATH: path },
    input: '{"a": 1}',
  });
  return { status, stdout, stderr };
}

const ran = ({ script }: Program) => ({
  status: 0,
  stdout: `1|${script}|--event|stop|{"a": 1}`,
  stderr: '',
});
const NOTHING = { status: 0, stdout: '', stderr: '' };

function textFor(platform: NodeJS.Platform, at: Program, name = 'subconscious-hook'): string {
  const file = launcherFiles(at, platform).find((one) => one.name === name);
  assert.ok(file);
  return file.text;
}

const cmdText = (at: Program) => textFor('win32', at, 'subconscious-hook.cmd');

describe('the launcher for POSIX shells', () => {
  for (const shell of SHELLS) {
    it(`starts the program under ${shell} with its arguments and input, wherever it is`, (t) => {
      const place = new Place(t);
      for (const name of ODD_NAMES) {
        const at = program(place, name);
        const launcher = place.write(textFor('linux', at), join(place.root, 'launcher'));
        const { status, stdout, stderr } = spawnSync(shell, [launcher, '--event', 'stop'], {
          encoding: 'utf8',
          input: '{"a": 1}',
        });
        assert.deepEqual({ status, stdout, stderr }, ran(at));
      }
    });
  }

  it('takes the Node of the PATH where the one it knows is gone', async (t) => {
    const place = new Place(t);
    const [at, other] = [program(place), program(place, 'a b')];
    const path = `${dirname(other.node)}:${process.env['PATH'] ?? ''}`;
    assert.deepEqual(await launch(place, { ...at, node: '/gone/node' }, path), ran(at));
  });

  it('ends well and silently where the program or every Node is gone', async (t) => {
    const place = new Place(t);
    const at = program(place);
    assert.deepEqual(await launch(place, { ...at, script: join(place.root, 'gone.js') }), NOTHING);
    assert.deepEqual(await launch(place, { ...at, node: '/gone/node' }, place.root), NOTHING);
  });
});

describe('the launcher for Windows', () => {
  it('has doubled percent signs, paths in quotes, and lines as cmd wants them', () => {
    const script = 'C:\\Users\\a & b (c) 100% %TEMP%\\hook.js';
    const node = 'C:\\Program Files\\nodejs\\node.exe';
    assert.deepEqual(cmdText({ node, script, version: '1.2.3' }).split('\r\n'), [
      '@echo off',
      'rem Starts the capture hooks of Subconscious. Written by install-hooks and by newer versions.',
      'rem Version 1.2.3',
      'setlocal DisableDelayedExpansion',
      'set "script=C:\\Users\\a & b (c) 100%% %%TEMP%%\\hook.js"',
      'set "node=C:\\Program Files\\nodejs\\node.exe"',
      'if not exist "%script%" exit /b 0',
      'if not exist "%node%" for %%N in (node.exe) do set "node=%%~$PATH:N"',
      'if not defined node exit /b 0',
      'set ELECTRON_RUN_AS_NODE=1',
      '"%node%" "%script%" %*',
      '',
    ]);
  });

  it('changes the code page for paths that are not ASCII alone, and gives the console its own back', () => {
    const at = (script: string) => cmdText({ node: 'C:\\node.exe', script, version: '1' }).split('\r\n');
    const lines = at('C:\\Jürgen\\hook.js');
    const change = lines.indexOf('chcp 65001 >nul');
    assert.deepEqual(lines.slice(change - 2, change + 4), [
      'set "page="',
      'for /f "tokens=2 delims=:." %%P in (\'chcp\') do set "page=%%P"',
      'chcp 65001 >nul',
      'set "script=C:\\Jürgen\\hook.js"',
      'set "node=C:\\node.exe"',
      'if defined page chcp %page% >nul',
    ]);
    assert.equal(at('C:\\hook.js').join().includes('chcp'), false);
  });

  it('stands beside one for Git Bash, which has forward slashes', () => {
    const at = { node: 'C:\\Program Files\\node.exe', script: "C:\\it's\\hook.js", version: '1' };
    assert.deepEqual(
      launcherFiles(at, 'win32').map(({ name }) => name),
      ['subconscious-hook', 'subconscious-hook.cmd'],
    );
    const slashes = { node: 'C:/Program Files/node.exe', script: "C:/it's/hook.js", version: '1' };
    assert.equal(textFor('win32', at), textFor('linux', slashes));
  });
});

describe('the file of the launcher', () => {
  it('is written only when it differs, in one step', async (t) => {
    const place = new Place(t);
    const at = program(place);
    await writeLauncher(place.home, at, 'linux');
    utimesSync(place.launcher, 1, 1);
    await writeLauncher(place.home, at, 'linux');
    assert.equal(statSync(place.launcher).mtimeMs, 1000);
    await writeLauncher(place.home, { ...at, node: '/other' }, 'linux');
    assert.ok(place.text(place.launcher).includes('/other'));
    assert.deepEqual(readdirSync(dirname(place.launcher)), ['subconscious-hook']);
  });

  it('is brought up to date where its program is gone, and not made', async (t) => {
    const place = new Place(t);
    await refreshLauncher(place.home, program(place), 'linux');
    assert.equal(existsSync(place.home), false);
    await writeLauncher(place.home, program(place, 'old', '2.0.0'), 'linux');
    const at = program(place, 'new', '1.0.0');
    rmSync(join(place.root, 'old'), { recursive: true });
    await refreshLauncher(place.home, at, 'linux');
    const { stdout } = spawnSync(place.launcher, ['--event', 'stop'], {
      encoding: 'utf8',
      input: '{"a": 1}',
    });
    assert.equal(stdout, ran(at).stdout);
    assert.equal(statSync(place.launcher).mode & 0o777, 0o700);
  });

  it('starts a newer version from then on that was started once, and no other', async (t) => {
    const place = new Place(t);
    const first = program(place, 'first', '1.10.0');
    await writeLauncher(place.home, first, 'linux');
    const starts = () => programIn(place.text(place.launcher));
    for (const version of ['1.9.0', '1.10.0', '1.10.0-beta.1', 'unknown']) {
      await refreshLauncher(place.home, program(place, 'other', version), 'linux');
      assert.deepEqual(starts(), first, version);
    }
    const newer = program(place, 'newer', '1.10.1');
    await refreshLauncher(place.home, newer, 'linux');
    assert.deepEqual(starts(), newer);
    // Who installs hooks has chosen.
    await writeLauncher(place.home, first, 'linux');
    assert.deepEqual(starts(), first);
  });

  it('of a newer version whose Node is gone starts the same program with the Node of this one', async (t) => {
    const place = new Place(t);
    const [newer, older] = [program(place, 'newer', '2.0.0'), program(place, 'older', '1.0.0')];
    await writeLauncher(place.home, { ...newer, node: '/gone/node' }, 'linux');
    await refreshLauncher(place.home, older, 'linux');
    assert.deepEqual(programIn(place.text(place.launcher)), { ...newer, node: older.node });
    assert.equal(statSync(place.launcher).mode & 0o777, 0o700);
  });

  it('is brought up to date where it does not tell its version, and left alone where it is not ours', async (t) => {
    const place = new Place(t);
    const [first, other] = [program(place, 'first'), program(place, 'other')];
    await writeLauncher(place.home, first, 'linux');
    place.write(place.text(place.launcher).replace(/^# Version .*\n/m, ''), place.launcher);
    await refreshLauncher(place.home, other, 'linux');
    assert.deepEqual(programIn(place.text(place.launcher)), other);
    place.write('#!/bin/sh\nexec mine\n', place.launcher);
    await refreshLauncher(place.home, other, 'linux');
    assert.equal(place.text(place.launcher), '#!/bin/sh\nexec mine\n');
  });

  it('may be run by its owner alone, in a folder of the same kind, under any umask', async (t) => {
    const place = new Place(t);
    const umask = process.umask(0);
    t.after(() => process.umask(umask));
    await writeLauncher(place.home, program(place), 'linux');
    for (const path of [place.launcher, dirname(place.launcher)]) {
      assert.equal(statSync(path).mode & 0o777, 0o700);
    }
  });

  it('is removed with its folder, unless something else lies there', async (t) => {
    const place = new Place(t);
    await writeLauncher(place.home, program(place), 'linux');
    await removeLauncher(place.home, 'linux');
    assert.equal(existsSync(dirname(place.launcher)), false);
    await writeLauncher(place.home, program(place), 'linux');
    place.write('', join(dirname(place.launcher), 'other'));
    await removeLauncher(place.home, 'linux');
    assert.deepEqual(readdirSync(dirname(place.launcher)), ['other']);
  });
});

describe('what a launcher starts', () => {
  const version = '1.2.3-beta.4';
  for (const name of ODD_NAMES) {
    it(`is read as it was written: ${name}`, () => {
      const onLinux = { node: `/opt/${name}/node`, script: `/opt/${name}/hook.js`, version };
      assert.deepEqual(
        launcherFiles(onLinux, 'linux').map(({ text }) => programIn(text)),
        [onLinux],
      );
      const { node, script } = { node: `C:\\${name}\\node.exe`, script: `C:\\${name}\\hook.js` };
      const forGitBash = { node: node.replaceAll('\\', '/'), script: script.replaceAll('\\', '/'), version };
      assert.deepEqual(
        launcherFiles({ node, script, version }, 'win32').map(({ text }) => programIn(text)),
        [forGitBash, { node, script, version }],
      );
    });
  }

  it('is unknown for a text that nobody of us wrote', () => {
    assert.equal(programIn('#!/bin/sh\nexec true\n'), null);
    assert.equal(programIn("#!/bin/sh\nnode='/opt/node'\n"), null);
  });
});

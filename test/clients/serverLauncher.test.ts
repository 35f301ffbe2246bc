import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { refreshLauncher, writeLauncher } from '../../src/clients/launcher.js';
import { SERVER_LAUNCHER } from '../../src/clients/launcherPath.js';
import { launcherFiles, programIn, type Program } from '../../src/clients/launcherText.js';
import { ConnectPlace } from './connectPlace.js';
import { ODD_NAMES, SHELLS } from './oddNames.js';

/** A stand-in for Node that says how it was started and what it is given. */
const NODE = '#!/bin/sh\nprintf "%s|" "$ELECTRON_RUN_AS_NODE" "$@"\ncat\n';

/** An installation in a folder of that name, known by one of its bundles. */
function program(place: ConnectPlace, name = 'program', version = '1.2.3'): Program {
  const folder = join(place.root, name);
  const node = place.write(NODE, join(folder, 'node'));
  chmodSync(node, 0o700);
  for (const bundle of ['hook.js', 'server.js']) place.write('', join(folder, bundle));
  return { node, script: join(folder, 'hook.js'), version };
}

const serverOf = ({ script }: Program) => join(dirname(script), 'server.js');
const textFor = (at: Program, platform: NodeJS.Platform = 'linux') =>
  launcherFiles(at, platform, SERVER_LAUNCHER).map(({ text }) => text);

/** Starts the launcher by `sh` at its full path: what it does itself has to need no PATH. */
async function launch(place: ConnectPlace, at: Program, path: string) {
  await writeLauncher(place.home, at, 'linux', SERVER_LAUNCHER);
  const { status, stdout, stderr } = spawnSync(place.server, ['--config', 'a b'], {
    encoding: 'utf8',
    env: { PATH: path },
    input: '{"a": 1}',
  });
  return { status, stdout, stderr };
}

describe('the launcher of the server', () => {
  for (const shell of SHELLS) {
    it(`starts the server of the same installation under ${shell}, wherever it is, and passes all on`, (t) => {
      const place = new ConnectPlace(t);
      for (const name of ODD_NAMES) {
        const at = program(place, name);
        const launcher = place.write(textFor(at)[0] ?? '', join(place.root, 'launcher'));
        const { status, stdout, stderr } = spawnSync(shell, [launcher, '--config', 'a b'], {
          encoding: 'utf8',
          input: '{"a": 1}',
        });
        const said = `1|${serverOf(at)}|--config|a b|{"a": 1}`;
        assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: said, stderr: '' });
      }
    });
  }

  it('never takes the Node of the working directory, which an empty part of the PATH stands for', (t) => {
    const place = new ConnectPlace(t);
    const at = program(place);
    const launcher = place.write(
      textFor({ ...at, node: '/gone/node' })[0] ?? '',
      join(place.root, 'launcher'),
    );
    for (const PATH of ['', ':/x', '/x:', '.']) {
      const { status, stdout, stderr } = spawnSync('/bin/sh', [launcher], {
        encoding: 'utf8',
        cwd: dirname(at.node),
        env: { PATH },
      });
      assert.deepEqual([status, stdout], [1, ''], PATH);
      assert.match(stderr, /the Node it knew/);
    }
  });

  it('takes the Node of the PATH where the one it knows is gone', async (t) => {
    const place = new ConnectPlace(t);
    const [at, other] = [program(place), program(place, 'a b')];
    const path = `${dirname(other.node)}:${process.env['PATH'] ?? ''}`;
    const { status, stdout } = await launch(place, { ...at, node: '/gone/node' }, path);
    assert.deepEqual([status, stdout], [0, `1|${serverOf(at)}|--config|a b|{"a": 1}`]);
  });

  it('says what is gone and what to do, and fails', async (t) => {
    const place = new ConnectPlace(t);
    const at = program(place);
    const noNode = await launch(place, { ...at, node: '/gone/node' }, place.root);
    assert.deepEqual([noNode.status, noNode.stdout], [1, '']);
    assert.match(
      noNode.stderr,
      /^Subconscious cannot start: .*Node.* is gone, .* PATH\. Install .* connect.*\n$/,
    );
    rmSync(serverOf(at));
    const noProgram = await launch(place, at, '');
    assert.deepEqual([noProgram.status, noProgram.stdout], [1, '']);
    const start = `Subconscious cannot start: its program ${serverOf(at)} is gone. Install it again`;
    assert.ok(noProgram.stderr.startsWith(start), noProgram.stderr);
  });

  it('for Windows is one for cmd, which says on stderr what is gone', () => {
    const at = { node: 'C:\\Program Files\\node.exe', script: 'C:\\a & b 100%\\hook.js', version: '1.2.3' };
    const files = launcherFiles(at, 'win32', SERVER_LAUNCHER);
    assert.deepEqual(
      files.map(({ name }) => name),
      ['subconscious-mcp.cmd'],
    );
    const lines = files[0]?.text.split('\r\n') ?? [];
    assert.deepEqual(lines.slice(3, 14), [
      'setlocal DisableDelayedExpansion',
      'set "script=C:\\a & b 100%%\\server.js"',
      'set "node=C:\\Program Files\\node.exe"',
      'if not exist "%script%" goto noscript',
      'if not exist "%node%" for %%N in (node.exe) do set "node=%%~$PATH:N"',
      'if not defined node goto nonode',
      'set ELECTRON_RUN_AS_NODE=1',
      '"%node%" "%script%" %*',
      'exit /b %errorlevel%',
      ':noscript',
      lines[13],
    ]);
    assert.match(lines[13] ?? '', /^>&2 echo Subconscious cannot start: its program "%script%" is gone\. /);
    assert.equal(lines[14], 'exit /b 1');
    assert.equal(lines[15], ':nonode');
    assert.match(lines[16] ?? '', /^>&2 echo Subconscious cannot start: [^&|<>^()%!"]*$/);
    assert.deepEqual(lines.slice(17), ['exit /b 1', '']);
  });
});

describe('launchers that are brought up to date', () => {
  it('are both: each starts its own bundle of the newer installation', async (t) => {
    const place = new ConnectPlace(t);
    const [older, newer] = [program(place, 'older', '1.0.0'), program(place, 'newer', '1.1.0')];
    await writeLauncher(place.home, older, 'linux');
    await writeLauncher(place.home, older, 'linux', SERVER_LAUNCHER);
    // An extension knows another bundle than the host does.
    await refreshLauncher(place.home, { ...newer, script: serverOf(newer) }, 'linux');
    assert.deepEqual(programIn(place.text(place.launcher)), newer);
    assert.deepEqual(programIn(place.text(place.server)), { ...newer, script: serverOf(newer) });
  });

  it('are those that are there, and start another one where their program is gone', async (t) => {
    const place = new ConnectPlace(t);
    const [gone, older] = [program(place, 'gone', '2.0.0'), program(place, 'older', '1.0.0')];
    await writeLauncher(place.home, gone, 'linux', SERVER_LAUNCHER);
    rmSync(serverOf(gone));
    await refreshLauncher(place.home, older, 'linux');
    assert.deepEqual(programIn(place.text(place.server)), { ...older, script: serverOf(older) });
    assert.equal(existsSync(place.launcher), false);
  });
});

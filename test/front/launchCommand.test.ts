import assert from 'node:assert/strict';
import { ChildProcess } from 'node:child_process';
import { test } from 'node:test';
import { launchHost, thisSystem, type LaunchOptions, type LaunchSystem } from '../../src/server/launch.js';

const options: LaunchOptions = { script: '/opt/host.js', hostOptions: {} };

for (const gone of ['node', 'host.js']) {
  test(`where ${gone} was removed, that is said and nothing started`, async () => {
    const path = `/opt/${gone}`;
    const system: LaunchSystem = {
      ...thisSystem,
      execPath: '/opt/node',
      exists: (asked) => asked !== path,
      spawn: () => assert.fail('a process was started'),
    };
    const launch = launchHost(options, system);
    launch.release();
    assert.match(await launch.gaveUp, new RegExp(`^${path} is gone: .* Restart the MCP client\\.$`));
  });
}

test('where no process can be started, that is said', async () => {
  const thrown = launchHost(options, {
    ...thisSystem,
    exists: () => true,
    spawn: () => {
      throw new Error('spawn E2BIG');
    },
  });
  assert.match(await thrown.gaveUp, /did not start .* \(spawn E2BIG\)\. .* try again\.$/);
  // As with EMFILE: there are no streams then.
  const spawnNothing = () => {
    const child = new ChildProcess();
    process.nextTick(() => child.emit('error', new Error('spawn EMFILE')));
    return child;
  };
  const launch = launchHost(options, { ...thisSystem, exists: () => true, spawn: spawnNothing });
  assert.match(await launch.gaveUp, /\(spawn EMFILE\)/);
  launch.release();
});

interface Started {
  readonly program: string;
  readonly args: readonly string[];
  readonly options: Parameters<LaunchSystem['spawn']>[2];
}

/** How it would be started on that system. */
function started(changes: Partial<LaunchSystem>, script: string): Started {
  const all: Started[] = [];
  const record: LaunchSystem['spawn'] = (program, args, options) => {
    all.push({ program, args, options });
    return new ChildProcess();
  };
  launchHost(
    { script, hostOptions: { storageDir: 'Ü' } },
    { ...thisSystem, exists: () => true, spawn: record, ...changes },
  );
  assert.equal(all.length, 1);
  const [first] = all;
  assert.ok(first);
  return first;
}

test('on Windows a hidden shell starts the host, and paths are never part of its command', () => {
  const execPath = 'C:\\Program Files (x86)\\R&D 100%\\node!^.exe';
  const script = 'D:\\me & you\\%TEMP%\\host.js';
  const env = { SystemRoot: 'E:\\Windows', Path: 'x' };
  const { program, args, options } = started({ platform: 'win32', execPath, env }, script);
  assert.equal(program, 'E:\\Windows\\System32\\cmd.exe');
  assert.equal(args.join(' '), '/d /v:off /s /c "start "" /b "%SUBCONSCIOUS_NODE%" "%SUBCONSCIOUS_SCRIPT%""');
  const hostOptions = '{"storageDir":"Ü"}';
  assert.deepEqual(options, {
    cwd: 'D:\\me & you\\%TEMP%',
    env: {
      ...env,
      SUBCONSCIOUS_NODE: execPath,
      SUBCONSCIOUS_SCRIPT: script,
      SUBCONSCIOUS_HOST_OPTIONS: hostOptions,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
    windowsVerbatimArguments: true,
  });
});

test('the environment is passed on without what belongs to the starter alone', () => {
  const kept = { HOME: '/home/me', ELECTRON_RUN_AS_NODE: '1', NODE_EXTRA_CA_CERTS: 'x' };
  const env = {
    ...kept,
    NODE_OPTIONS: '--inspect',
    VSCODE_INSPECTOR_OPTIONS: '{}',
    NODE_CHANNEL_FD: '3',
    NODE_CHANNEL_SERIALIZATION_MODE: 'json',
  };
  const hostOptions = { SUBCONSCIOUS_HOST_OPTIONS: '{"storageDir":"Ü"}' };
  const on = (changes: Partial<LaunchSystem>) =>
    started({ platform: 'linux', electron: false, ...changes }, '/opt/host.js').options.env;
  assert.deepEqual(on({ env }), { ...kept, ...hostOptions });
  assert.deepEqual(on({ env: {} }), hostOptions);
  assert.deepEqual(on({ env: {}, electron: true }), { ELECTRON_RUN_AS_NODE: '1', ...hostOptions });
});

import assert from 'node:assert/strict';
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { launchHost, thisSystem, type LaunchSystem } from '../../src/server/launch.js';
import { until } from '../server/until.js';
import { newStarter, nextHost, optionsFor, root, STAND_IN } from './launchRig.js';
import { processes, treeOf } from './processTree.js';

test('a host gets its options and runs in the folder of its script', async (t) => {
  const host = nextHost(t);
  const launch = launchHost(optionsFor(), { ...thisSystem, env: { ...process.env, MODE: 'inherited' } });
  t.after(() => launch.release());
  const { cwd, script, words, mode } = await host;
  assert.deepEqual(
    { cwd, script, words, mode },
    { cwd: import.meta.dirname, script: STAND_IN, words: [], mode: 'inherited' },
  );
});

test('of a host that serves nothing is heard, even when its starter lets go of it', async (t) => {
  const host = nextHost(t);
  const launch = launchHost(optionsFor());
  const { answers } = await host;
  await answers();
  assert.equal(await Promise.race([launch.gaveUp, Promise.resolve('serving')]), 'serving');
  launch.release();
  await answers();
  assert.equal(await Promise.race([launch.gaveUp, Promise.resolve('serving')]), 'serving');
});

test('the last words of a host are heard', async () => {
  const sentence = 'The directory 記憶 belongs to pid 7.';
  assert.equal(await launchHost(optionsFor({ say: ` ${sentence}\n`, then: 'exit' })).gaveUp, sentence);
});

test('of many last words the end is kept, and no half of a character', async () => {
  const say = `${'😀'.repeat(30_000)}!`;
  const words = await launchHost(optionsFor({ say, then: 'exit' })).gaveUp;
  assert.equal(words.length, 2_000);
  assert.ok(words.endsWith('😀!') && words.isWellFormed());
});

test('of a crash the message and its place are heard', async () => {
  const words = await launchHost(optionsFor({ say: 'warning: first\n', then: 'crash' })).gaveUp;
  assert.match(words, /^Error: the roof fell in \(at .*standInHost\.mjs:\d+:\d+\)+$/);
});

test('of a script that cannot be read the message is heard', async () => {
  const words = await launchHost(optionsFor({}, import.meta.dirname)).gaveUp;
  assert.match(words, /^Error: Cannot find module .*\(at .*\)$/);
});

test('a host that leaves in silence has no last words', async () => {
  assert.equal(await launchHost(optionsFor({ then: 'exit' })).gaveUp, '');
});

for (const order of ['launch', 'launch without a shell']) {
  test(`a starter that has let go of its host ends, and the host goes on: ${order}`, async (t) => {
    const starter = await newStarter(t);
    const host = nextHost(t);
    starter.tell(order);
    const { answers } = await host;
    starter.tell('release');
    assert.deepEqual(await starter.exited, [0, null]);
    await answers();
  });
}

if (process.platform !== 'win32') {
  test('no path is read as shell text', async (t) => {
    const folder = join(root, `it's "a" $HOME \`id\` $(id) 日本語 & ; %PATH% !x -n *`);
    mkdirSync(folder);
    const script = join(folder, '-host $0.mjs');
    copyFileSync(STAND_IN, script);
    const execPath = join(folder, '-node "$@"');
    symlinkSync(process.execPath, execPath);
    const host = nextHost(t);
    const launch = launchHost(optionsFor({}, script), { ...thisSystem, execPath });
    t.after(() => launch.release());
    const facts = await host;
    assert.deepEqual([facts.cwd, facts.script, facts.words], [folder, script, []]);
  });

  test('a starter whose folder was deleted can start a host', async (t) => {
    const cwd = mkdtempSync(join(root, 'deleted-'));
    const starter = await newStarter(t, cwd);
    rmSync(cwd, { recursive: true });
    const host = nextHost(t);
    starter.tell('launch');
    await (await host).answers();
  });

  /** This system with no shell in it; it records what was asked of it. */
  function shellless() {
    const asked: { program: string; options: SpawnOptions; child: ChildProcess }[] = [];
    const system: LaunchSystem = {
      ...thisSystem,
      spawn: (program, args, options) => {
        const child = spawn(program === '/bin/sh' ? join(root, 'no-such-shell') : program, args, options);
        asked.push({ program, options, child });
        return child;
      },
    };
    return { asked, system };
  }

  test('where there is no shell the host is started all the same, in a session of its own', async (t) => {
    const { asked, system } = shellless();
    const host = nextHost(t);
    const launch = launchHost(optionsFor(), system);
    await (await host).answers();
    launch.release();
    assert.deepEqual(
      asked.map(({ program, options }) => [program, options.detached]),
      [
        ['/bin/sh', true],
        [process.execPath, true],
      ],
    );
  });

  test('what is let go at once and has no shell is started too, and keeps nothing open', async (t) => {
    const { asked, system } = shellless();
    const host = nextHost(t);
    launchHost(optionsFor(), system).release();
    await (await host).answers();
    assert.deepEqual(
      asked.map(({ child }) => child.stderr?.destroyed),
      [true, true],
    );
  });
}

if (process.platform === 'linux') {
  test('a host is no descendant of its starter and shares no session or group with it', async (t) => {
    const host = nextHost(t);
    const launch = launchHost(optionsFor());
    t.after(() => launch.release());
    const { pid } = await host;
    // The shell may still be on its way out.
    await until('the host is adopted', () => !treeOf(process.pid).includes(pid));
    const all = processes();
    const [own, its] = [process.pid, pid].map((wanted) => all.find((one) => one.pid === wanted));
    assert.ok(own && its);
    assert.notEqual(its.session, own.session);
    assert.notEqual(its.group, own.group);
  });

  test('a host survives when the tree, group and session of its starter are killed', async (t) => {
    const starter = await newStarter(t);
    const host = nextHost(t);
    starter.tell('launch');
    const { pid: hostPid, answers } = await host;
    // The shell may still be on its way out.
    await until('the host is adopted', () => !treeOf(starter.pid).includes(hostPid));
    const tree = new Set(treeOf(starter.pid));
    const victims = processes().filter(
      ({ pid, group, session }) => tree.has(pid) || group === starter.pid || session === starter.pid,
    );
    for (const { pid } of victims) process.kill(pid, 'SIGKILL');
    assert.deepEqual(await starter.exited, [null, 'SIGKILL']);
    await answers();
  });

  test('a host inherits nothing that the client gave its starter', async (t) => {
    const starter = await newStarter(t);
    const host = nextHost(t);
    starter.tell('launch');
    const { pid } = await host;
    const linkOf = (of: number, fd: string) => readlinkSync(`/proc/${of}/fd/${fd}`);
    assert.deepEqual([linkOf(pid, '0'), linkOf(pid, '1')], ['/dev/null', '/dev/null']);
    const open = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(pid, fd));
    // What its client gave the starter.
    const given = ['0', '1', '3'].map((fd) => linkOf(starter.pid, fd));
    for (const link of given) assert.match(link, /^(pipe|socket):/);
    assert.deepEqual(
      given.filter((link) => open.includes(link)),
      [],
    );
  });
}

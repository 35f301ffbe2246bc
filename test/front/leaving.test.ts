import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { leaving, thisSystem, type LeavingSystem } from '../../src/server/leaving.js';
import { program } from '../program.js';

const LEAVER = [await program(join(import.meta.dirname, 'leaver.ts'))] as const;

/** A process whose parent and signals are up to the test, and time as well. */
function fakeSystem(platform: NodeJS.Platform, parent: number) {
  const actions = new Map<NodeJS.Signals, () => void>();
  const state = { ppid: parent, alive: [parent], checks: 0 };
  let check: (() => void) | undefined;
  const system: LeavingSystem = {
    platform,
    ppid: () => state.ppid,
    exists: (pid) => {
      state.checks += 1;
      return state.alive.includes(pid);
    },
    onSignal: (signal, act) => void actions.set(signal, act),
    every: (milliseconds, act) => {
      assert.ok(milliseconds <= 500);
      check = act;
      return () => (check = undefined);
    },
  };
  return {
    system,
    state,
    signals: () => [...actions.keys()],
    send: (signal: NodeJS.Signals) => actions.get(signal)?.(),
    tick: () => check?.(),
    watches: () => check !== undefined,
  };
}

/** The reason, or `staying` where there is none yet. */
const now = (reason: Promise<string>) => Promise.race([reason, Promise.resolve('staying')]);

test('the first signal is the reason, whatever follows', async () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'] as const) {
    const { system, state, send, tick } = fakeSystem('linux', 40);
    const reason = leaving(system);
    assert.equal(await now(reason), 'staying');
    send(signal);
    send('SIGTERM');
    state.ppid = 1;
    tick();
    assert.equal(await now(reason), signal);
  }
});

test('on POSIX another parent means that the first one is gone', async () => {
  for (const adopter of [1, 77]) {
    const { system, state, tick } = fakeSystem('darwin', 40);
    const reason = leaving(system);
    tick();
    assert.equal(await now(reason), 'staying');
    state.ppid = adopter;
    tick();
    assert.equal(await now(reason), 'parent gone');
  }
});

test('the parent is watched until there is a reason, and not after', () => {
  const bySignal = fakeSystem('linux', 40);
  void leaving(bySignal.system);
  assert.ok(bySignal.watches());
  bySignal.send('SIGTERM');
  assert.ok(!bySignal.watches());

  const byParent = fakeSystem('linux', 40);
  void leaving(byParent.system);
  byParent.state.ppid = 1;
  byParent.tick();
  assert.ok(!byParent.watches());
});

test('a child of the first process of a POSIX system watches no parent, and still hears signals', async () => {
  const { system, send, watches } = fakeSystem('linux', 1);
  const reason = leaving(system);
  assert.ok(!watches());
  send('SIGHUP');
  assert.equal(await now(reason), 'SIGHUP');
});

test('on Windows the parent is gone when no process has its pid', async () => {
  const { system, state, tick } = fakeSystem('win32', 40);
  const reason = leaving(system);
  tick();
  assert.equal(await now(reason), 'staying');
  state.alive = [];
  tick();
  assert.equal(await now(reason), 'parent gone');
});

test('on Windows a parent that was gone before is not watched', () => {
  const { system, state, watches } = fakeSystem('win32', 40);
  state.alive = [];
  void leaving(system);
  assert.ok(!watches());
});

test('a process exists until it has ended, whoever it belongs to', async (t) => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  assert.ok(child.pid);
  assert.ok(thisSystem.exists(child.pid));
  child.stdin.end();
  await once(child, 'exit');
  assert.ok(!thisSystem.exists(child.pid));

  const foreign = Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
  t.mock.method(process, 'kill', () => {
    throw foreign;
  });
  assert.ok(thisSystem.exists(child.pid));
});

test('the watch alone keeps no process alive', async () => {
  const alone = await program(join(import.meta.dirname, 'watcherAlone.ts'));
  const child = spawn(process.execPath, [alone], { stdio: ['ignore', 'ignore', 'inherit'] });
  assert.deepEqual(await once(child, 'exit', inTime()), [0, null]);
});

if (process.platform !== 'win32') {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    test(`${signal} is a reason to leave and not an end by itself`, async (t) => {
      const leaver = spawn(process.execPath, LEAVER, { stdio: ['pipe', 'pipe', 'inherit'] });
      t.after(() => leaver.kill('SIGKILL'));
      await pidFrom(leaver);
      const said = text(leaver.stdout);
      const exited = once(leaver, 'exit', inTime());
      leaver.kill(signal);
      assert.deepEqual(await exited, [0, null]);
      assert.equal(await said, signal);
    });
  }

  test(
    'a process whose parent was killed leaves, though its stdin stays open',
    { timeout: 30_000 },
    async (t) => {
      const elsewhere = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      t.after(() => elsewhere.kill('SIGKILL'));
      const parent = `require('node:child_process').spawn(process.execPath, ${JSON.stringify(LEAVER)}, { stdio: 'inherit' });
      setInterval(() => undefined, 1000);`;
      const middle = spawn(process.execPath, ['-e', parent], {
        stdio: [elsewhere.stdout, 'pipe', 'inherit'],
      });
      t.after(() => middle.kill('SIGKILL'));
      const pid = await pidFrom(middle);
      t.after(() => thisSystem.exists(pid) && process.kill(pid, 'SIGKILL'));
      const said = text(middle.stdout);
      const exited = once(middle, 'exit');
      middle.kill('SIGKILL');
      assert.deepEqual(await exited, [null, 'SIGKILL']);
      // Stdout ends with the last process that has it.
      assert.equal(await said, 'parent gone');
      assert.equal(elsewhere.exitCode ?? elsewhere.signalCode, null);
    },
  );
}

/** A limit for what is waited for: nothing here takes so long. */
function inTime() {
  return { signal: AbortSignal.timeout(30_000) };
}

/** What a leaver says first. */
async function pidFrom(child: ChildProcessByStdio<Writable | null, Readable, null>): Promise<number> {
  return Number(String((await once(child.stdout, 'data', inTime()))[0]));
}

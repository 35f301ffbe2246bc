import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { identifySelf, judge, thisSystem, type ProcessSystem } from '../../src/host/processIdentity.js';

/** A machine on which nothing can be learned, except what a test adds. */
function system(changes: Partial<ProcessSystem>): ProcessSystem {
  return {
    platform: 'linux',
    pid: 42,
    startedAt: 1_700_000_000_123.4,
    systemRoot: 'C:\\Windows',
    hostname: () => 'attic',
    text: () => null,
    link: () => null,
    run: () => Promise.resolve(null),
    exists: () => true,
    ...changes,
  };
}

/** A line of /proc/<pid>/stat; only state, number of threads and start time matter. */
function stat(name: string, state: string, threads: number, startTime: number): string {
  const between = '1 1 1 0 -1 4194304 101 0 0 0 0 0 0 0 20 0';
  return `42 (${name}) ${state} ${between} ${threads} 0 ${startTime} 3133440 416 18446744073709551615\n`;
}

function linux(files: Record<string, string>, changes: Partial<ProcessSystem> = {}): ProcessSystem {
  return system({ text: (path) => files[path] ?? null, link: (path) => files[path] ?? null, ...changes });
}

const machine = {
  '/proc/42/stat': stat('node', 'S', 7, 60_275),
  '/proc/sys/kernel/random/boot_id': 'boot-1\n',
  '/etc/machine-id': '3d1219c7c4c5404aaa1f6d2a48adfda4\n',
  '/proc/self/ns/pid': 'pid:[4026531836]',
};

test('this process has an identity that does not change, and runs', async () => {
  const self = await identifySelf();
  assert.equal(self.pid, process.pid);
  assert.notEqual(self.startTime, null);
  assert.deepEqual(await identifySelf(), self);
  assert.equal(await judge(self, self), 'running');
});

test('a process that has ended is dead', async () => {
  const self = await identifySelf();
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  assert.ok(child.pid);
  assert.equal(await judge({ ...self, pid: child.pid }, self), 'dead');
});

test('on Linux identity is read from /proc, whatever the program is called', async () => {
  assert.deepEqual(await identifySelf(linux(machine)), {
    pid: 42,
    startTime: '60275',
    bootId: 'boot-1',
    machineId: 'linux:3d1219c7c4c5404aaa1f6d2a48adfda4',
    host: 'attic',
    pidNamespace: 'pid:[4026531836]',
  });
  const odd = linux({ ...machine, '/proc/42/stat': stat('a) Z 1 (b', 'S', 1, 5) });
  assert.equal((await identifySelf(odd)).startTime, '5');
});

test('on Linux the name of the machine stands in for a missing machine id', async () => {
  for (const id of ['', 'uninitialized\n']) {
    const self = await identifySelf(linux({ ...machine, '/etc/machine-id': id }));
    assert.equal(self.machineId, 'linux:attic');
  }
});

test('on Linux another start time is another process, and a zombie is dead', async () => {
  const self = await identifySelf(linux(machine));
  const verdict = (state: string, threads: number, start: number): Promise<string> =>
    judge(self, self, linux({ ...machine, '/proc/42/stat': stat('node', state, threads, start) }));
  assert.equal(await verdict('S', 7, 60_275), 'running');
  assert.equal(await verdict('T', 7, 60_275), 'running');
  assert.equal(await verdict('D', 7, 60_275), 'running');
  assert.equal(await verdict('S', 7, 60_276), 'dead');
  assert.equal(await verdict('Z', 1, 60_275), 'dead');
  assert.equal(await verdict('X', 1, 60_275), 'dead');
});

test('on Linux a killed process with a thread that still works is not dead yet', async () => {
  const self = await identifySelf(linux(machine));
  const busy = linux({ ...machine, '/proc/42/stat': stat('node', 'Z', 2, 60_275) });
  assert.equal(await judge(self, self, busy), 'running');
});

test('where nothing can be learned about a living pid it counts as running', async () => {
  const self = await identifySelf(linux(machine));
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    assert.equal(await judge(self, self, system({ platform })), 'running', platform);
    assert.equal(await judge(self, self, system({ platform, exists: () => false })), 'dead', platform);
  }
});

test('another start of the machine is dead, another machine or pid namespace is elsewhere', async () => {
  const here = linux(machine);
  const self = await identifySelf(here);
  assert.equal(await judge({ ...self, bootId: 'boot-0' }, self, here), 'dead');
  assert.equal(await judge({ ...self, bootId: 'boot-0', pidNamespace: 'pid:[1]' }, self, here), 'dead');
  assert.equal(await judge({ ...self, machineId: 'linux:other', bootId: 'boot-0' }, self, here), 'elsewhere');
  assert.equal(await judge({ ...self, pidNamespace: 'pid:[1]' }, self, here), 'elsewhere');
  assert.equal(await judge({ ...self, pidNamespace: null }, self, here), 'elsewhere');
});

test('machines made from one image are told apart by name', async () => {
  const here = linux(machine);
  const self = await identifySelf(here);
  assert.equal(await judge({ ...self, bootId: 'boot-0', host: 'node-2' }, self, here), 'elsewhere');
});

function mac(ps: string, changes: Partial<ProcessSystem> = {}): ProcessSystem {
  const outputs: Record<string, string> = {
    '/bin/ps -o stat=,lstart= -p 42': ps,
    '/usr/sbin/sysctl -n kern.bootsessionuuid': 'BOOT-1\n',
    '/usr/sbin/ioreg -rd1 -c IOPlatformExpertDevice': '  {\n      "IOPlatformUUID" = "MAC-1"\n  }\n',
  };
  const run: ProcessSystem['run'] = (program, args) =>
    Promise.resolve(outputs[[program, ...args].join(' ')] ?? null);
  return system({ platform: 'darwin', run, ...changes });
}

test('on macOS identity comes from ps, sysctl and ioreg', async () => {
  const here = mac('S+   Tue Jun  3 10:00:00 2025\n');
  const self = await identifySelf(here);
  assert.deepEqual(self, {
    pid: 42,
    startTime: 'Tue Jun  3 10:00:00 2025',
    bootId: 'BOOT-1',
    machineId: 'darwin:MAC-1',
    host: 'attic',
    pidNamespace: null,
  });
  assert.equal(await judge(self, self, here), 'running');
  assert.equal(await judge(self, self, mac('T    Tue Jun  3 10:00:00 2025\n')), 'running');
  assert.equal(await judge(self, self, mac('S    Tue Jun  3 10:00:01 2025\n')), 'dead');
  assert.equal(await judge(self, self, mac('Z    Tue Jun  3 10:00:00 2025\n')), 'dead');
});

test('on macOS a machine that was renamed before its restart is still the same one', async () => {
  const here = mac('S    Tue Jun  3 10:00:00 2025\n');
  const self = await identifySelf(here);
  assert.equal(await judge({ ...self, bootId: 'BOOT-0', host: 'mac-2' }, self, here), 'dead');
});

function windows(printed: string | null, changes: Partial<ProcessSystem> = {}): ProcessSystem {
  const run: ProcessSystem['run'] = (program, args) => {
    assert.equal(program, 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
    assert.match(args.join(' '), /Get-Process -Id 42 /);
    return Promise.resolve(printed);
  };
  return system({ platform: 'win32', run, ...changes });
}

test('on Windows the own identity starts no program', async () => {
  const run = (): never => assert.fail('a program was started');
  assert.deepEqual(await identifySelf(windows(null, { run })), {
    pid: 42,
    startTime: '1700000000123',
    bootId: null,
    machineId: 'win32:attic',
    host: 'attic',
    pidNamespace: null,
  });
});

test('on Windows only a process that started later than the owner is another one', async () => {
  const self = await identifySelf(windows(null));
  const verdict = (printed: string | null): Promise<string> => judge(self, self, windows(printed));
  assert.equal(await verdict('1700000000050\r\n'), 'running');
  assert.equal(await verdict('1700000001000\r\n'), 'running');
  assert.equal(await verdict('1600000000000\r\n'), 'running');
  assert.equal(await verdict('1700000010000\r\n'), 'dead');
  assert.equal(await verdict('Get-Process : denied'), 'running');
  assert.equal(await verdict(null), 'running');
});

test('programs run in a fixed locale and zone, and a failing one gives null', async () => {
  const script = 'process.stdout.write(process.env.LC_ALL + process.env.TZ)';
  assert.equal(await thisSystem.run(process.execPath, ['-e', script]), 'CUTC');
  assert.equal(await thisSystem.run(process.execPath, ['-e', 'process.exit(3)']), null);
  assert.equal(await thisSystem.run('/no/such/program', []), null);
});

if (process.platform === 'linux') {
  test('a killed process that its parent never buried is dead', async () => {
    // The shell becomes a program that never asks for the end of its child.
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec cat']);
    try {
      const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(printed.toString());
      // An answer comes from the program, no longer from the shell.
      parent.stdin.write('ready\n');
      await once(parent.stdout, 'data');
      const self = await identifySelf();
      const child = await identifySelf({ ...thisSystem, pid });
      assert.equal(await judge(child, self), 'running');
      process.kill(pid, 'SIGKILL');
      let state = '';
      while (!state.startsWith('Z'))
        state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)]).toString();
      assert.equal(await judge(child, self), 'dead');
    } finally {
      parent.kill('SIGKILL');
    }
  });
}

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';
import { hostsOf, onlyHost, recordIn } from './hosts.js';
import { seeded } from './random.js';
import { scale } from '../scale.js';

const IDLE_SECONDS = 1;
const SHORT_LIVED = { ...WITHOUT_MODEL, SUBCONSCIOUS_IDLE_SECONDS: String(IDLE_SECONDS) };

/** A front that has not been asked anything, and so has not looked for a host yet. */
function fresh(box: Sandbox): Promise<ServerProcess> {
  return box.start({ env: SHORT_LIVED, initialize: false });
}

/** Stores one row as the client of this front, sees as many as there must be, and leaves. */
async function remembers(front: ServerProcess, task: string, rows: number): Promise<void> {
  await front.initialize();
  assert.equal((await front.call('remember', { task, answer: 'x' })).stored, true);
  assert.equal((await front.call('stats')).total_entries, rows);
  await front.end();
}

/** Resolves when the host begins to leave: its record is gone, itself it is not. */
async function leaves(storage: string): Promise<void> {
  const changes = watch(storage, { signal: AbortSignal.timeout(10_000) });
  for await (const { filename } of changes) {
    if (filename === 'host.json' && !existsSync(join(storage, filename))) return;
  }
}

/** Seconds of processor time that a process has used. See proc_pid_stat(5); Linux counts in hundredths. */
function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

describe('a host that leaves', { concurrency: true }, () => {
  test('for want of clients does not fail one that comes at that very moment', async (t) => {
    const box = new Sandbox(t, 'shared');
    await remembers(await fresh(box), 'first', 1);
    for (let round = 0; round < scale.idleMoments; round += 1) {
      const leaving = leaves(box.storage);
      const front = await fresh(box);
      await leaving;
      await remembers(front, `came in round ${round}`, round + 2);
    }
  });

  test('for want of clients does not fail one that comes at any time around that', async (t) => {
    await seeded(async (random) => {
      const box = new Sandbox(t, 'shared');
      await remembers(await fresh(box), 'first', 1);
      for (let round = 0; round < scale.idleMoments; round += 1) {
        const front = await fresh(box);
        // The one wait that is meant: the host counts from the last client's end.
        await sleep(IDLE_SECONDS * 1000 - 50 + random() * 100);
        await remembers(front, `came in round ${round}`, round + 2);
      }
    });
  });

  test('because it is told to does so without its clients’ notice', async (t) => {
    const box = new Sandbox(t, 'shared');
    const fronts = await Promise.all([1, 2, 3].map(() => box.start({ env: WITHOUT_MODEL })));
    const hosts = new Set<number>();
    for (let at = 0; at < 30; at += 1) {
      if (at % 10 === 5) {
        const { pid } = recordIn(box.storage);
        hosts.add(pid);
        process.kill(pid, 'SIGTERM');
      }
      const stored = fronts.map((front, client) =>
        front.call('remember', { task: `row ${at} of client ${client}`, answer: 'x' }),
      );
      for (const answer of await Promise.all(stored)) assert.equal(answer.stored, true);
    }
    assert.equal(hosts.size, 3);
    assert.ok(!hosts.has(await onlyHost(box)));
    for (const front of fronts) {
      assert.equal((await front.call('stats')).total_entries, 90);
      assert.deepEqual(front.unclaimed, []);
    }
  });

  test('because it is told to, while nobody asks anything, is followed at the next question', async (t) => {
    const box = new Sandbox(t, 'shared');
    const front = await box.start({ env: WITHOUT_MODEL });
    await front.call('remember', { task: 'before', answer: 'x' });
    process.kill(recordIn(box.storage).pid, 'SIGTERM');
    await until('the host is gone', () => hostsOf(box).length === 0);
    assert.equal((await front.call('recall', { task: 'before' })).hit, true);
  });
});

test('host and front use no processor time while nobody asks anything', async (t) => {
  const box = new Sandbox(t, 'shared');
  const front = await box.start({ env: WITHOUT_MODEL });
  await front.call('remember', { task: 'before the pause', answer: 'x' });
  const pids = [front.pid, await onlyHost(box)];
  const used = () => pids.map(processorSeconds);
  // What was just run for the first time is still being compiled.
  await until('what the start set off is over', async () => {
    const before = used();
    await sleep(500);
    return used().join() === before.join();
  });
  const before = used();
  await sleep(scale.idleSeconds * 1000);
  used().forEach((seconds, at) => {
    const share = (seconds - (before[at] ?? 0)) / scale.idleSeconds;
    assert.ok(share <= 0.02, `process ${pids[at] ?? 0} used ${share * 100} % of a processor`);
  });
});

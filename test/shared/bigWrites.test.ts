import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesOf, Sandbox } from '../server/sandbox.js';
import type { CallResult, ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';
import { toolCall, unexpected } from './ask.js';
import { peakMemory } from './footprint.js';
import { recordIn } from './hosts.js';
import { scale } from '../scale.js';

const TASK = 'Deploy the documentation site to the staging server';
const SIZE = 900_000;
/** By which the host may grow, in MiB; all requests together are more, and a busy machine collects garbage late. */
const GROWTH = 150;

function embedderOf(box: Sandbox): number {
  const commands = processesOf(box.root).map((pid) => ({
    pid,
    command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
  }));
  const embedder = commands.find(({ command }) => /^[^\0]+\0[^\0]+\/embedder\.js\0/.test(command));
  assert.ok(embedder, JSON.stringify(commands));
  return embedder.pid;
}

/** Resolves when no more of what was written to this server is taken. */
async function stalled({ child }: ServerProcess): Promise<void> {
  await until('nothing is taken any more', async () => {
    const before = child.stdin.writableLength;
    await sleep(400);
    return child.stdin.writableLength === before;
  });
}

test('big requests of one client do not pile up in the host while the model has no time, and are all answered', async (t) => {
  const box = new Sandbox(t, 'shared');
  const client = await box.start();
  await client.modelSettled();
  const { pid } = recordIn(box.storage);
  const answer = 'b'.repeat(SIZE);
  assert.equal((await client.call('remember', { task: TASK, answer })).stored, true);
  const ids = Array.from({ length: scale.bigRequests }, (_, at) => `request ${at}`);
  const answers = ids.map((id) => client.answerTo(id));
  // Near enough to need a vector and not to be stored: the store is not to grow.
  const near = { task: `${TASK} 42 today`, answer, skip_if_duplicate: true };
  const before = peakMemory(pid);
  const embedder = embedderOf(box);
  process.kill(embedder, 'SIGSTOP');
  for (const id of ids) client.write(toolCall(id, 'remember', near));
  await stalled(client);
  process.kill(embedder, 'SIGCONT');
  for (const { id, result } of await Promise.all(answers)) {
    const content = (result as CallResult).structuredContent; // The protocol's type for this method.
    const { stored, warning } = content as { stored: boolean; warning?: string };
    assert.deepEqual({ stored, warning }, { stored: false, warning: 'near_duplicate' }, String(id));
  }
  const growth = peakMemory(pid) - before;
  assert.ok(growth < GROWTH, `the host grew by ${Math.round(growth)} MiB`);
  assert.equal((await client.call('stats')).total_entries, 1);
  assert.deepEqual(unexpected([client]), []);
});

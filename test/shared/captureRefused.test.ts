import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Sandbox, type Mode } from '../server/sandbox.js';
import type { ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';
import { AgentSession } from './agentSession.js';
import { hookLog, inbox, inboxIsEmpty } from './hookProcess.js';
import { hostsOf } from './hosts.js';
import { episodesAre, review, REVIEWING } from './reviewer.js';

const KEPT = { task: 'stored while there was room', answer: 'kept' };
/** A process that can write no file larger than 128 blocks, of 512 or 1,024 bytes as the shell counts. */
const FULL_DISK = ['sh', '-c', 'ulimit -f 128; exec "$@"', 'sh'];
const MODES: readonly Mode[] = ['shared', 'standalone'];

/** Stores answers of so many characters until there is no more room for one. */
async function fill(server: ServerProcess, size: number): Promise<void> {
  for (let row = 0; row < 100; row += 1) {
    const filling = { task: `${size}.${row}`, answer: 'x'.repeat(size) };
    if ((await server.callTool('remember', filling)).isError) return;
  }
  assert.fail('the disk is never full');
}

for (const mode of MODES) {
  test(`what is captured while memory can write nothing is taken up when it can again (${mode})`, async (t) => {
    const box = new Sandbox(t, mode);
    const server = await box.start({ env: REVIEWING, prefix: FULL_DISK });
    await server.call('remember', KEPT);
    for (const size of [8_000, 200, 1]) await fill(server, size);
    const names = ['first', 'second'];
    for (const name of names) await new AgentSession(box).captures(name, 'x');
    const log = () => readFileSync(join(box.home, '.subconscious-mcp', 'logs', 'server.log'), 'utf8');
    await until('it is said that it was refused', () => / ERROR .* inbox: /.test(log()));
    // Nobody else is kept waiting meanwhile.
    assert.equal((await server.call('recall', { task: KEPT.task })).hit, true);
    const { counts, episodes } = await review(server, 'episodes');
    assert.deepEqual(episodes, []);
    assert.equal(counts.pending, 2);
    assert.deepEqual(hookLog(box), []);

    await server.end();
    for (const pid of hostsOf(box)) process.kill(pid, 'SIGTERM');
    await until('nobody serves', () => hostsOf(box).length === 0);
    assert.equal(inbox(box).filter((name) => name.endsWith('.json')).length, 2);
    const next = await box.start({ env: REVIEWING });
    const tasks = (await episodesAre(next, 2)).map(({ task_text }) => task_text);
    assert.deepEqual(tasks.sort(), names);
    await inboxIsEmpty(box);
  });
}

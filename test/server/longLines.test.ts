import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from './sandbox.js';
import type { ServerProcess } from './serverProcess.js';

const MIB = 1024 * 1024;

/** Writes `start`, 50 MiB of filling and `end` as one line. */
async function writeLongLine(server: ServerProcess, start: string, end: string): Promise<void> {
  const filling = Buffer.alloc(MIB, 'x');
  server.write(start);
  for (let written = 0; written < 50; written += 1) {
    if (!server.child.stdin.write(filling)) await once(server.child.stdin, 'drain');
  }
  server.write(`${end}\n`);
}

/** Resident memory in MiB. */
function residentMemory({ pid }: ServerProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

test('a line of 50 MB is skipped, refused under its id, and not kept in memory', async (t) => {
  const server = await new Sandbox(t).start({ env: WITHOUT_MODEL });
  await server.call('stats');
  const before = residentMemory(server);

  const idFirst = server.answerTo('first');
  await writeLongLine(server, '{"jsonrpc":"2.0","id":"first","method":"ping","params":{"x":"', '"}}');
  const idLast = server.answerTo(4711);
  await writeLongLine(server, '{"method":"ping","jsonrpc":"2.0","params":{"x":"', '"},"id":4711}');
  const noId = server.answerTo(null);
  await writeLongLine(server, '', '');

  for (const { error } of await Promise.all([idFirst, idLast, noId])) {
    assert.equal(error?.code, -32600);
    assert.match(error.message, /16 MiB/);
  }
  assert.equal((await server.call('stats')).total_entries, 0);
  const grown = residentMemory(server) - before;
  assert.ok(grown < 100, `150 MiB passed through, and memory grew by ${grown.toFixed(0)} MiB`);
});

test('a line just under the limit is read', async (t) => {
  const server = await new Sandbox(t).start({ env: WITHOUT_MODEL });
  const answer = server.answerTo('big');
  server.write(
    `{"jsonrpc":"2.0","id":"big","method":"ping","params":{"_meta":{"x":"${'y'.repeat(16 * MIB - 100)}"}}}\n`,
  );
  assert.deepEqual((await answer).result, {});
});

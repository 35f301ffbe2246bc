import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';
import { takeAnswers, toolCall, unexpected } from './ask.js';
import { damage } from './book.js';
import { hostsOf, recordIn } from './hosts.js';
import { release } from './programs.js';
import { scale } from '../scale.js';
import { Writer } from './writer.js';

const SIZE = 200_000;
const WRITES = 20;
const [OLDER, NEWER] = ['7.1.9', '7.1.10'];

const ENDS: readonly [name: string, end: (box: Sandbox) => Promise<unknown>][] = [
  ['because it is told to', (box) => Promise.resolve(process.kill(recordIn(box.storage).pid, 'SIGTERM'))],
  ['for a newer one', (box) => box.start({ env: WITHOUT_MODEL, program: release(box, { version: NEWER }) })],
];

/** Asks for many times what fits between host and client, and for some writes after that. */
function askForTooMuch(client: ServerProcess, entry_id: string | undefined): void {
  client.child.stdout.pause();
  for (let at = 0; at < scale.deafAnswers; at += 1) client.write(toolCall(`big ${at}`, 'get', { entry_id }));
  for (let at = 0; at < WRITES; at += 1) {
    client.write(toolCall(`row ${at}`, 'remember', { task: `of the deaf client ${at}`, answer: 'x' }));
  }
}

/** Reads everything that was asked for; each answer must be there once, and right. */
async function readAll(client: ServerProcess): Promise<void> {
  client.child.stdout.resume();
  await takeAnswers(client, scale.deafAnswers + WRITES, (id, content) => {
    const { answer, stored } = content as { answer?: string; stored?: boolean };
    assert.ok(id.startsWith('big') ? answer?.length === SIZE : stored, id);
  });
}

describe('a host with a client that does not read ends', { concurrency: true }, () => {
  for (const [name, end] of ENDS) {
    test(`${name}, with everything in memory.db, and the others are served on`, async (t) => {
      const box = new Sandbox(t, 'shared');
      const program = release(box, { version: OLDER });
      const start = () => box.start({ env: WITHOUT_MODEL, program });
      const [client, other, third] = await Promise.all([start(), start(), start()]);
      const { entry_id } = await other.call('remember', { task: 'big', answer: 'b'.repeat(SIZE) });
      const { pid } = recordIn(box.storage);
      askForTooMuch(client, entry_id);
      const writers = [other, third].map((front, at) => new Writer(front, `client ${at}`));
      for (const writer of writers) await writer.writesOn();
      await other.call('remember', { task: 'the last one before the end', answer: 'x' });

      await end(box);
      await until('the old host is gone', () => !hostsOf(box).includes(pid));
      assert.ok(readFileSync(join(box.storage, 'memory.db')).includes('the last one before the end'));
      for (const writer of writers) {
        await writer.writesOn();
        await writer.stop();
      }
      await readAll(client);

      const rows = writers.reduce((sum, { ids }) => sum + ids.size, 0);
      const { total_entries } = await third.call('stats');
      assert.equal(total_entries, rows + WRITES + 2);
      assert.deepEqual(await damage(third), []);
      assert.deepEqual(unexpected([client, other, third]), []);
    });
  }
});

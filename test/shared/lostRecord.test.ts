import assert from 'node:assert/strict';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { ServerProcess } from '../server/serverProcess.js';
import { unexpected } from './ask.js';
import { damage } from './book.js';
import { hostsOf, onlyHost, recordIn } from './hosts.js';

const ACCIDENTS: readonly [name: string, happen: (record: string, box: Sandbox) => void][] = [
  ['was removed', (record) => rmSync(record)],
  [
    'has another token',
    (record, box) =>
      writeFileSync(record, JSON.stringify({ ...recordIn(box.storage), token: 'f'.repeat(64) })),
  ],
  ['can be written by everybody', (record) => chmodSync(record, 0o666)],
  ['is garbage', (record) => writeFileSync(record, '\0{"pid":1,')],
];

/** Stores one row after the other, without an error, for as long as something else takes; resolves to how many. */
async function storesMeanwhile(front: ServerProcess, something: Promise<unknown>): Promise<number> {
  const progress = { over: false };
  const finished = something.finally(() => (progress.over = true));
  let rows = 0;
  do {
    const { stored } = await front.call('remember', { task: `meanwhile ${rows}`, answer: 'x' });
    assert.equal(stored, true);
    rows += 1;
  } while (!progress.over);
  await finished;
  return rows;
}

/** A client that comes now shares the memory of one that was there before. */
async function works(box: Sandbox, old: ServerProcess): Promise<void> {
  const arriving = box.start({ env: WITHOUT_MODEL });
  const rows = await storesMeanwhile(
    old,
    arriving.then((client) => client.call('remember', { task: 'by the new one', answer: 'y' })),
  );
  const client = await arriving;
  for (const front of [old, client]) {
    assert.equal((await front.call('recall', { task: 'by the new one' })).answer, 'y');
    assert.equal((await front.call('stats')).total_entries, rows + 1);
  }
  assert.deepEqual(await damage(client), []);
  assert.deepEqual(unexpected([old, client]), []);
  assert.equal(await onlyHost(box), recordIn(box.storage).pid);
}

describe(
  'a new client gets to the host of the others, who notice nothing, where',
  { concurrency: true },
  () => {
    for (const [name, happen] of ACCIDENTS) {
      test(`host.json ${name}`, async (t) => {
        const box = new Sandbox(t, 'shared');
        const old = await box.start({ env: WITHOUT_MODEL });
        const hosts = hostsOf(box);
        const record = recordIn(box.storage);
        happen(join(box.storage, 'host.json'), box);
        await works(box, old);
        assert.deepEqual(hostsOf(box), hosts);
        assert.deepEqual(recordIn(box.storage), record);
      });
    }

    test('the socket was removed', async (t) => {
      const box = new Sandbox(t, 'shared');
      const old = await box.start({ env: WITHOUT_MODEL });
      rmSync(recordIn(box.storage).address);
      await works(box, old);
    });
  },
);

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { ServerProcess } from '../server/serverProcess.js';
import { numbered, unexpected } from './ask.js';
import { Book, Worker } from './book.js';
import { hostsOf, recordIn } from './hosts.js';
import { seeded } from './random.js';
import { scale } from '../scale.js';

/** How often all other clients look at what one has just done. */
const SHOWN = 0.2;

/** Fails where a client does not see this row as the book has it. */
async function look(client: ServerProcess, book: Book, id: string): Promise<void> {
  const row = book.rows.get(id);
  if (row) {
    const { hit, entry_id, answer } = await client.call('recall', { task: row.task });
    assert.deepEqual({ hit, entry_id, answer }, { hit: true, entry_id: id, answer: row.answer });
  } else assert.match(await client.refusal('get', { entry_id: id }), /forgotten/);
}

test('clients that store, recall, search and forget at once share one memory', (t) =>
  seeded(async (random) => {
    const box = new Sandbox(t, 'shared');
    const env = scale.withModel ? {} : WITHOUT_MODEL;
    const clients = await Promise.all(Array.from({ length: scale.clients }, () => box.start({ env })));
    const book = new Book();
    const work = clients.map(async (client, at) => {
      const worker = new Worker(`client${at}`, numbered(client), book, random);
      const others = clients.filter((other) => other !== client);
      for (let call = 0; call < scale.callsEach; call += 1) {
        const id = await worker.step();
        // Its owner has been answered: from now on everybody sees it.
        if (random() < SHOWN) await Promise.all(others.map((other) => look(other, book, id)));
      }
    });
    await Promise.all(work);

    for (const client of clients) await book.check(client);
    assert.deepEqual(unexpected(clients), []);
    assert.deepEqual(hostsOf(box), [recordIn(box.storage).pid]);
  }));

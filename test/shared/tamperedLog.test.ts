import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { unexpected } from './ask.js';
import { damage } from './book.js';
import { onlyHost, recordIn } from './hosts.js';

test('a change log that somebody else writes to costs one write, and every client goes on by itself', async (t) => {
  const box = new Sandbox(t, 'shared');
  const clients = await Promise.all([1, 2].map(() => box.start({ env: WITHOUT_MODEL })));
  const [one, other] = clients;
  assert.ok(one && other);
  await one.call('remember', { task: 'before', answer: 'kept' });
  const { pid } = recordIn(box.storage);
  appendFileSync(join(box.storage, 'changes.log'), 'this is no record of a change\n');

  assert.match(
    await one.refusal('remember', { task: 'refused', answer: 'x' }),
    /changes\.log was changed by another program/,
  );
  for (const [at, client] of clients.entries()) {
    assert.equal((await client.call('recall', { task: 'before' })).answer, 'kept');
    assert.equal((await client.call('remember', { task: `after that ${at}`, answer: 'x' })).stored, true);
  }
  assert.equal((await other.call('recall', { task: 'refused' })).hit, false);
  for (const client of clients) {
    assert.equal((await client.call('stats')).total_entries, 3);
    assert.equal((await damage(client)).length, 1, JSON.stringify(await damage(client)));
  }
  assert.notEqual(await onlyHost(box), pid);
  assert.deepEqual(unexpected(clients), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { toolCall, unexpected } from './ask.js';
import { damage } from './book.js';
import { openFiles, residentMemory } from './footprint.js';
import { recordIn } from './hosts.js';
import { seeded } from './random.js';
import { scale } from '../scale.js';
import { SocketClient } from './socketClient.js';

test('a front killed in the middle of requests is let go, and nobody else is disturbed', (t) =>
  seeded(async (random) => {
    const box = new Sandbox(t, 'shared');
    const client = await box.start({ env: WITHOUT_MODEL });
    await client.call('remember', { task: 'of the one that stays', answer: 'x'.repeat(100_000) });
    const { pid } = recordIn(box.storage);
    const before = openFiles(pid);
    for (let round = 0; round < scale.killedFronts; round += 1) {
      const victim = await box.start({ env: WITHOUT_MODEL });
      for (let at = 0; at < 20; at += 1) {
        victim.write(toolCall(`s${at}`, 'search', { query: 'of the one that stays' }));
        victim.write(toolCall(`r${at}`, 'remember', { task: `round ${round} row ${at}`, answer: 'y' }));
      }
      // The one wait that is meant: any moment may be the last.
      await sleep(random() * 20);
      const [{ hit }] = await Promise.all([
        client.call('recall', { task: 'of the one that stays' }),
        victim.kill(),
      ]);
      assert.equal(hit, true);
      await until('the host has let go of the killed one', () => openFiles(pid) <= before);
    }
    assert.deepEqual(await damage(client), []);
    assert.equal(recordIn(box.storage).pid, pid);
    assert.deepEqual(unexpected([client]), []);
  }));

test('clients that come and go leave nothing in the host', async (t) => {
  const box = new Sandbox(t, 'shared');
  const client = await box.start({ env: WITHOUT_MODEL });
  await client.call('remember', { task: 'stays', answer: 'x' });
  const record = recordIn(box.storage);
  const files = openFiles(record.pid);
  const visits = async (count: number) => {
    for (let visit = 0; visit < count; visit += 1) {
      const visitor = await SocketClient.join(record, box.project);
      const call = { name: 'recall', arguments: { task: 'stays' } };
      const asked = visitor.say({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call });
      // Every other one leaves without the answer.
      if (visit % 2 === 0) assert.match(await asked, /"hit":true/);
      else asked.catch(() => undefined);
      await visitor.leave(visit % 2 === 0);
    }
    await until('all of them are gone', () => openFiles(record.pid) <= files);
    return residentMemory(record.pid);
  };

  // Compiled code and caches come with the first ones.
  const warm = await visits(scale.visits);
  const after = await visits(3 * scale.visits);
  assert.ok(after < 1.5 * warm, `${warm.toFixed(0)} MiB became ${after.toFixed(0)} MiB`);
  assert.equal((await client.call('stats')).total_entries, 1);
  assert.equal(recordIn(box.storage).pid, record.pid);
});

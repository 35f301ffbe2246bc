import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { hostsOf, onlyHost } from './hosts.js';
import { HANDSHAKE } from './refusals.js';

const ROW = { task: 'stored by the owner', answer: 'kept' };

describe('a standalone server and a host do not share a store', { concurrency: true }, () => {
  test('the host was first: the standalone server names it and says how to share', async (t) => {
    const box = new Sandbox(t, 'shared');
    const front = await box.start({ env: WITHOUT_MODEL });
    await front.call('remember', ROW);
    const host = await onlyHost(box);

    const alone = await box.start({ env: WITHOUT_MODEL, args: ['--standalone'] });
    for (const [tool, args] of [
      ['stats', {}],
      ['recall', { task: ROW.task }],
      ['remember', { ...ROW, task: 'by the second' }],
    ] as const) {
      const refusal = await alone.refusal(tool, args);
      assert.match(refusal, new RegExp(`pid ${host}\\b`));
      assert.match(refusal, /without --standalone/);
      assert.ok(refusal.includes(box.storage), refusal);
    }
    assert.equal((await front.call('stats')).total_entries, 1, 'the owner is not disturbed');

    await front.end();
    process.kill(host, 'SIGTERM');
    await until('the host is gone', () => hostsOf(box).length === 0);
    assert.equal((await alone.call('recall', { task: ROW.task })).answer, ROW.answer);
  });

  for (const how of ['ends', 'is killed'] as const) {
    test(`the standalone server was first: a front answers each request with its pid, and works once it ${how}`, async (t) => {
      const box = new Sandbox(t, 'shared');
      const alone = await box.start({ env: WITHOUT_MODEL, args: ['--standalone'] });
      await alone.call('remember', ROW);

      const front = await box.start({ env: WITHOUT_MODEL, initialize: false });
      const requests = [
        front.request('initialize', HANDSHAKE),
        front.request('tools/list'),
        front.request('tools/call', { name: 'recall', arguments: { task: ROW.task } }),
      ];
      for (const { error } of await Promise.all(requests)) {
        assert.match(error?.message ?? '', new RegExp(`pid ${alone.pid}\\b.*End process ${alone.pid} first`));
      }
      assert.deepEqual(hostsOf(box), []);
      assert.equal((await alone.call('stats')).total_entries, 1, 'the owner is not disturbed');

      if (how === 'ends') await alone.end();
      else await alone.kill();
      await front.initialize();
      assert.equal((await front.call('recall', { task: ROW.task })).answer, ROW.answer);
    });
  }

  test('a standalone server that ends while a front waits for it makes way', async (t) => {
    const box = new Sandbox(t, 'shared');
    const alone = await box.start({ env: WITHOUT_MODEL, args: ['--standalone'] });
    await alone.call('remember', ROW);
    const front = await box.start({ env: WITHOUT_MODEL, initialize: false });
    const initialized = front.initialize();
    await until('a host waits', () => hostsOf(box).length > 0);
    await alone.end();
    await initialized;
    assert.equal((await front.call('recall', { task: ROW.task })).answer, ROW.answer);
  });
});

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { hostsOf } from './hosts.js';

const OLD = { task: 'from the old days', answer: 'old' };
const LATER = { task: 'from later on', answer: 'later' };
/** The host looks once a second by itself. */
const LIMIT_SECONDS = 3;

function wipe(box: Sandbox): void {
  rmSync(box.storage, { recursive: true });
}

async function hostIsGone(box: Sandbox): Promise<void> {
  await until('the host is gone', () => hostsOf(box).length === 0, LIMIT_SECONDS);
}

describe('a storage directory that is deleted while its host lives', { concurrency: true }, () => {
  test('ends the host and does not come back by itself, and every client goes on with an empty memory', async (t) => {
    const box = new Sandbox(t, 'shared');
    const fronts = await Promise.all([1, 2].map(() => box.start({ env: WITHOUT_MODEL })));
    for (const front of fronts) await front.call('remember', OLD);
    wipe(box);
    await hostIsGone(box);
    // The one wait that is meant: that nothing happens is not announced.
    await sleep(1000);
    assert.equal(existsSync(box.storage), false);
    assert.deepEqual(hostsOf(box), []);
    for (const front of fronts) assert.equal((await front.call('recall', { task: OLD.task })).hit, false);
    const [one, other] = fronts;
    await one?.call('remember', LATER);
    assert.equal((await other?.call('recall', { task: LATER.task }))?.answer, LATER.answer);
    assert.equal((await other?.call('stats'))?.total_entries, 1);
  });

  test('is not answered from any more, not even at once', async (t) => {
    const box = new Sandbox(t, 'shared');
    const front = await box.start({ env: WITHOUT_MODEL });
    for (let round = 0; round < 3; round += 1) {
      const { entry_id = '' } = await front.call('remember', OLD);
      wipe(box);
      const asked = [
        front.call('recall', { task: OLD.task }),
        front.call('stats'),
        front.call('search', { query: 'old' }),
        front.refusal('get', { entry_id }),
      ] as const;
      const [recalled, stats, found] = await Promise.all(asked);
      assert.equal(recalled.hit, false);
      assert.equal(stats.total_entries, 0);
      assert.deepEqual(found.results, []);
    }
  });

  test('is written to again only by a client that writes', async (t) => {
    const box = new Sandbox(t, 'shared');
    const front = await box.start({ env: WITHOUT_MODEL });
    await front.call('remember', OLD);
    wipe(box);
    assert.equal((await front.call('remember', LATER)).stored, true);
    assert.equal((await front.call('stats')).total_entries, 1);
    await front.end();
    const next = await box.start({ env: WITHOUT_MODEL });
    assert.equal((await next.call('recall', { task: LATER.task })).hit, true);
  });

  test('and made again by hand is empty', async (t) => {
    const box = new Sandbox(t, 'shared');
    const front = await box.start({ env: WITHOUT_MODEL });
    await front.call('remember', OLD);
    wipe(box);
    mkdirSync(box.storage);
    assert.equal((await front.call('recall', { task: OLD.task })).hit, false);
  });

  test('ends the host where nobody is connected', async (t) => {
    const box = new Sandbox(t, 'shared');
    const front = await box.start({ env: WITHOUT_MODEL });
    await front.call('remember', OLD);
    await front.end();
    wipe(box);
    await hostIsGone(box);
    assert.equal(existsSync(box.storage), false);
    const next = await box.start({ env: WITHOUT_MODEL });
    assert.equal((await next.call('stats')).total_entries, 0);
  });
});

describe('an older copy in the place of the storage directory', { concurrency: true }, () => {
  for (const connected of [true, false]) {
    test(`is what ${connected ? 'the clients that are there' : 'the next client'} get to see`, async (t) => {
      const box = new Sandbox(t, 'shared');
      const front = await box.start({ env: WITHOUT_MODEL });
      await front.call('remember', OLD);
      const copy = join(box.root, 'copy');
      cpSync(box.storage, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });
      await front.call('remember', LATER);
      if (!connected) await front.end();

      renameSync(box.storage, join(box.root, 'away'));
      renameSync(copy, box.storage);
      const client = connected ? front : await box.start({ env: WITHOUT_MODEL });
      assert.equal((await client.call('recall', { task: LATER.task })).hit, false);
      assert.equal((await client.call('recall', { task: OLD.task })).answer, OLD.answer);
      assert.equal((await client.call('remember', LATER)).stored, true);
      assert.equal((await client.call('stats')).total_entries, 2);
    });
  }
});

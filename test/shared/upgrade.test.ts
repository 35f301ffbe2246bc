import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { damage } from './book.js';
import { hostsOf, onlyHost, recordIn } from './hosts.js';
import { release } from './programs.js';
import { scale } from '../scale.js';
import { Writer } from './writer.js';

const [OLDER, NEWER] = ['7.1.9', '7.1.10'];

describe('an upgrade', { concurrency: true }, () => {
  test('is made by a newer front, and clients of the older host that write all the time lose nothing', async (t) => {
    const box = new Sandbox(t, 'shared');
    const program = release(box, { version: OLDER });
    const start = () => box.start({ env: WITHOUT_MODEL, program });
    const older = await Promise.all([start(), start()]);
    const writers = older.map((front, at) => new Writer(front, `client ${at}`));
    for (const writer of writers) await writer.writesOn();
    assert.equal(recordIn(box.storage).version, OLDER);

    const newer = await box.start({ env: WITHOUT_MODEL, program: release(box, { version: NEWER }) });
    assert.equal((await newer.call('remember', { task: 'by the newer', answer: 'x' })).stored, true);
    assert.equal(recordIn(box.storage).version, NEWER);
    for (const writer of writers) await writer.writesOn();
    for (const writer of writers) await writer.stop();

    const ids = new Set(writers.flatMap((writer) => [...writer.ids]));
    for (const front of [newer, ...older]) {
      assert.equal((await front.call('stats')).total_entries, ids.size + 1);
      assert.deepEqual(front.unclaimed, []);
    }
    for (const entry_id of ids) await newer.call('get', { entry_id });
    assert.deepEqual(await damage(newer), []);
    assert.equal(await onlyHost(box), recordIn(box.storage).pid);
  });

  test('is not undone by an older front', async (t) => {
    const box = new Sandbox(t, 'shared');
    const newer = await box.start({ env: WITHOUT_MODEL, program: release(box, { version: NEWER }) });
    const host = recordIn(box.storage);
    assert.equal(host.version, NEWER);
    const older = await box.start({ env: WITHOUT_MODEL, program: release(box, { version: OLDER }) });
    await older.call('remember', { task: 'by the older', answer: 'x' });
    assert.equal((await newer.call('recall', { task: 'by the older' })).hit, true);
    assert.deepEqual(recordIn(box.storage), host);
    assert.deepEqual(hostsOf(box), [host.pid]);
  });

  test('does not touch a host whose store the newer program could not read', async (t) => {
    const box = new Sandbox(t, 'shared');
    const first = await box.start({
      env: WITHOUT_MODEL,
      program: release(box, { version: OLDER, schema: 99 }),
    });
    const host = recordIn(box.storage);
    const second = await box.start({ env: WITHOUT_MODEL, program: release(box, { version: NEWER }) });
    await second.call('remember', { task: 'by the second', answer: 'x' });
    assert.equal((await first.call('recall', { task: 'by the second' })).hit, true);
    assert.deepEqual(recordIn(box.storage), host);
    assert.deepEqual(hostsOf(box), [host.pid]);
  });

  test('is none where both are of one version', async (t) => {
    const box = new Sandbox(t, 'shared');
    const program = release(box, { version: OLDER });
    await box.start({ env: WITHOUT_MODEL, program });
    const host = recordIn(box.storage);
    const second = await box.start({ env: WITHOUT_MODEL, program });
    await second.call('stats');
    assert.deepEqual(recordIn(box.storage), host);
    assert.deepEqual(hostsOf(box), [host.pid]);
  });

  test('wins a race of an older and a newer front', async (t) => {
    const box = new Sandbox(t, 'shared');
    const programs = [OLDER, NEWER].map((version) => release(box, { version }));
    for (let round = 0; round < scale.upgradeRaces; round += 1) {
      const storage = join(box.root, `store-${round}`);
      const env = { ...WITHOUT_MODEL, SUBCONSCIOUS_STORAGE_DIR: storage, SUBCONSCIOUS_IDLE_SECONDS: '1' };
      // In turns each of the two is a little ahead.
      const order = round % 2 === 0 ? programs : programs.toReversed();
      const fronts = await Promise.all(order.map((program) => box.start({ env, program })));
      const stored = fronts.map((front, at) =>
        front.call('remember', { task: `by front ${at}`, answer: 'x' }),
      );
      for (const answer of await Promise.all(stored)) assert.equal(answer.stored, true);
      assert.equal(recordIn(storage).version, NEWER);
      for (const front of fronts) {
        assert.equal((await front.call('stats')).total_entries, 2);
        await front.end();
      }
    }
  });
});

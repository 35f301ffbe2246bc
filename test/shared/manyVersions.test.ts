import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { unexpected } from './ask.js';
import { damage } from './book.js';
import { hostsOf, onlyHost, recordIn } from './hosts.js';
import { release } from './programs.js';
import { seeded } from './random.js';
import { scale } from '../scale.js';
import { Writer } from './writer.js';

const VERSIONS = ['7.1.9', '7.1.10', '7.2.0-rc.1'];
const NEWEST = '7.2.0-rc.1';

test('clients of three versions that start at once and write while hosts are killed lose nothing', (t) =>
  seeded(async (random) => {
    const box = new Sandbox(t, 'shared');
    const programs = VERSIONS.map((version) => release(box, { version }));
    const start = (program: string) => box.start({ env: WITHOUT_MODEL, program });
    const fronts = await Promise.all([...programs, ...programs].map(start));
    const writers = fronts.map((front, at) => new Writer(front, `client ${at}`));
    for (let round = 0; round < scale.upgradeKills; round += 1) {
      for (const writer of writers) await writer.writesOn();
      await sleep(random() * 100);
      for (const pid of hostsOf(box)) process.kill(pid, 'SIGKILL');
    }
    for (const writer of writers) await writer.writesOn();
    for (const writer of writers) await writer.stop();

    const rows = new Set(writers.flatMap(({ ids }) => [...ids]));
    for (const front of fronts) assert.equal((await front.call('stats')).total_entries, rows.size);
    const [front] = fronts;
    assert.ok(front);
    for (const entry_id of rows) await front.call('get', { entry_id });
    assert.deepEqual(await damage(front), []);
    assert.deepEqual(unexpected(fronts), []);

    // A client that comes now settles which version it is: only an older host that nobody knew better of may be left.
    const last = await start(programs[VERSIONS.indexOf(NEWEST)] ?? '');
    assert.equal((await last.call('stats')).total_entries, rows.size);
    assert.equal(recordIn(box.storage).version, NEWEST);
    assert.equal(await onlyHost(box), recordIn(box.storage).pid);
  }));

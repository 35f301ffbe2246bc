import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openSqlStore } from '../../src/storage/sqlStore.js';
import { collect, entry, listing, temporaryDirectory } from './builders.js';
import { faulty, systemError } from './faults.js';
import type { Fault } from './faults.js';

/** A process that may only read; `between` happens right after it has read memory.db for the first time. */
function reading(between: () => void): Fault {
  let happened = false;
  return (call, args, proceed) => {
    if (call === 'openSync' && args[1] !== 'r') throw systemError('EROFS');
    const result = proceed();
    if (call === 'readFileSync' && String(args[0]).endsWith('memory.db') && !happened) {
      happened = true;
      between();
    }
    return result;
  };
}

describe('reading beside a process that writes', () => {
  it('takes files replaced in the middle of it for what they are', async (t) => {
    const directory = temporaryDirectory(t);
    const writer = await openSqlStore(directory);
    for (const id of ['a', 'b']) {
      await writer.insert(entry(id));
      await writer.snapshot();
    }
    await writer.insert(entry('c'));
    const snapshots: Promise<void>[] = [];
    const fs = faulty(reading(() => snapshots.push(writer.snapshot())));
    const reader = await openSqlStore(directory, { fs });
    await Promise.all(snapshots);
    assert.equal(snapshots.length, 1);
    assert.deepEqual((await reader.state()).notes, []);
    const ids = (await collect(reader.all('model-a'))).map((row) => row.memory.id);
    assert.deepEqual(ids, ['a', 'b', 'c']);
  });

  it('still finds what is really damaged', async (t) => {
    const directory = temporaryDirectory(t);
    const writer = await openSqlStore(directory);
    await writer.insert(entry('a'));
    await writer.close();
    const damage = () => writeFileSync(join(directory, 'memory.db'), 'damaged');
    damage();
    const before = listing(directory).map(({ name, bytes }) => [name, bytes]);
    const reader = await openSqlStore(directory, { fs: faulty(reading(damage)) });
    const notes = (await reader.state()).notes.map((note) => note.message);
    assert.match(notes.join(), /memory\.db is damaged/);
    assert.deepEqual(
      listing(directory).map(({ name, bytes }) => [name, bytes]),
      before,
    );
  });
});

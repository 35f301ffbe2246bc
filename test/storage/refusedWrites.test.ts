import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import { SqlDatabase } from '../../src/storage/database.js';
import { openSqlStore } from '../../src/storage/sqlStore.js';
import { collect, entry, listing, recall, temporaryDirectory, vector } from './builders.js';
import { faulty, systemError } from './faults.js';
import type { Fault } from './faults.js';

/** A store with one row and a switch for what goes wrong from then on. */
async function storeWithFault(directory: string) {
  let fault: Fault | null = null;
  const fs = faulty((call, args, proceed) => (fault ? fault(call, args, proceed) : proceed()));
  const store = await openSqlStore(directory, { fs });
  await store.insert(entry('before', {}, vector(1)));
  return {
    store,
    breakWith: (next: Fault | null) => {
      fault = next;
    },
  };
}

function failing(name: string, code: string): Fault {
  return (call, _args, proceed) => {
    if (call === name) throw systemError(code);
    return proceed();
  };
}

function storageError(...patterns: RegExp[]) {
  return (error: unknown) => {
    assert.ok(error instanceof MemoryError, String(error));
    assert.equal(error.reason, 'storage');
    for (const pattern of patterns) assert.match(error.message, pattern);
    return true;
  };
}

async function idsIn(directory: string): Promise<string[]> {
  const store = await openSqlStore(directory);
  const rows = await collect(store.all('model-a'));
  assert.deepEqual((await store.state()).notes, []);
  await store.close();
  return rows.map((row) => row.memory.id);
}

describe('a write that cannot be stored', () => {
  for (const [code, words] of [
    ['ENOSPC', /disk is full/],
    ['EFBIG', /size limit/],
    ['EIO', /EIO/],
  ] as const) {
    it(`is refused on ${code}, changes nothing, and the next one works`, async (t) => {
      const directory = temporaryDirectory(t);
      const { store, breakWith } = await storeWithFault(directory);
      const log = readFileSync(join(directory, 'changes.log'));
      breakWith((call, args, proceed) => {
        if (call !== 'writeSync') return proceed();
        const [fd, bytes, offset, , position] = args as [number, Uint8Array, number, number, number];
        writeSync(fd, bytes, offset, 10, position);
        throw systemError(code);
      });
      await assert.rejects(store.insert(entry('refused')), storageError(words, /stays readable/));
      await assert.rejects(store.trash('before', 1), storageError(words));
      await assert.rejects(store.appendRecall(recall(1), 1e6), storageError(words));
      assert.equal(await store.get('refused'), null);
      assert.equal((await store.get('before'))?.deletedAt, null);
      assert.deepEqual(readFileSync(join(directory, 'changes.log')), log);
      breakWith(null);
      await store.insert(entry('after'));
      assert.deepEqual(await idsIn(directory), ['before', 'after']);
    });
  }

  it('is finished where the disk takes it in pieces, and refused where it takes nothing', async (t) => {
    const directory = temporaryDirectory(t);
    const { store, breakWith } = await storeWithFault(directory);
    breakWith((call, args, proceed) => {
      if (call !== 'writeSync') return proceed();
      const [fd, bytes, offset, length, position] = args as [number, Uint8Array, number, number, number];
      return writeSync(fd, bytes, offset, Math.min(7, length), position);
    });
    await store.insert(entry('pieces'));
    breakWith((call, _args, proceed) => (call === 'writeSync' ? 0 : proceed()));
    await assert.rejects(store.insert(entry('refused')), storageError(/disk is full/));
    breakWith(null);
    assert.deepEqual(await idsIn(directory), ['before', 'pieces']);
  });

  it('stops all writing after a failed sync until the store is opened again', async (t) => {
    const directory = temporaryDirectory(t);
    const { store, breakWith } = await storeWithFault(directory);
    breakWith(failing('fdatasyncSync', 'EIO'));
    await assert.rejects(store.insert(entry('refused')), storageError(/EIO/));
    breakWith(null);
    await assert.rejects(store.insert(entry('later')), storageError(/EIO/));
    await assert.rejects(store.snapshot(), storageError(/EIO/));
    assert.ok((await store.state()).notes.some((note) => note.code === 'writes_refused'));
    assert.equal((await store.get('before'))?.id, 'before');
    assert.equal(await store.get('refused'), null);
    await store.close();
    assert.deepEqual(await idsIn(directory), ['before']);
  });

  it('stops all writing where the log cannot be cut back', async (t) => {
    const directory = temporaryDirectory(t);
    const { store, breakWith } = await storeWithFault(directory);
    breakWith((call, args, proceed) => {
      if (call === 'ftruncateSync') throw systemError('EIO');
      if (call !== 'writeSync') return proceed();
      const [fd, bytes, offset, , position] = args as [number, Uint8Array, number, number, number];
      writeSync(fd, bytes, offset, 10, position);
      throw systemError('ENOSPC');
    });
    await assert.rejects(store.insert(entry('refused')), storageError(/disk is full/));
    breakWith(null);
    await assert.rejects(store.insert(entry('later')), storageError());
    await store.close();
    assert.deepEqual(await idsIn(directory), ['before']);
  });

  it('is refused where the log was deleted or changed by another program', async (t) => {
    const deleted = temporaryDirectory(t);
    const first = await storeWithFault(deleted);
    rmSync(deleted, { recursive: true });
    mkdirSync(deleted);
    await assert.rejects(first.store.insert(entry('lost')), storageError(/deleted/));
    await first.store.close();
    assert.deepEqual(listing(deleted), []);

    const changed = temporaryDirectory(t);
    await (await storeWithFault(changed)).store.insert(entry('second'));
    const store = await openSqlStore(changed);
    writeFileSync(join(changed, 'changes.log'), 'more', { flag: 'a' });
    await assert.rejects(store.insert(entry('lost')), storageError(/changed by another program/));

    const created = temporaryDirectory(t);
    const late = await openSqlStore(created);
    await storeWithFault(created);
    await assert.rejects(late.insert(entry('lost')), storageError(/created by another program/));
    assert.deepEqual(await idsIn(created), ['before']);
  });

  it('only by the database in memory is told as stored, and there after a restart', async (t) => {
    const directory = temporaryDirectory(t);
    const { store } = await storeWithFault(directory);
    const broken = t.mock.method(SqlDatabase.prototype, 'commit', () => {
      throw new Error('out of memory');
    });
    const told = (error: unknown) =>
      storageError(/is stored in .*changes\.log.*out of memory.*Restart/)(error) &&
      !/Nothing was changed/.test(String(error));
    await assert.rejects(store.insert(entry('stored')), told);
    await assert.rejects(store.insert(entry('later')), told);
    broken.mock.restore();
    await store.close();
    assert.deepEqual(await idsIn(directory), ['before', 'stored']);
  });

  it('waits for the disk, except for vectors and recalls', async (t) => {
    const { store, breakWith } = await storeWithFault(temporaryDirectory(t));
    let syncs = 0;
    breakWith((call, _args, proceed) => {
      if (call === 'fdatasyncSync') syncs += 1;
      return proceed();
    });
    await store.setVectors([{ id: 'before', vector: vector(2) }]);
    await store.appendRecall(recall(1), 1e6);
    assert.equal(syncs, 0);
    await store.insert(entry('a'));
    await store.trash('a', 1);
    await store.restore('a');
    await store.update(entry('a', { answer: 'b' }).memory);
    assert.equal(syncs, 4);
  });
});

describe('a snapshot that fails', () => {
  it('loses nothing, is told in the notes, and works later', async (t) => {
    const directory = temporaryDirectory(t);
    const { store, breakWith } = await storeWithFault(directory);
    for (const call of ['fsyncSync', 'renameSync', 'openSync']) {
      breakWith(failing(call, 'ENOSPC'));
      await assert.rejects(store.snapshot(), storageError(/disk is full/, /Nothing is lost/));
      const { notes } = await store.state();
      assert.deepEqual(
        notes.map((note) => note.code),
        ['snapshot_failed'],
      );
      breakWith(null);
      await store.insert(entry(`after ${call}`));
    }
    assert.deepEqual(await idsIn(directory), [
      'before',
      'after fsyncSync',
      'after renameSync',
      'after openSync',
    ]);
    await store.snapshot();
    assert.deepEqual((await store.state()).notes, []);
    await store.close();
    assert.equal((await idsIn(directory)).length, 4);
  });

  it('at closing rejects, and leaves the log', async (t) => {
    const directory = temporaryDirectory(t);
    const { store, breakWith } = await storeWithFault(directory);
    breakWith(failing('renameSync', 'EACCES'));
    await assert.rejects(store.close(), storageError(/permission denied/));
    await assert.rejects(store.get('before'), storageError(/closed/));
    assert.deepEqual(await idsIn(directory), ['before']);
  });

  it('keeps the room it needs free again', async (t) => {
    const directory = temporaryDirectory(t);
    const { store, breakWith } = await storeWithFault(directory);
    breakWith(failing('fsyncSync', 'ENOSPC'));
    await assert.rejects(store.snapshot());
    assert.deepEqual(
      listing(directory).map((file) => file.name),
      ['changes.log'],
    );
  });
});

describe('the length of the log', () => {
  it('is cut by the write that passes the hard cap', async (t) => {
    const directory = temporaryDirectory(t);
    const { store } = await storeWithFault(directory);
    const megabytes = 'x'.repeat(5_000_000);
    for (let n = 1; n <= 6; n += 1) await store.insert(entry(`big-${n}`, { answer: megabytes }));
    assert.ok((await store.state()).logBytes > 29_000_000);
    await store.insert(entry('big-7', { answer: megabytes }));
    const { logBytes, storeBytes } = await store.state();
    assert.ok(logBytes < 1000);
    assert.ok(storeBytes > 30_000_000);
    assert.equal(statSync(join(directory, 'memory.db')).size, storeBytes);
    await store.close();
    assert.equal((await idsIn(directory)).length, 8);
  });
});

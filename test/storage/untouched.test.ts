import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readFileSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { openSqlStore } from '../../src/storage/sqlStore.js';
import { collect, contents, entry, listing, recall, temporaryDirectory, vector } from './builders.js';

async function readAll(directory: string): Promise<void> {
  const store = await openSqlStore(directory);
  await contents(store, { ids: ['a', 'b'], keys: ['k'] });
  await store.state();
  await store.trash('absent', 1);
  await store.restore('absent');
  await store.purge(['absent']);
  await store.setVectors([{ id: 'absent', vector: vector(1) }]);
  await store.close();
}

describe('a process that changes nothing', () => {
  it('creates nothing in an empty directory, not even by a snapshot', async (t) => {
    const directory = temporaryDirectory(t);
    await readAll(directory);
    const store = await openSqlStore(directory);
    await store.snapshot();
    await store.close();
    assert.deepEqual(listing(directory), []);
  });

  it('opens a directory that does not exist as an empty store', async (t) => {
    const store = await openSqlStore(join(temporaryDirectory(t), 'absent'));
    assert.deepEqual(await collect(store.all('model-a')), []);
    assert.equal((await store.state()).storeBytes, 0);
  });

  it('leaves every file as it is, with or without a log and with a torn tail', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await openSqlStore(directory);
    await store.insert(entry('a'));
    const variants = [
      () => store.snapshot(),
      () => store.insert(entry('b')),
      () => store.appendRecall(recall(1), 1e6),
      () => appendFile(join(directory, 'changes.log'), 'torn'),
    ];
    for (const next of variants) {
      const before = listing(directory);
      await readAll(directory);
      assert.deepEqual(listing(directory), before);
      await next();
    }
    const before = listing(directory);
    await readAll(directory);
    assert.deepEqual(listing(directory), before);
  });

  it('takes no second snapshot of the same state', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await openSqlStore(directory);
    await store.insert(entry('a'));
    await store.snapshot();
    const before = listing(directory);
    await store.snapshot();
    await store.close();
    assert.deepEqual(listing(directory), before);
  });
});

describe('files', () => {
  it('are for the owner only', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await openSqlStore(directory);
    for (const id of ['a', 'b']) {
      await store.insert(entry(id));
      await store.snapshot();
    }
    for (const { name } of listing(directory)) {
      // Windows knows no such mode and reports 0666.
      const expected = process.platform === 'win32' ? 0o666 : 0o600;
      assert.equal(statSync(join(directory, name)).mode & 0o777, expected, name);
    }
  });

  it('hold plain SQLite with the sizes that are reported', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await openSqlStore(directory);
    await store.insert(entry('a'));
    await store.snapshot();
    await store.insert(entry('b'));
    const { storeBytes, logBytes } = await store.state();
    const snapshot = readFileSync(join(directory, 'memory.db'));
    assert.equal(snapshot.toString('latin1', 0, 16), 'SQLite format 3\0');
    assert.equal(snapshot.length, storeBytes);
    assert.equal(readFileSync(join(directory, 'changes.log')).length, logBytes);
  });
});

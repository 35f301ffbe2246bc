import assert from 'node:assert/strict';
import { appendFileSync, cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import type { MemoryStore } from '../../src/core/ports.js';
import { openSqlStore } from '../../src/storage/sqlStore.js';
import { collect, entry, listing, temporaryDirectory } from './builders.js';
import { faulty, systemError } from './faults.js';

const NOON = Date.parse('2026-05-04T12:00:00Z') / 1000;

/** What a process has done so far with a store of two rows when somebody touches its directory. */
const MOMENTS: Record<string, (store: MemoryStore) => Promise<void>> = {
  'has only read': () => Promise.resolve(),
  'has written': (store) => store.insert(entry('third')),
  'has just taken a snapshot': async (store) => {
    await store.insert(entry('third'));
    await store.snapshot();
  },
};

async function twoRows(t: TestContext): Promise<string> {
  const directory = join(temporaryDirectory(t), 'data');
  cpSync(temporaryDirectory(t), directory, { recursive: true });
  const store = await openSqlStore(directory);
  await store.insert(entry('first'));
  await store.snapshot();
  await store.insert(entry('second'));
  return directory;
}

async function openAt(directory: string): Promise<MemoryStore> {
  return openSqlStore(directory, { now: () => NOON });
}

async function idsIn(directory: string): Promise<string[]> {
  const store = await openSqlStore(directory);
  const rows = await collect(store.all('model-a'));
  await store.close();
  return rows.map((row) => row.memory.id);
}

async function assertRefused(store: MemoryStore, reason: RegExp): Promise<void> {
  const refused = (error: unknown) =>
    error instanceof MemoryError && reason.test(error.message) && /in use.*Restart/.test(error.message);
  await assert.rejects(store.insert(entry('late')), refused);
  await assert.rejects(store.purge(['first']), refused);
  assert.deepEqual(
    (await store.state()).notes.map((note) => note.code),
    ['writes_refused'],
  );
}

describe('a storage directory that was replaced', () => {
  for (const [moment, prepare] of Object.entries(MOMENTS)) {
    it(`is not written to by a process that ${moment}`, async (t) => {
      const directory = await twoRows(t);
      const backup = `${directory}.backup`;
      cpSync(directory, backup, { recursive: true, preserveTimestamps: true });
      const store = await openAt(directory);
      await prepare(store);
      renameSync(directory, `${directory}.moved`);
      cpSync(backup, directory, { recursive: true });
      const before = listing(directory);
      await assertRefused(store, /changes\.log was (replaced|changed)/);
      await store.close();
      assert.deepEqual(listing(directory), before);
      assert.deepEqual((await idsIn(`${directory}.moved`)).slice(0, 2), ['first', 'second']);
    });
  }

  it('is not written to by the snapshot at closing, which says so', async (t) => {
    const directory = await twoRows(t);
    const store = await openAt(directory);
    await store.insert(entry('third'));
    renameSync(directory, `${directory}.moved`);
    cpSync(`${directory}.moved`, directory, { recursive: true });
    writeFileSync(join(directory, 'memory.db.tmp'), 'of the other store');
    const before = listing(directory);
    await assert.rejects(store.close(), /changes\.log was replaced while it was in use/);
    assert.deepEqual(listing(directory), before);
    assert.deepEqual(await idsIn(`${directory}.moved`), ['first', 'second', 'third']);
  });

  it('is not repaired by a process that was still opening the one before', async (t) => {
    const directory = await twoRows(t);
    writeFileSync(join(directory, 'memory.db'), 'damaged');
    const opening = openAt(directory);
    renameSync(directory, `${directory}.moved`);
    cpSync(`${directory}.moved`, directory, { recursive: true });
    const before = listing(directory);
    const store = await opening;
    await assert.rejects(store.insert(entry('late')), /was changed while it was in use/);
    await store.close();
    assert.deepEqual(listing(directory), before);
  });

  it('is not written to by a store that was empty', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await openAt(directory);
    writeFileSync(join(directory, 'memory.db'), 'of another store');
    const before = listing(directory);
    await assert.rejects(store.insert(entry('late')), /memory\.db was created by another program/);
    await store.close();
    assert.deepEqual(listing(directory), before);
  });

  it('is told by a log that was written to while it was in use', async (t) => {
    const directory = await twoRows(t);
    const store = await openAt(directory);
    await store.insert(entry('third'));
    appendFileSync(join(directory, 'changes.log'), 'more');
    await assertRefused(store, /changes\.log was changed by another program/);
  });
});

describe('a storage directory that was deleted', () => {
  for (const [moment, prepare] of Object.entries(MOMENTS)) {
    it(`is not made again by a process that ${moment}`, async (t) => {
      const directory = await twoRows(t);
      const [told, untold] = [await openAt(directory), await openAt(directory)];
      await prepare(told);
      rmSync(directory, { recursive: true });
      await assertRefused(told, /changes\.log was deleted/);
      await told.close();
      await untold.close();
      assert.equal(existsSync(directory), false);
    });
  }

  it('is not made again at closing, without a word', async (t) => {
    const directory = await twoRows(t);
    const store = await openAt(directory);
    await store.insert(entry('third'));
    rmSync(directory, { recursive: true });
    await store.close();
    assert.equal(existsSync(directory), false);
  });
});

describe('memory.db edited while the store is open', () => {
  const aside = 'memory.db.damaged-2026-05-04T120000.000Z';

  for (const [how, edit] of Object.entries({
    'in place': (path: string) => appendFileSync(path, 'edited'),
    'by a new file': (path: string) => {
      rmSync(path);
      writeFileSync(path, 'edited');
    },
  })) {
    it(`${how} is set aside and never becomes the spare`, async (t) => {
      const directory = await twoRows(t);
      const store = await openAt(directory);
      await store.insert(entry('third'));
      edit(join(directory, 'memory.db'));
      const edited = readFileSync(join(directory, 'memory.db'));
      await store.snapshot();
      assert.deepEqual(readFileSync(join(directory, aside)), edited);
      const notes = (await store.state()).notes.map((note) => note.message);
      assert.match(notes.join(), /memory\.db was found damaged or edited by another program on 2026-05-04/);
      assert.equal(notes.length, 1);
      await store.insert(entry('fourth'));
      await store.snapshot();
      await store.close();

      writeFileSync(join(directory, 'memory.db'), 'damaged');
      assert.deepEqual(await idsIn(directory), ['first', 'second', 'third', 'fourth']);
    });
  }

  it('into nothing is written again, with a spare', async (t) => {
    const directory = await twoRows(t);
    const store = await openAt(directory);
    await store.insert(entry('third'));
    rmSync(join(directory, 'memory.db'));
    await store.snapshot();
    assert.deepEqual((await store.state()).notes, []);
    writeFileSync(join(directory, 'memory.db'), 'damaged');
    assert.deepEqual(await idsIn(directory), ['first', 'second', 'third']);
  });

  it('is told from a snapshot of its own that failed half way', async (t) => {
    const directory = await twoRows(t);
    let full = false;
    const store = await openSqlStore(directory, {
      fs: faulty((call, args, proceed) => {
        if (full && call === 'renameSync' && String(args[1]).endsWith('changes.log'))
          throw systemError('EIO');
        return proceed();
      }),
    });
    await store.insert(entry('third'));
    full = true;
    await assert.rejects(store.snapshot(), /EIO/);
    full = false;
    await store.snapshot();
    assert.deepEqual((await store.state()).notes, []);
    await store.close();
    assert.deepEqual(await idsIn(directory), ['first', 'second', 'third']);
  });
});

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import { STORE_FILES } from '../../src/storage/files.js';
import { MIGRATIONS } from '../../src/storage/schema.js';
import { openSqlStore } from '../../src/storage/sqlStore.js';
import { contents, entry, listing, temporaryDirectory } from './builders.js';
import type { Contents } from './builders.js';
import { faulty, systemError, withoutSync } from './faults.js';
import { expectations, LIFE, live, NAMES } from './lives.js';

const NOON = Date.parse('2026-05-04T12:00:00Z') / 1000;
const LAST = LIFE.length;

/** The files a killed process leaves after {@link LIFE}: both snapshots, both logs, something in the log. */
async function leftBehind(t: TestContext): Promise<string> {
  const directory = join(temporaryDirectory(t), 'store');
  mkdirSync(directory);
  const store = await openSqlStore(directory, { fs: withoutSync });
  await live(store, LIFE);
  await store.insert(entry('again-1'));
  assert.deepEqual(readdirSync(directory).sort(), [...STORE_FILES].sort());
  return directory;
}

async function statesWithLast(): Promise<Contents[]> {
  return expectations([...LIFE, (store) => store.insert(entry('again-1'))]);
}

async function open(directory: string) {
  const store = await openSqlStore(directory, { fs: withoutSync, now: () => NOON });
  const found = await contents(store, NAMES);
  const { notes } = await store.state();
  return { store, found, notes: notes.map((note) => note.message) };
}

function flip(path: string, at: number, bit: number): void {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
  writeFileSync(path, bytes);
}

/** A flip in the schema number looks like the file of a newer program, which must not be touched. */
function isNewerSchema(path: string): boolean {
  return path.endsWith('memory.db') && readFileSync(path).readUInt32BE(60) > MIGRATIONS.length;
}

/** Repeatable numbers below `limit` (Numerical Recipes' linear congruential generator). */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

describe('damage', () => {
  it('never changes what is read unnoticed, whichever bit of whichever file flips', async (t) => {
    const original = await leftBehind(t);
    const states = await statesWithLast();
    const whole = states[LAST + 1];
    const next = numbers(20260504);
    for (const name of STORE_FILES) {
      for (let n = 0; n < 40; n += 1) {
        const directory = `${original}-${name}-${n}`;
        cpSync(original, directory, { recursive: true });
        const size = readFileSync(join(directory, name)).length;
        const at = n < 10 ? n * 9 : next(size);
        flip(join(directory, name), at, next(8));
        if (isNewerSchema(join(directory, name))) {
          const before = listing(directory);
          await assert.rejects(open(directory), /newer version/);
          assert.deepEqual(listing(directory), before);
          continue;
        }
        const { store, found, notes } = await open(directory);
        if (name === 'changes.log') {
          const prefix = [states[LAST - 1], states[LAST]].some(
            (s) => JSON.stringify(s) === JSON.stringify(found),
          );
          assert.ok(prefix, `flip at ${at} of ${name}`);
          assert.match(notes.join(), /changes\.log\.damaged-2026-05-04T120000/);
        } else {
          assert.deepEqual(found, whole, `flip at ${at} of ${name}`);
          assert.equal(notes.length, name === 'memory.db' ? 1 : 0);
        }
        await store.close();
        rmSync(directory, { recursive: true });
      }
    }
  });

  it('leaves a whole store behind and goes on telling until the kept file is deleted', async (t) => {
    const directory = await leftBehind(t);
    const damaged = readFileSync(join(directory, 'memory.db')).fill(1, 9000, 9100);
    writeFileSync(join(directory, 'memory.db'), damaged);
    const first = await open(directory);
    await first.store.insert(entry('again-2'));
    await first.store.close();
    const kept = 'memory.db.damaged-2026-05-04T120000.000Z';
    assert.deepEqual(readFileSync(join(directory, kept)), damaged);

    const second = await open(directory);
    assert.equal(second.found.rows.at(-1)?.id, 'again-2');
    assert.equal(second.notes.length, 1);
    assert.match(
      second.notes.join(),
      /2026-05-04 at 12:00:00.*last good state.*kept as memory\.db\.damaged.*delete/,
    );
    rmSync(join(directory, kept));
    assert.deepEqual((await second.store.state()).notes, []);
    await second.store.close();
    const third = await open(directory);
    assert.deepEqual(third.notes, []);
  });

  it('survives a second damage right after the first', async (t) => {
    const directory = await leftBehind(t);
    const whole = (await statesWithLast())[LAST + 1];
    for (let n = 1; n <= 3; n += 1) {
      flip(join(directory, 'memory.db'), 6000 + n, 1);
      const { store, found, notes } = await open(directory);
      assert.deepEqual(found, whole);
      assert.equal(notes.length, n);
      await store.close();
    }
  });

  it('takes an edit by another program for damage', async (t) => {
    const directory = await leftBehind(t);
    writeFileSync(join(directory, 'memory.db'), Buffer.alloc(100), { flag: 'a' });
    const { found, notes } = await open(directory);
    assert.deepEqual(found, (await statesWithLast())[LAST + 1]);
    assert.equal(notes.length, 1);
  });

  it('restores every row when memory.db is gone', async (t) => {
    const directory = await leftBehind(t);
    rmSync(join(directory, 'memory.db'));
    const { store, found, notes } = await open(directory);
    assert.deepEqual(found, (await statesWithLast())[LAST + 1]);
    assert.match(notes.join(), /memory\.db was missing/);
    await store.close();
    assert.deepEqual((await open(directory)).notes, []);
  });

  it('restores the snapshot when the log is gone, and says so', async (t) => {
    const directory = await leftBehind(t);
    rmSync(join(directory, 'changes.log'));
    const { found, notes } = await open(directory);
    assert.deepEqual(found, (await statesWithLast())[LAST - 1]);
    assert.match(notes.join(), /changes\.log was missing/);
  });

  it('refuses, touching nothing, when no good state is left', async (t) => {
    const directory = await leftBehind(t);
    flip(join(directory, 'memory.db'), 5000, 0);
    flip(join(directory, 'memory.previous.db'), 5000, 0);
    const before = listing(directory);
    await assert.rejects(
      open(directory),
      (error) => error instanceof MemoryError && error.reason === 'storage' && /backup/.test(error.message),
    );
    assert.deepEqual(listing(directory), before);
  });

  it('reads the last good state where the damaged file cannot be kept, and writes nothing', async (t) => {
    const directory = await leftBehind(t);
    flip(join(directory, 'memory.db'), 5000, 0);
    const before = listing(directory);
    const readOnly = faulty((call, args, proceed) => {
      const writes = call === 'openSync' && args[1] !== 'r';
      if (writes || ['linkSync', 'copyFileSync', 'unlinkSync', 'renameSync'].includes(call))
        throw systemError('EROFS');
      return proceed();
    });
    const store = await openSqlStore(directory, { fs: readOnly });
    assert.deepEqual(await contents(store, NAMES), (await statesWithLast())[LAST + 1]);
    assert.match(
      (await store.state()).notes.map((note) => note.message).join(),
      /memory\.db is damaged.*read-only/,
    );
    await assert.rejects(store.insert(entry('again-2')), MemoryError);
    await store.close();
    assert.deepEqual(listing(directory), before);
  });

  for (const [what, full] of Object.entries({
    'the log': 'changes.log.tmp',
    'the snapshot': 'memory.db.tmp',
  })) {
    it(`is not set aside again by every start on a disk without room for ${what}`, async (t) => {
      const directory = await leftBehind(t);
      flip(join(directory, 'memory.db'), 5000, 0);
      const names = readdirSync(directory);
      const fs = faulty((call, args, proceed) => {
        if (call === 'openSync' && String(args[0]).endsWith(full)) throw systemError('ENOSPC');
        return proceed();
      });
      for (let n = 0; n < 3; n += 1) {
        const store = await openSqlStore(directory, { fs, now: () => NOON + n });
        await assert.rejects(store.insert(entry('again-2')), /disk is full/);
        await store.close();
      }
      const added = readdirSync(directory).filter((name) => !names.includes(name));
      assert.deepEqual(added, what === 'the log' ? [] : ['memory.db.damaged-2026-05-04T120000.000Z']);
      const { found } = await open(directory);
      assert.deepEqual(found, (await statesWithLast())[LAST + 1]);
    });
  }

  it('drops a torn tail without a word and goes on after it', async (t) => {
    const directory = await leftBehind(t);
    const path = join(directory, 'changes.log');
    const whole = readFileSync(path);
    const states = await statesWithLast();
    for (const cut of [1, 10, 100, 300]) {
      writeFileSync(path, whole.subarray(0, whole.length - cut));
      const { store, found, notes } = await open(directory);
      assert.deepEqual(found, states[LAST]);
      assert.deepEqual(notes, []);
      assert.equal(readFileSync(path).length, whole.length - cut);
      await store.insert(entry('again-2'));
      const again = await open(directory);
      assert.deepEqual(again.notes, []);
      assert.equal(again.found.rows.at(-1)?.id, 'again-2');
    }
  });
});

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { MemoryStore } from '../../src/core/ports.js';
import type { FileCalls } from '../../src/storage/files.js';
import { openSqlStore } from '../../src/storage/sqlStore.js';
import { contents, entry, temporaryDirectory, vector } from './builders.js';
import type { Contents } from './builders.js';
import { dyingAt, withoutSync } from './faults.js';
import { expectations, LIFE, live, NAMES } from './lives.js';
import type { Operation } from './lives.js';
import { ForgetfulDisk } from './powerCut.js';

const SECOND_LIFE: readonly Operation[] = [
  (store) => store.insert(entry('again-1', {}, vector(6))),
  (store) => store.snapshot(),
  (store) => store.insert(entry('again-2')),
  (store) => store.close(),
];

/** A whole life: what is left in the log is brought into the snapshot at the end. */
const WHOLE_LIFE: readonly Operation[] = [...LIFE, (store) => store.close()];

/** Opens the directory, which must not look damaged, and reads everything. */
async function reopened(directory: string): Promise<Contents> {
  const store = await openSqlStore(directory, { fs: withoutSync });
  const found = await contents(store, NAMES);
  const { notes } = await store.state();
  await store.close();
  assert.deepEqual(notes, []);
  return found;
}

/** The write under way may have got through; nothing else may differ. */
function assertKept(found: Contents, states: readonly Contents[], acknowledged: number, when: string): void {
  const least = states[Math.min(acknowledged, states.length - 1)];
  const underWay = states[acknowledged + 1];
  if (JSON.stringify(found) !== JSON.stringify(underWay)) assert.deepEqual(found, least, when);
}

async function openOrNull(directory: string, fs: FileCalls): Promise<MemoryStore | null> {
  return openSqlStore(directory, { fs }).catch(() => null);
}

describe('a crash between any two steps', () => {
  it('loses no acknowledged write, whichever call it hits', async (t) => {
    const root = temporaryDirectory(t);
    const states = await expectations(LIFE);
    let step = 0;
    for (let died = true; died; step += 1) {
      const directory = join(root, String(step));
      mkdirSync(directory);
      const dying = dyingAt(step);
      const store = await openOrNull(directory, dying.fs);
      assert.ok(store);
      const acknowledged = await live(store, WHOLE_LIFE);
      died = dying.died();
      const found = await reopened(directory);
      assertKept(found, states, acknowledged, `killed at call ${step}`);
    }
    assert.ok(step > 100, `only ${step} crash points`);
  });

  it('keeps enough for memory.db to be lost as well', async (t) => {
    const root = temporaryDirectory(t);
    const states = await expectations(LIFE);
    let damaged = 0;
    let step = 0;
    for (let died = true; died; step += 1) {
      const directory = join(root, String(step));
      mkdirSync(directory);
      const dying = dyingAt(step);
      const acknowledged = await live(await openSqlStore(directory, { fs: dying.fs }), WHOLE_LIFE);
      died = dying.died();
      const snapshot = join(directory, 'memory.db');
      if (!existsSync(snapshot)) continue;
      damaged += 1;
      const bytes = readFileSync(snapshot);
      bytes.writeUInt8(bytes.readUInt8(5000) ^ 4, 5000);
      writeFileSync(snapshot, bytes);
      const store = await openSqlStore(directory, { fs: withoutSync });
      assertKept(await contents(store, NAMES), states, acknowledged, `killed at call ${step}`);
      assert.match(
        (await store.state()).notes.map((note) => note.message).join(),
        /memory\.db was found damaged/,
      );
      await store.close();
    }
    assert.ok(damaged > 100, `only ${damaged} crash points`);
  });

  it('loses none when the next process crashes too', async (t) => {
    const root = temporaryDirectory(t);
    let tried = 0;
    for (let first = 5; first < 175; first += 41) {
      const crashed = join(root, String(first));
      mkdirSync(crashed);
      const store = await openSqlStore(crashed, { fs: dyingAt(first).fs });
      await live(store, WHOLE_LIFE);
      cpSync(crashed, `${crashed}-copy`, { recursive: true });
      const start = await reopened(`${crashed}-copy`);

      let second = 0;
      for (let died = true; died; second += 1) {
        const directory = `${crashed}-${second}`;
        cpSync(crashed, directory, { recursive: true });
        const dying = dyingAt(second);
        const next = await openOrNull(directory, dying.fs);
        const acknowledged = next ? await live(next, SECOND_LIFE) : 0;
        died = dying.died();
        const found = await reopened(directory);
        const kept = NAMES.ids.filter((_id, i) => found.rows[i]);
        const before = NAMES.ids.filter((_id, i) => start.rows[i]);
        const added = acknowledged === 0 ? [] : acknowledged < 3 ? ['again-1'] : ['again-1', 'again-2'];
        const mayBe = acknowledged < 1 ? ['again-1'] : ['again-1', 'again-2'];
        const all = [...before, ...added];
        assert.ok(
          kept.join() === all.join() || kept.join() === [...before, ...mayBe].join(),
          `killed at call ${first}, then ${second}: ${kept.join()} instead of ${all.join()}`,
        );
        tried += 1;
      }
    }
    assert.ok(tried > 100, `only ${tried} crash points`);
  });

  it('loses none when the power goes and only synced data is left', async (t) => {
    const root = temporaryDirectory(t);
    const states = await expectations(LIFE);
    let step = 0;
    for (let died = true; died; step += 1) {
      const directory = join(root, String(step));
      const after = `${directory}-after`;
      mkdirSync(directory);
      mkdirSync(after);
      const dying = dyingAt(step);
      const disk = new ForgetfulDisk(directory);
      const store = await openSqlStore(directory, { fs: disk.over(dying.fs) });
      const acknowledged = await live(store, WHOLE_LIFE);
      died = dying.died();
      disk.restoreTo(after);
      const found = await reopened(after);
      assertKept(found, states, acknowledged, `power cut at call ${step}`);
    }
    assert.ok(step > 100, `only ${step} crash points`);
  });
});

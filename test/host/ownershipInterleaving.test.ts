import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { MemoryError } from '../../src/core/errors.js';
import { ownerDisk, type OwnerDisk } from '../../src/host/ownerFile.js';
import { newStore, refusal, type Store } from './ownedStore.js';

let store: Store;
let directory = '';
beforeEach(() => {
  store = newStore();
  directory = store.directory;
});

/** A starter that sleeps, while others act, between looking and publishing. */
function sleeper(others: () => Promise<void>): Pick<OwnerDisk, 'link'> {
  let awake = false;
  return {
    link: async (draft, path) => {
      const text = readFileSync(draft);
      if (!awake) await others();
      awake = true;
      await linkAnyway(draft, text, path);
    },
  };
}

/** Publishes a draft even where an owner has tidied it away: nothing may rest on that. */
async function linkAnyway(draft: string, text: Buffer, path: string): Promise<void> {
  writeFileSync(draft, text);
  await ownerDisk.link(draft, path);
}

test('a starter that slept while two others came and went steps back', async () => {
  store.writeOwner(5, { pid: 50 });
  const slow = sleeper(async () => {
    await store.take(2);
    store.living.delete(2);
    await store.take(3);
  });
  assert.match(await refusal(store.take(1, slow), 'owned'), /pid 3\b/);
  assert.deepEqual(readdirSync(directory), ['owner.7']);
});

test('a starter that slept while others came and left takes its turn behind them', async () => {
  const slow = sleeper(async () => {
    for (const pid of [2, 3, 4]) await (await store.take(pid)).release();
  });
  const ownership = await store.take(1, slow);
  assert.equal(await ownership.held(), true);
  assert.deepEqual(readdirSync(directory), ['owner.4']);
});

test('a starter that slept while the directory was wiped and taken steps back', async () => {
  store.writeOwner(5, { pid: 50 });
  const slow = sleeper(async () => {
    rmSync(join(directory, 'owner.5'));
    await store.take(2);
  });
  assert.match(await refusal(store.take(1, slow), 'owned'), /pid 2\b/);
  assert.deepEqual(readdirSync(directory), ['owner.1']);
});

test('however starters, ends and deaths interleave, there is one owner at most', async () => {
  const random = seeded(20_251);
  const wait = async (): Promise<void> => {
    for (let turns = Math.floor(random() * 12); turns > 0; turns--) await turn();
  };
  const disk: OwnerDisk = {
    create: async (path, text) => {
      await wait();
      // Not brought to the disk: there is no power cut here, and it takes most of the time.
      writeFileSync(path, text, { flag: 'wx' });
    },
    link: async (draft, path) => {
      const text = readFileSync(draft);
      await wait();
      await linkAnyway(draft, text, path);
      await wait();
    },
  };
  let inside = 0;
  let entered = 0;
  let pids = 0;
  const starter = async (): Promise<void> => {
    while (entered < 100) {
      const pid = ++pids;
      const ownership = await store.take(pid, disk).catch((error: unknown) => {
        assert.ok(error instanceof MemoryError && error.reason === 'owned', String(error));
        return null;
      });
      if (ownership !== null) {
        entered++;
        assert.equal(++inside, 1, 'owners at the same time');
        await wait();
        assert.equal(await ownership.held(), true);
        inside--;
        if (random() < 0.5) await ownership.release();
      }
      store.living.delete(pid);
    }
  };
  await Promise.all(Array.from({ length: 6 }, starter));
  assert.equal(inside, 0);
});

/** A repeatable source of numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

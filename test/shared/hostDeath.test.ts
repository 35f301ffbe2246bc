import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { numbered, underOneId, unexpected } from './ask.js';
import { Book, damage, Worker } from './book.js';
import { hostsOf, killHost, recordIn } from './hosts.js';
import { seeded } from './random.js';
import { scale } from '../scale.js';

/** Moments of a kill are spread over so many milliseconds. */
const SPREAD = 300;

/** Of hosts that come up together all but one leave by themselves. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has left already.
  }
}

test('clients that write all the time notice nothing of hosts that are killed, and nothing is lost or done twice', (t) =>
  seeded(async (random) => {
    const box = new Sandbox(t, 'shared');
    const env = scale.withModel ? {} : WITHOUT_MODEL;
    const fronts = await Promise.all(Array.from({ length: 4 }, () => box.start({ env })));
    const book = new Book();
    const workers = fronts.flatMap((front, at) =>
      at === 0
        ? [new Worker('oneid', underOneId(front), book, random)]
        : ['a', 'b'].map((lane) => new Worker(`front${at}${lane}`, numbered(front), book, random)),
    );
    let going = true;
    const work = workers.map(async (worker) => {
      while (going) await worker.step();
    });
    const everyoneGoesOn = async () => {
      const before = workers.map(({ done }) => done);
      const goesOn = () => workers.every(({ done }, at) => done > (before[at] ?? 0) + 1);
      await until('every client has stored more', goesOn, 30);
      for (const front of fronts.slice(1)) assert.deepEqual(await damage(front), []);
    };

    const kills = async () => {
      for (let kill = 0; kill < scale.hostKills; kill += 1) {
        await everyoneGoesOn();
        // The one wait that is meant: any moment may be the last.
        await sleep(random() * SPREAD);
        await killHost(box);
      }
      // Then one that has only just said where it listens, and one that has not yet come so far.
      await everyoneGoesOn();
      const { token } = recordIn(box.storage);
      await killHost(box);
      await until('the next host serves', () => recordIn(box.storage).token !== token);
      await killHost(box);
      await until('the one after it starts', () => hostsOf(box).length > 0);
      for (const pid of hostsOf(box)) killIfThere(pid);
      await everyoneGoesOn();
    };
    await Promise.all([...work, kills().finally(() => (going = false))]);

    for (const front of fronts) await book.check(front);
    assert.deepEqual(unexpected(fronts), []);
  }));

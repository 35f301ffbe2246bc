import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { scale } from '../scale.js';
import { Sandbox } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { AgentSession } from './agentSession.js';
import { damage } from './book.js';
import { hookLog, inboxIsEmpty } from './hookProcess.js';
import { killHost } from './hosts.js';
import { seeded } from './random.js';
import { REVIEWING, turnsOf } from './reviewer.js';

/** Moments of a kill are spread over so many milliseconds. */
const SPREAD = 300;
/** Fewer than an episode can hold. */
const TURNS_EACH = 5;

test('whenever a host is killed while hooks write, every turn is there exactly once in the end', (t) =>
  seeded(async (random) => {
    const box = new Sandbox(t, 'shared');
    const server = await box.start({ env: REVIEWING });
    const captured: string[] = [];
    let going = true;
    const lanes = ['a', 'b'].map(async (lane) => {
      for (let number = 0; going; number += 1) {
        const session = new AgentSession(box);
        for (let turn = 0; turn < TURNS_EACH; turn += 1) {
          const question = `${lane} ${number} ${turn}`;
          await session.captures(question, `answer to ${question}`);
          captured.push(question);
        }
      }
    });
    const kills = async () => {
      for (let kill = 0; kill < scale.captureHostKills; kill += 1) {
        const before = captured.length;
        await until('more is captured', () => captured.length > before);
        // The one wait that is meant: any moment may be the last.
        await sleep(random() * SPREAD);
        await killHost(box);
        // Starts the next one.
        await server.call('stats');
      }
    };
    await Promise.all([...lanes, kills().finally(() => (going = false))]);

    await inboxIsEmpty(box);
    const turns = await turnsOf(server);
    assert.deepEqual(turns.map(({ task }) => task).sort(), captured.sort());
    for (const { task, outcome } of turns) assert.equal(outcome, `answer to ${task}`);
    assert.deepEqual(hookLog(box), []);
    assert.deepEqual(await damage(server), []);
  }));

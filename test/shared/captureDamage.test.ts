import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { damagedOf, inboxOf } from '../../src/capture/spool.js';
import { scale } from '../scale.js';
import { Sandbox } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { AgentSession } from './agentSession.js';
import { damage } from './book.js';
import { hookLog, inbox, namesIn } from './hookProcess.js';
import { seeded } from './random.js';
import { episodesAre, REVIEWING, turnsOf } from './reviewer.js';

/** Hooks at once. */
const LANES = 8;

test('a damaged file is set aside as it is, people are told, and the others are taken up', async (t) => {
  const box = new Sandbox(t, 'shared');
  const server = await box.start({ env: REVIEWING });
  await new AgentSession(box).captures('before', 'x');
  const torn = '{"version":1,"project":{"key":"path:';
  writeFileSync(join(inboxOf(box.storage), 'torn.json'), torn);
  await new AgentSession(box).captures('after', 'x');
  await episodesAre(server, 2);

  const folder = damagedOf(box.storage);
  await until('it is set aside', () => namesIn(folder).length === 1);
  const [name = ''] = namesIn(folder);
  assert.match(name, /^torn\b.*\.json$/);
  assert.equal(readFileSync(join(folder, name), 'utf8'), torn);
  assert.deepEqual(inbox(box), ['damaged']);
  const { health } = await server.call('stats');
  const note = health.find(({ code }) => code === 'inbox_damaged');
  assert.ok(note?.message.includes(folder), JSON.stringify(health));
});

test('hooks that are killed at any moment damage nothing, and what the others captured is there', (t) =>
  seeded(async (random) => {
    const box = new Sandbox(t, 'shared');
    const server = await box.start({ env: REVIEWING });
    const asked = new Set<string>();
    const kept = new Set<string>();
    let killed = 0;

    /** So many hooks at once, some of the same session; each is killed after so many milliseconds, if it still runs. */
    const round = (name: string, moments: readonly number[]) =>
      Promise.all(
        moments.map(async (moment, lane) => {
          const question = `${name} ${lane}`;
          asked.add(question);
          const session = new AgentSession(box, { id: `${name}-${lane % 3}` });
          const hook = session.turn(question, `answer to ${question}`).stopping();
          const timer = moment === Infinity ? undefined : setTimeout(() => hook.kill(), moment);
          const ended = await hook.ended;
          clearTimeout(timer);
          if (ended === null) killed += 1;
          else kept.add(question);
        }),
      );

    const start = performance.now();
    await round(
      'undisturbed',
      Array.from({ length: LANES }, () => Infinity),
    );
    // Moments are spread over the time these took, so that they reach into the writing.
    const spread = performance.now() - start;
    for (let at = 0; at < scale.killedHookRounds; at += 1) {
      await round(
        `round${at}`,
        Array.from({ length: LANES }, () => random() * spread * 1.2),
      );
    }
    assert.ok(killed > 0 && kept.size > LANES, `${killed} were killed, ${kept.size} were not`);

    await until('all documents are taken up', () => inbox(box).every((name) => name.endsWith('.tmp')));
    const turns = await turnsOf(server);
    assert.equal(new Set(turns.map(({ task }) => task)).size, turns.length, 'a turn was taken up twice');
    for (const { task, outcome } of turns) {
      assert.ok(asked.has(task), task);
      assert.equal(outcome, `answer to ${task}`);
    }
    const missing = [...kept].filter((question) => !turns.some(({ task }) => task === question));
    assert.deepEqual(missing, []);
    assert.deepEqual(hookLog(box), []);
    assert.deepEqual(await damage(server), []);
  }));

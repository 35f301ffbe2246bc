import assert from 'node:assert/strict';
import { readdirSync, watch } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TURNS_LIMIT } from '../../src/core/episode.js';
import { seeded, type Random } from '../../test/shared/random.js';
import { ended, HookRig } from './hookRig.js';

const LONG = process.env['SUBCONSCIOUS_TORTURE'] === '1';
const ROUNDS = LONG ? 100 : 12;
/** Hooks of one session at a time. */
const HOOKS = 5;
/** A hook is killed at any time of its life, in milliseconds. */
const LONGEST = 160;

interface Round {
  /** Turns of hooks that ended by themselves. */
  readonly kept: readonly string[];
  readonly killed: number;
}

/**
 * Runs hooks of one session at once. Half of them are killed after a while, and any of them may be when something
 * happens in the inbox.
 */
async function round(rig: HookRig, session: string, name: string, random: Random): Promise<Round> {
  const runs = Array.from({ length: HOOKS }, async (_, i) => {
    const turn = `${name}-${i}`;
    const payload = rig.stopPayload(session, rig.transcript(turn, `task of ${turn}`, 'outcome'));
    const child = rig.start('stop', payload);
    const end = ended(child);
    const watcher = watch(rig.inbox, () => {
      if (random() < 0.05) child.kill('SIGKILL');
    });
    await Promise.race([end, sleep(random() * LONGEST)]);
    if (random() < 0.5) child.kill('SIGKILL');
    const { signal } = await end;
    watcher.close();
    return { turn, signal };
  });
  const results = await Promise.all(runs);
  return {
    kept: results.filter(({ signal }) => signal === null).map(({ turn }) => `task of ${turn}`),
    killed: results.filter(({ signal }) => signal === 'SIGKILL').length,
  };
}

test('hooks that are killed at any moment leave whole documents, and what the others wrote', async (t) => {
  await seeded(async (random) => {
    const rig = new HookRig(t);
    rig.folder('home', '.subconscious-mcp', 'data', 'inbox');
    const kept = new Set<string>();
    let killed = 0;
    for (let n = 0; n < ROUNDS; n += 1) {
      // As many turns as a session keeps.
      const result = await round(
        rig,
        `session-${Math.floor((n * HOOKS) / TURNS_LIMIT)}`,
        `turn-${n}`,
        random,
      );
      for (const task of result.kept) kept.add(task);
      killed += result.killed;
    }
    assert.ok(killed > 0 && kept.size > 0, `${killed} were killed, ${kept.size} were not`);
    assert.deepEqual(rig.failures(), []);
    // Throws where a file is no whole document.
    const found = new Set(rig.turns().map(({ task }) => task));
    assert.deepEqual(
      [...kept].filter((task) => !found.has(task)),
      [],
    );
    for (const name of readdirSync(rig.inbox)) assert.match(name, /\.(json|tmp)$/);
  });
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { claim, readSpoolDocument, spoolFiles } from '../../src/capture/spool.js';
import { program } from '../program.js';
import { HookRig, QUIET } from './hookRig.js';

const WRITER = await program(join(import.meta.dirname, 'spoolWriter.ts'));
const WRITERS = ['a', 'b', 'c', 'd'];
const SESSIONS = 30;
/** Together what a session keeps. */
const TURNS = 5;

/** Runs processes that all add to the same sessions at the same time; `meanwhile` until they are done. */
async function writeAtOnce(rig: HookRig, meanwhile?: () => void): Promise<void> {
  const writers = WRITERS.map((name) => {
    const args = [WRITER, rig.inbox, name, `${SESSIONS}`, `${TURNS}`];
    return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  });
  await Promise.all(writers.map(({ stdout }) => once(stdout, 'data')));
  const ends = writers.map((writer) => once(writer, 'exit'));
  for (const writer of writers) writer.stdin.write('go\n');
  const state = { done: false };
  const all = Promise.all(ends).finally(() => (state.done = true));
  while (meanwhile && !state.done) {
    meanwhile();
    await nextTurn();
  }
  assert.deepEqual(
    await all,
    WRITERS.map(() => [0, null]),
  );
}

const written = Array.from({ length: SESSIONS }, (_, s) =>
  WRITERS.flatMap((name) => Array.from({ length: TURNS }, (_turn, n) => `session-${s} ${name}-${n}`)),
).flat();

const said = (rig: HookRig): string[] =>
  rig.sessions().flatMap(({ sessionId, turns }) => turns.map(({ id }) => `${sessionId} ${id}`));

test('processes that add to one session at once lose no turn, and leave one document and nothing else', async (t) => {
  const rig = new HookRig(t);
  await writeAtOnce(rig);
  assert.deepEqual(said(rig).sort(), written.sort());
  assert.deepEqual(
    readdirSync(rig.inbox).sort(),
    Array.from({ length: SESSIONS }, (_, s) => `session-${s}.json`).sort(),
  );
});

test('a host that takes everything away meanwhile has all turns afterwards', async (t) => {
  const rig = new HookRig(t);
  const taken = new Set<string>();
  const take = () => {
    for (const name of spoolFiles(rig.inbox)) {
      const claimed = claim(join(rig.inbox, name));
      if (claimed === null) continue;
      const found = readSpoolDocument(claimed);
      assert.ok('session' in found, JSON.stringify(found));
      for (const { id } of found.session.turns) taken.add(`${found.session.sessionId} ${id}`);
      rmSync(claimed);
    }
  };
  await writeAtOnce(rig, take);
  take();
  assert.deepEqual([...taken].sort(), written.sort());
  assert.deepEqual(readdirSync(rig.inbox), []);
});

test('50 sessions that stop at once are all there', async (t) => {
  const rig = new HookRig(t);
  const names = Array.from({ length: 50 }, (_, i) => `session-${i}`);
  const runs = names.map((name) =>
    rig.run('stop', rig.stopPayload(name, rig.transcript(name, `task of ${name}`, 'outcome'))),
  );
  for (const run of await Promise.all(runs)) assert.deepEqual(run, QUIET);
  assert.deepEqual(rig.failures(), []);
  assert.deepEqual(readdirSync(rig.inbox).sort(), names.map((name) => `${name}.json`).sort());
  const tasks = rig.turns().map(({ task }) => task);
  assert.deepEqual(tasks.sort(), names.map((name) => `task of ${name}`).sort());
});

test('20 hooks of one session at once leave all its turns', async (t) => {
  const rig = new HookRig(t);
  const names = Array.from({ length: 20 }, (_, i) => `turn-${i}`);
  const runs = names.map((name) =>
    rig.run('stop', rig.stopPayload('s', rig.transcript(name, `task of ${name}`, 'outcome'))),
  );
  for (const run of await Promise.all(runs)) assert.deepEqual(run, QUIET);
  assert.deepEqual(rig.failures(), []);
  const tasks = rig.turns().map(({ task }) => task);
  assert.deepEqual(tasks.sort(), names.map((name) => `task of ${name}`).sort());
});

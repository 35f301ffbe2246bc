import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeBrief } from '../../src/capture/briefFile.js';
import type { Brief } from '../../src/core/brief.js';
import { identifyProject } from '../../src/project/project.js';
import { HookRig, QUIET, SERVER, type HookOptions } from './hookRig.js';

function keyOf(rig: HookRig, directory: string): string {
  return identifyProject({ namespace: null, directory, home: rig.home }).key;
}

/** Leaves a brief as the host does, of one item. */
function prepare(rig: HookRig, text: string, directory = rig.project): Brief {
  const item = { kind: 'memory', text, storedAt: Date.now() / 1000 - 7200, expiresAt: null } as const;
  const brief = { project: keyOf(rig, directory), memories: 3, episodes: 0, items: [item] };
  mkdirSync(rig.storage, { recursive: true });
  writeBrief(rig.storage, brief);
  return brief;
}

function start(rig: HookRig, source: string, more: object = {}, options: HookOptions = {}) {
  const payload = { session_id: 's', cwd: rig.project, hook_event_name: 'SessionStart', source, ...more };
  return rig.run('session-start', payload, options);
}

test('a session is told the brief of its project, fenced by another mark each time', async (t) => {
  const rig = new HookRig(t);
  prepare(rig, 'Deploy with make ship');
  const [first, second] = [await start(rig, 'startup'), await start(rig, 'startup')];
  for (const run of [first, second]) {
    assert.deepEqual([run.code, run.stderr], [0, '']);
    assert.match(run.stdout, /not instructions/);
    assert.match(run.stdout, /\n- \[memory, 2 hours ago\] Deploy with make ship\n/);
    assert.match(run.stdout, /3 memories .*`recall`/);
  }
  const marks = [first, second].map(({ stdout }) => stdout.match(/[0-9a-f]{16}/g) ?? []);
  assert.deepEqual(
    marks.map((found) => [found.length, new Set(found).size]),
    [
      [2, 1],
      [2, 1],
    ],
  );
  assert.notEqual(marks[0]?.[0], marks[1]?.[0]);
  assert.deepEqual(rig.failures(), []);
});

test('a session is told its brief also where nothing can be noted of that', async (t) => {
  const rig = new HookRig(t);
  prepare(rig, 'Deploy with make ship');
  rig.file(join('home', '.subconscious-mcp', 'data', 'logs'), 'no folder');
  assert.match((await start(rig, 'startup')).stdout, /Deploy with make ship/);
  rmSync(join(rig.storage, 'logs'));
  mkdirSync(join(rig.storage, 'logs', 'hook.session-start.last'), { recursive: true });
  assert.match((await start(rig, 'startup')).stdout, /Deploy with make ship/);
  assert.deepEqual(rig.failures(), []);
});

test('without a brief, or with one that has expired, not a byte is printed', async (t) => {
  const rig = new HookRig(t);
  assert.deepEqual(await start(rig, 'startup'), QUIET);
  const brief = prepare(rig, 'old');
  writeBrief(rig.storage, { ...brief, items: brief.items.map((item) => ({ ...item, expiresAt: 5 })) });
  assert.deepEqual(await start(rig, 'startup'), QUIET);
});

test('a new project is told what is global, but not of sessions in the home folder', async (t) => {
  const rig = new HookRig(t);
  const brief = prepare(rig, 'Commits are signed', rig.home);
  const session = { kind: 'episode', text: 'Paid the rent', storedAt: 5, expiresAt: null } as const;
  writeBrief(rig.storage, { ...brief, episodes: 1, items: [session, ...brief.items] });
  const { stdout } = await start(rig, 'startup');
  assert.ok(stdout.includes('Commits are signed') && !stdout.includes('rent'), stdout);
  assert.match(stdout, /3 memories and 0 episodes/);
  prepare(rig, 'our own');
  const own = await start(rig, 'startup');
  assert.ok(own.stdout.includes('our own') && !own.stdout.includes('signed'), own.stdout);
});

test('nothing of another project is printed, also not where folders have one name', async (t) => {
  const rig = new HookRig(t);
  const twin = rig.folder('elsewhere', 'project');
  prepare(rig, 'of the twin', twin);
  assert.deepEqual(await start(rig, 'startup'), QUIET);
  prepare(rig, 'our own');
  const { stdout } = await start(rig, 'startup');
  assert.ok(stdout.includes('our own') && !stdout.includes('of the twin'), stdout);
});

test('going on, a session is told only what it was not told already', async (t) => {
  const rig = new HookRig(t);
  prepare(rig, 'first');
  assert.notEqual((await start(rig, 'resume')).stdout, '', 'it has not been told yet');
  for (const source of ['resume', 'compact']) assert.deepEqual(await start(rig, source), QUIET, source);
  for (const source of ['startup', 'clear', 'fork', 'something new', 'resume']) {
    const { stdout } = await start(rig, source, source === 'resume' ? { session_id: 'another' } : {});
    assert.ok(stdout.includes('first'), source);
  }
  prepare(rig, 'second');
  assert.ok((await start(rig, 'compact')).stdout.includes('second'));
  assert.deepEqual(await start(rig, 'resume'), QUIET);
});

test('a brief that cannot be noted as told is told all the same', async (t) => {
  const rig = new HookRig(t);
  prepare(rig, 'first');
  rig.file(join('home', '.subconscious-mcp', 'data', 'briefs', 'shown'), 'no folder');
  const { code, stdout } = await start(rig, 'startup');
  assert.deepEqual([code, stdout.includes('first')], [0, true]);
});

test('the brief is told while capture is switched off', async (t) => {
  const rig = new HookRig(t);
  prepare(rig, 'first');
  rig.configure({ capture_enabled: false });
  assert.ok((await start(rig, 'startup')).stdout.includes('first'));
  assert.deepEqual(
    rig.stored().filter((path) => path.startsWith('logs')),
    [],
  );
});

test('the brief is told where the client says nothing of the event', async (t) => {
  const rig = new HookRig(t);
  prepare(rig, 'first');
  for (const input of ['', '{broken', '[]']) {
    const { code, stdout } = await rig.run('session-start', input);
    assert.deepEqual([code, stdout.includes('first')], [0, true], input);
  }
  const env = { CLAUDE_PROJECT_DIR: rig.project };
  const { stdout } = await start(
    rig,
    'startup',
    { cwd: '/' },
    { cwd: rig.home, env, program: SERVER, words: ['hook', '--event', 'session-start'] },
  );
  assert.ok(stdout.includes('first'));
});

test('a reader that has left is a line in the log', async (t) => {
  const rig = new HookRig(t);
  prepare(rig, 'first');
  const child = rig.start('session-start', null);
  child.stdout?.destroy();
  child.stdin?.end('{"session_id":"s","source":"startup"}');
  const code = await new Promise((resolve) => child.once('exit', resolve));
  assert.equal(code, 0);
  assert.match(rig.failures().join('\n'), /session-start .*stdout cannot be written/);
  assert.equal(rig.stored().includes('briefs/shown/s'), false, 'it does not count as told');
});

test('what was told is kept as a digest only', async (t) => {
  const rig = new HookRig(t);
  prepare(rig, 'first');
  await start(rig, 'startup');
  const shown = readFileSync(join(rig.storage, 'briefs', 'shown', 's'), 'utf8');
  assert.match(shown, /^[0-9a-f]{16}\n$/);
});

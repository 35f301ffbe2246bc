import assert from 'node:assert/strict';
import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inboxOf, spoolFiles } from '../../src/capture/spool.js';
import { spoolText } from '../../src/capture/spoolDocument.js';
import { identifyProject } from '../../src/project/project.js';
import { turn } from '../capture/sessionBuilder.js';
import { Sandbox } from '../server/sandbox.js';
import { AgentSession } from './agentSession.js';
import { inbox, inboxIsEmpty } from './hookProcess.js';
import { allEpisodes, episodesAre, review, REVIEWING } from './reviewer.js';

const BACKLOG = 300;
/** When the first of them ended, epoch seconds: lately, since old ones are not kept. */
const BEGUN = Date.now() / 1000 - 3600;

/** Leaves sessions of the project in this folder as hooks do, one turn each; returns what was asked in them. */
function backlog(box: Sandbox, directory: string, count: number, name: string): string[] {
  const project = identifyProject({ namespace: null, directory, home: box.home });
  const asked = Array.from({ length: count }, (_, at) => `${name} question ${at}`);
  mkdirSync(inboxOf(box.storage), { recursive: true });
  for (const [at, task] of asked.entries()) {
    const time = BEGUN + at;
    const turns = [turn(`${at}`, { task, at: time, revisedAt: time })];
    const sessionId = `${name}-${at}`;
    const text = spoolText({ project, directory, sessionId, turns });
    writeFileSync(join(inboxOf(box.storage), `${sessionId}.json`), text);
  }
  return asked;
}

test('what has gathered of three projects is all taken up, and each sees its own', async (t) => {
  const box = new Sandbox(t, 'shared');
  const asked = new Map<string, string[]>();
  for (const [name, count] of [
    ['busy', BACKLOG],
    ['calm', 3],
    ['quiet', 2],
  ] as const) {
    const cwd = box.folder(name);
    asked.set(cwd, backlog(box, cwd, count, name));
    // And one of the real hook, which comes last.
    await new AgentSession(box, { cwd }).captures(`${name} at last`, 'x');
    asked.get(cwd)?.push(`${name} at last`);
  }
  assert.equal(inbox(box).length, BACKLOG + 8);

  for (const [cwd, tasks] of asked) {
    const server = await box.start({ env: REVIEWING, cwd });
    const found = await episodesAre(server, tasks.length);
    assert.deepEqual(found.map(({ task_text }) => task_text).sort(), tasks.sort());
    assert.ok(found.every(({ directory }) => directory === cwd));
  }
  await inboxIsEmpty(box);
  const { counts } = await review(await box.start({ env: REVIEWING }), 'episodes', { scope: 'all' });
  assert.deepEqual(counts, { pending: 0, ingested: BACKLOG + 8, kept: 0, discarded: 0 });
});

test('files of one session are taken up in order of their age, whatever they are called', async (t) => {
  const box = new Sandbox(t, 'shared');
  const session = new AgentSession(box);
  const folder = inboxOf(box.storage);
  // As hooks leave them that are killed again and again: each has claimed what the one before wrote.
  for (const [at, claimed] of ['cc', 'bb', 'aa'].entries()) {
    await session.captures(`question ${at}`, 'x');
    const [name = ''] = spoolFiles(folder).filter((file) => file === `${session.id}.json`);
    const path = join(folder, `${session.id}.${claimed.repeat(8)}.json`);
    renameSync(join(folder, name), path);
    utimesSync(path, 1000 + at, 1000 + at);
  }
  const server = await box.start({ env: REVIEWING });
  await inboxIsEmpty(box);
  const [{ entry_id, task_text } = {}, ...others] = await allEpisodes(server);
  assert.deepEqual(others, []);
  assert.equal(task_text, 'question 0');
  const { turns } = await review(server, 'get_episode', { entry_id });
  assert.deepEqual(
    turns.map(({ task }) => task),
    ['question 0', 'question 1', 'question 2'],
  );
});

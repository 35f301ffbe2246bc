// The hook as Claude Code runs it: a process of its own at the end of every turn.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endHost, startServer } from './client.mjs';
import { time } from './measure.mjs';
import { answerOf, taskOf } from './texts.mjs';

const HOOK = fileURLToPath(new URL('../dist/hook.js', import.meta.url));
const MB = 1024 * 1024;
const RUNS = 30;

/**
 * A home with a repository that has memories, so that a session is told something. What hooks leave in its inbox is
 * nothing of the rest of the bench.
 * @param {string} parent
 */
export async function hookPlace(parent) {
  const home = join(parent, 'hooks');
  const project = join(home, 'work', 'shop', 'src');
  mkdirSync(project, { recursive: true });
  mkdirSync(join(home, 'work', 'shop', '.git'));
  writeFileSync(join(home, 'work', 'shop', '.git', 'HEAD'), 'ref: refs/heads/main\n');
  const server = startServer(home, 'shared', project);
  await server.initialize();
  for (let n = 0; n < 30; n += 1) await server.call('remember', { task: taskOf(n), answer: answerOf(n) });
  await server.stop();
  // Which writes what is due.
  await endHost(home);
  return { home, project };
}

/** @typedef {Awaited<ReturnType<typeof hookPlace>>} Place */

/** Milliseconds of a whole `stop` hook that writes an episode. @param {Place} place @param {number} bytes of transcript */
export async function stopHook(place, bytes) {
  const transcript = join(place.home, `transcript-${bytes}.jsonl`);
  writeTranscript(transcript, bytes);
  const before = captured(place);
  const figures = await time(RUNS, (run) => {
    runHook(place, 'stop', {
      session_id: `bench-${bytes}-${run}`,
      transcript_path: transcript,
      hook_event_name: 'Stop',
      prompt_id: 'prompt-last',
      last_assistant_message: 'The retry now backs off and gives up after five tries.',
    });
  });
  // The warm-up is one as well. A hook says by nothing else that it failed.
  const written = captured(place) - before;
  if (written !== RUNS + 1) throw new Error(`${written} of ${RUNS + 1} stop hooks wrote an episode`);
  return figures;
}

/** Milliseconds of a whole `session-start` hook that prints a brief. @param {Place} place */
export function sessionStartHook(place) {
  return time(RUNS, (run) => {
    const told = runHook(place, 'session-start', { session_id: `start-${run}`, source: 'startup' });
    if (!told.includes(taskOf(29))) throw new Error(`session-start told nothing: ${told}`);
  });
}

/** Sessions in the inbox. @param {Place} place */
function captured({ home }) {
  const inbox = join(home, 'data', 'inbox');
  return existsSync(inbox) ? readdirSync(inbox).length : 0;
}

/** What it printed. @param {Place} place @param {string} event @param {object} payload */
function runHook({ home, project }, event, payload) {
  const env = {
    ...process.env,
    HOME: home,
    SUBCONSCIOUS_STORAGE_DIR: join(home, 'data'),
    CLAUDE_PROJECT_DIR: project,
  };
  const given = { input: JSON.stringify({ cwd: project, ...payload }), env, encoding: 'utf8', cwd: project };
  return String(spawnSync(process.execPath, [HOOK, '--event', event], /** @type {any} */ (given)).stdout);
}

/** Turns with the bulky lines of a real transcript, up to `bytes`. @param {string} file @param {number} bytes */
function writeTranscript(file, bytes) {
  const handle = openSync(file, 'w');
  const filler = 'x'.repeat(100_000);
  let parent = null;
  let written = 0;
  for (let turn = 0; written < bytes || turn === 0; turn += 1) {
    const last = written + 120_000 >= bytes;
    const lines = [
      user(`u${turn}`, parent, last ? 'prompt-last' : `prompt-${turn}`),
      {
        type: 'attachment',
        uuid: `a${turn}`,
        parentUuid: `u${turn}`,
        isSidechain: false,
        attachment: { type: 'x', filler },
      },
      { type: 'api-request-blob', message: { role: 'user', content: 'not a question' } },
      assistant(`m${turn}`, `a${turn}`),
    ];
    parent = `m${turn}`;
    for (const line of lines) written += writeSync(handle, `${JSON.stringify(line)}\n`);
    if (last) break;
  }
  closeSync(handle);
}

const user = (uuid, parentUuid, promptId) => ({
  type: 'user',
  uuid,
  parentUuid,
  promptId,
  isSidechain: false,
  message: { role: 'user', content: 'Make the client try again when the server fails.' },
});

const assistant = (uuid, parentUuid) => ({
  type: 'assistant',
  uuid,
  parentUuid,
  isSidechain: false,
  message: { id: uuid, role: 'assistant', content: [{ type: 'text', text: 'It does.' }] },
});

export const LARGE = 100 * MB;

// The hook as Claude Code runs it: a process of its own at the end of every turn.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { time } from './measure.mjs';

const HOOK = fileURLToPath(new URL('../dist/hook.js', import.meta.url));
const MB = 1024 * 1024;

/** Milliseconds of a whole `stop` hook that writes an episode. @param {string} folder @param {number} bytes of transcript */
export function stopHook(folder, bytes) {
  const transcript = join(folder, `transcript-${bytes}.jsonl`);
  writeTranscript(transcript, bytes);
  return time(30, (run) => {
    const ended = runHook(folder, 'stop', {
      session_id: `bench-${bytes}-${run}`,
      transcript_path: transcript,
      hook_event_name: 'Stop',
      prompt_id: 'prompt-last',
      last_assistant_message: 'The retry now backs off and gives up after five tries.',
    });
    if (ended.status !== 0) throw new Error(`the hook ended with ${ended.status}: ${ended.stderr}`);
  });
}

/** @param {string} folder */
export function sessionStartHook(folder) {
  return time(30, (run) =>
    runHook(folder, 'session-start', { session_id: `start-${run}`, source: 'startup' }),
  );
}

/** @param {string} folder @param {string} event @param {object} payload */
function runHook(folder, event, payload) {
  const env = { ...process.env, HOME: folder, SUBCONSCIOUS_STORAGE_DIR: join(folder, 'data') };
  const given = { input: JSON.stringify({ cwd: folder, ...payload }), env, encoding: 'utf8', cwd: folder };
  return spawnSync(process.execPath, [HOOK, '--event', event], /** @type {any} */ (given));
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

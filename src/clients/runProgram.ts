import { spawn } from 'node:child_process';
import type { Run } from './world.js';

/** How long Claude Code may take to change its file, in milliseconds. */
const PATIENCE = 30_000;

/** How long what it said last may take to arrive, in milliseconds. */
const LAST_WORDS = 500;

/** Runs a program without a shell, and ends it after half a minute. */
export const runProgram: Run = (command, args, { env, cwd }) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, [...args], {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PATIENCE,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (stdout += piece));
    child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
    // Children of its own may hold the pipes for as long as they like.
    child.on('exit', (status, signal) => {
      if (signal !== null) resolve({ status, stdout, stderr });
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, LAST_WORDS);
    });
  });

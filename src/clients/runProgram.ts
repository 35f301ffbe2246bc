import { spawn } from 'node:child_process';
import type { Run } from './world.js';

/** How long Claude Code may take to change its file, in milliseconds. */
const PATIENCE = 30_000;

/** Runs a program without a shell, and ends it after half a minute. */
export const runProgram: Run = (command, args, { env, cwd }) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, [...args], {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PATIENCE,
      windowsHide: true,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });

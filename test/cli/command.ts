import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { SERVER, type Sandbox } from '../server/sandbox.js';

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
}

/** Runs the built program to its end in the sandbox's project. */
export function run(box: Sandbox, words: readonly string[], { env, input = '' }: RunOptions = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SERVER, ...words], {
    cwd: box.project,
    env: box.environment(env),
    input,
    timeout: 20_000,
  });
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
}

export const userSettings = (box: Sandbox) => join(box.home, '.claude', 'settings.json');

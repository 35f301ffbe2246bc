import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HookEvent } from '../../src/hooks/hookArguments.js';
import type { Sandbox } from '../server/sandbox.js';
import { until } from '../server/until.js';

const HOOK = fileURLToPath(new URL('../../dist/hook.js', import.meta.url));

export interface HookPlace {
  /** Folder the client works in. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The built hook, as a client starts it: one event on stdin. */
export class HookProcess {
  /** Resolves to what it printed, or to null where it was killed. Rejects where it ended in any other way. */
  readonly ended: Promise<string | null>;
  private readonly child: ChildProcessWithoutNullStreams;
  private stdout = '';
  private stderr = '';

  constructor(box: Sandbox, event: HookEvent, payload: object, { cwd, env = {} }: HookPlace) {
    const options = { cwd, env: box.environment(env), stdio: 'pipe' as const };
    this.child = spawn(process.execPath, [HOOK, '--event', event], options);
    this.child.stdout.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.child.stdin.on('error', () => undefined); // It was killed before it read.
    this.child.stdin.end(JSON.stringify(payload));
    this.ended = once(this.child, 'close').then(([code, signal]) => {
      if (signal === 'SIGKILL') return null;
      // Type of the 'close' event of a child process.
      assert.deepEqual([code as number | null, this.stderr], [0, '']);
      return this.stdout;
    });
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}

/** What hooks wrote of their failures, line by line. */
export function hookLog(box: Sandbox): string[] {
  const file = join(box.storage, 'logs', 'hook.log');
  return namesIn(join(box.storage, 'logs')).includes('hook.log')
    ? readFileSync(file, 'utf8').split('\n').slice(0, -1)
    : [];
}

/** Everything that lies in the inbox, drafts and folders included. */
export function inbox(box: Sandbox): string[] {
  return namesIn(join(box.storage, 'inbox'));
}

/** Resolves when nothing is left in the inbox. */
export async function inboxIsEmpty(box: Sandbox): Promise<void> {
  await until('the inbox is empty', () => inbox(box).length === 0);
}

/** None where the folder does not exist. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';

/** Variables that every process of a run and of a workbench inherits, however it detaches itself. */
export const RUN_VARIABLE = 'SUBCONSCIOUS_E2E_RUN';
export const WORKBENCH_VARIABLE = 'SUBCONSCIOUS_E2E_WORKBENCH';

/** Given by the runner; a test file that is started alone is a run of its own. */
export const RUN = (process.env[RUN_VARIABLE] ??= randomUUID());

export interface MarkedProcess {
  readonly pid: number;
  readonly command: string;
}

/** Every other process that was started with this variable. See proc_pid_environ(5). */
export function processesWith(variable: string, value: string): MarkedProcess[] {
  const mark = `${variable}=${value}`;
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
      if (!environment.includes(mark)) return [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return command === '' ? [] : [{ pid: Number(name), command }];
    } catch {
      // Ended since the folder was read.
      return [];
    }
  });
}

/** Kills them until none is left: a process may start another one before it dies. */
export function killProcessesWith(variable: string, value: string): void {
  for (let round = 0; round < 100; round += 1) {
    const running = processesWith(variable, value);
    if (running.length === 0) return;
    for (const { pid } of running) kill(pid, 'SIGKILL');
    pause(10);
  }
}

/** In milliseconds. A handler of `exit` cannot wait in another way. */
function pause(time: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time);
}

/** Removes a folder that processes which have just been killed may still write to, for two seconds at most. */
export function removeFolder(folder: string): void {
  for (let round = 0; round < 40; round += 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch {
      // Something was written into a folder that had just been emptied.
      pause(50);
    }
  }
}

/** Does nothing when the process has ended. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const cleanups = new Set<() => void>();
let watching = false;

/** Runs `cleanup`, which must not throw, when this process ends in any way but SIGKILL. The result takes it back. */
export function onExit(cleanup: () => void): () => void {
  cleanups.add(cleanup);
  if (!watching) watchExit();
  return () => cleanups.delete(cleanup);
}

function watchExit(): void {
  watching = true;
  process.on('exit', () => {
    for (const cleanup of cleanups) cleanup();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
  // A runner that was killed can tell nobody.
  const runner = process.ppid;
  setInterval(() => process.ppid === runner || process.exit(1), 1000).unref();
}

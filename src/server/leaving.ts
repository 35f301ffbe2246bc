import { processExists } from '../link/existence.js';

/** What a process is told about the end of whoever started it. */
export interface LeavingSystem {
  readonly platform: NodeJS.Platform;
  /** Pid of the parent, now; on Windows that of the first and only one, whether or not it still runs. */
  ppid(): number;
  /** False only where there is certainly no such process. */
  exists(pid: number): boolean;
  onSignal(signal: NodeJS.Signals, act: () => void): void;
  /** Acts again and again without keeping the process alive. Returns how to end it. */
  every(milliseconds: number, act: () => void): () => void;
}

/** The last one exists on Windows only, and is never sent elsewhere. */
const SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'];

/** A parent's end is seen within a second. */
const PARENT_CHECK_MS = 500;

/**
 * Resolves when it is time to leave, with the reason for the log: the first signal that asks for it, by name, or
 * `parent gone`. From the call on none of these signals ends the process by itself.
 */
export function leaving(system: LeavingSystem = thisSystem): Promise<string> {
  return new Promise((resolve) => {
    const parentGone = parentWatch(system);
    const stop = parentGone && system.every(PARENT_CHECK_MS, () => parentGone() && leave('parent gone'));
    const leave = (reason: string) => {
      stop?.();
      resolve(reason);
    };
    for (const signal of SIGNALS) system.onSignal(signal, () => leave(signal));
  });
}

/** Whether the parent of this moment has ended since; undefined where there is none whose end would be seen. */
function parentWatch(system: LeavingSystem): (() => boolean) | undefined {
  const parent = system.ppid();
  if (system.platform === 'win32') {
    return system.exists(parent) ? () => !system.exists(parent) : undefined;
  }
  // 1: started by a container's first process, or adopted already. Orphans get another parent.
  return parent === 1 ? undefined : () => system.ppid() !== parent;
}

export const thisSystem: LeavingSystem = {
  platform: process.platform,
  ppid: () => process.ppid,
  exists: processExists,
  onSignal: (signal, act) => void process.on(signal, act),
  every: (milliseconds, act) => {
    const timer = setInterval(act, milliseconds);
    timer.unref();
    return () => clearInterval(timer);
  },
};

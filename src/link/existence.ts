import { statSync } from 'node:fs';

/** Whether there is certainly nothing at `path`; not so where the system does not tell. */
export function isGone(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** False only where there is certainly no such process. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there and belongs to someone else.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { open, readFile, rm, type FileHandle } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { patiently } from '../link/busyFiles.js';
import { processExists } from '../link/existence.js';
import { codeOf } from '../link/systemError.js';
import { ClientError } from './clientError.js';

/** In milliseconds. No change takes that long; that of another program that is asked for it may take 30 seconds. */
const STALE_AFTER = 60_000;
/** For one without a name in it: between making and writing it are two calls of the system. */
const EMPTY_STALE_AFTER = 5000;
const PATIENCE = 15_000;
const INTERVAL = 50;

/**
 * Does something while no other process of ours does it to the same file. A lock whose process is dead, or that is
 * older than a minute (five seconds where nothing is in it), is taken over. The process that had it may go on all the same: whoever changes a file looks
 * once more whether it is the one that was read.
 */
export async function withLock<T>(path: string, act: () => Promise<T>): Promise<T> {
  const lock = `${path}.subconscious.lock`;
  const claim = JSON.stringify({ pid: process.pid, claim: randomUUID() });
  await take(lock, claim);
  try {
    return await act();
  } finally {
    const content = await readFile(lock, 'utf8').catch(() => null);
    if (content === claim) await rm(lock, { force: true });
  }
}

async function take(lock: string, claim: string): Promise<void> {
  for (let waited = 0; ; waited += INTERVAL) {
    try {
      await patiently(() => createLock(lock, claim));
      return;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (isStale(lock) && removeStale(lock)) continue;
    if (waited >= PATIENCE) {
      throw new ClientError(
        `${lock} says that another process is changing the file. Nothing was changed. ` +
          'Try again; if no other installation is running, delete that file first.',
      );
    }
    await pause(INTERVAL);
  }
}

/**
 * Makes the lock; rejects with EEXIST where there is one. A disk without room lets a file be made but not written: an
 * empty lock would be in everybody's way. `write` is replaceable for that.
 */
export async function createLock(
  lock: string,
  claim: string,
  write = (handle: FileHandle) => handle.writeFile(claim),
): Promise<void> {
  const handle = await open(lock, 'wx', 0o600);
  let isWritten = false;
  try {
    await write(handle);
    isWritten = true;
  } finally {
    await handle.close();
    if (!isWritten) await rm(lock, { force: true });
  }
}

/**
 * Removes a lock that was found stale. Between that look and this another process may have taken it over: so it is
 * given another name first, which only one can do, looked at there, and put back where it is a fresh one. False then,
 * and where another was faster. Without a pause in it, so that a fresh one is missing for a moment only.
 */
export function removeStale(lock: string): boolean {
  const aside = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, aside);
  } catch {
    return false; // Gone, or held by somebody on Windows.
  }
  const stale = isStale(aside);
  if (!stale) putBack(aside, lock);
  rmSync(aside, { force: true });
  return stale;
}

/** Never in the place of one that was made meanwhile. */
function putBack(aside: string, lock: string): void {
  try {
    linkSync(aside, lock);
  } catch (error) {
    // Some disks have no links.
    if (codeOf(error) !== 'EEXIST') renameSync(aside, lock);
  }
}

function isStale(lock: string): boolean {
  try {
    const content = readFileSync(lock, 'utf8');
    const age = Date.now() - statSync(lock).mtimeMs;
    return age > (content === '' ? EMPTY_STALE_AFTER : STALE_AFTER) || isDead(content);
  } catch {
    return false; // Gone, or held by somebody on Windows.
  }
}

function isDead(content: string): boolean {
  const pid = Number(/"pid":(\d{1,10})\b/.exec(content)?.[1] ?? 0);
  return pid > 0 && !processExists(pid);
}

import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** In milliseconds; no change takes as long. */
const OLD_AFTER = 24 * 3600 * 1000;

/** What stands behind a file's name: a draft of it, and a lock of it that was moved away to be looked at. */
const ENDING =
  /^\.(?:\d+\.[0-9a-f]{12}\.tmp|subconscious\.lock\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Removes what processes of ours that were killed have left beside a file. What cannot be removed stays. */
export async function removeOldDrafts(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  const names = await readdir(folder).catch(() => []);
  for (const entry of names) {
    if (!entry.startsWith(name) || !ENDING.test(entry.slice(name.length))) continue;
    const left = join(folder, entry);
    const found = await lstat(left).catch(() => null);
    const isOld = found?.isFile() === true && Date.now() - found.mtimeMs > OLD_AFTER;
    if (isOld) await rm(left, { force: true }).catch(() => undefined);
  }
}

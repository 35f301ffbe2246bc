import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { patiently } from '../link/busyFiles.js';
import { removeOldDrafts } from './oldDrafts.js';

/** Puts a file in its place at once: readers see the old content or the new. Rejects with the system's error. */
export async function replaceFile(path: string, content: string, mode: number): Promise<void> {
  const draft = await writeDraft(path, content, mode);
  try {
    await patiently(() => rename(draft, path));
    await removeOldDrafts(path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Writes what is to be moved to `path` under another name beside it, and returns that. With exactly these permission
 * bits, or those the umask leaves. Leaves nothing where it rejects.
 */
export async function writeDraft(
  path: string,
  content: string | Buffer,
  mode: number | undefined,
): Promise<string> {
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  const handle = await open(draft, 'wx', mode);
  try {
    await handle.writeFile(content);
    // The umask has taken bits away.
    if (mode !== undefined) await handle.chmod(mode);
    // Without this a power cut can leave an empty file under the name.
    await handle.sync();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return draft;
}

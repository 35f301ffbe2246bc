import { lstatSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { codeOf } from './systemError.js';

const OTHERS = 0o077;

/** Makes a folder for this user only; one that is there is left as it is. Its parent has to exist. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Makes `folder` the working directory. Throws, with the reason, where it is a link, belongs to another user than
 * `uid`, or is open to others: then what lies in it may be somebody else's.
 */
export function enterPrivate(folder: string, uid: number | null): void {
  const found = lstatSync(folder);
  if (!found.isDirectory()) throw new Error('it is not a folder, or a link to one');
  if (found.uid !== uid) throw new Error(`it belongs to user ${found.uid}, not to ${uid ?? 'this user'}`);
  if ((found.mode & OTHERS) !== 0) {
    throw new Error(`it is open to other users (mode ${(found.mode & 0o777).toString(8).padStart(4, '0')})`);
  }
  process.chdir(folder);
  const entered = statSync('.');
  if (entered.ino !== found.ino || entered.dev !== found.dev) throw new Error('it was just replaced');
}

import { access, constants, lstat } from 'node:fs/promises';
import { codeOf, messageOf } from '../../link/systemError.js';
import { error, type Observation } from './finding.js';
import { shellWord } from './shellWord.js';

/**
 * What keeps this user from working in a folder; null where nothing does, and where there is none yet.
 *
 * @param uid of this user; null on systems without numeric users
 * @param consequence a sentence
 */
export async function folderFault(
  folder: string,
  uid: number | null,
  consequence: string,
): Promise<Observation | null> {
  try {
    const found = await lstat(folder);
    if (!found.isDirectory() && !found.isSymbolicLink()) {
      return error(`${folder} is a file, not a folder. ${consequence}`, 'Move it away.');
    }
    // Root works in folders of others.
    if (uid !== null && uid !== 0 && found.uid !== uid) {
      return error(
        `${folder} belongs to user ${found.uid}, and you are user ${uid}. ${consequence}`,
        `Make it yours again: sudo chown -R ${uid} ${shellWord(folder)}`,
      );
    }
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT') return null;
    const isForbidden = code === 'EACCES' || code === 'EPERM';
    return error(
      `You cannot read and write in ${folder}: ${isForbidden ? 'its permissions do not allow it' : messageOf(cause)}. ${consequence}`,
      isForbidden ? `Allow it: chmod u+rwx ${shellWord(folder)}` : 'Mend that, and run doctor again.',
    );
  }
}

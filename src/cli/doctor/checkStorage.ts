import { access, constants, readdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { codeOf, messageOf } from '../../link/systemError.js';
import { damagedNames, damageFinding } from './damaged.js';
import { error, ok, warning, type Observation } from './finding.js';
import { closing, openFinding, openPaths } from './openPaths.js';
import { shellWord } from './shellWord.js';
import type { Surroundings } from './surroundings.js';

const MEGABYTE = 1024 * 1024;
const LITTLE = 100 * MEGABYTE;
const TOO_LITTLE = 10 * MEGABYTE;
/** What this product writes there itself; other files that may lie there are left alone. */
const OURS = /^(memory\.|changes\.|owner\.|host\.(json|log))/;

const ELSEWHERE =
  'choose another folder with SUBCONSCIOUS_STORAGE_DIR, or storage_dir in the configuration file';

export async function checkStorage(around: Surroundings): Promise<Observation[]> {
  const { storageDir } = around.config;
  let found;
  try {
    found = await stat(storageDir);
  } catch (cause) {
    return withoutFolder(around, cause);
  }
  if (!found.isDirectory()) {
    return [
      error(`${storageDir} is a file, so nothing can be stored in it.`, `Move it away, or ${ELSEWHERE}.`),
    ];
  }
  const foreign = ownerFindings(around, found.uid);
  if (foreign.length > 0) return foreign;
  const wrong = [
    ...(await modeFindings(around)),
    ...(await accessFindings(storageDir)),
    ...(await spaceFindings(around, storageDir)),
    ...(await damageFindings(storageDir)),
  ];
  if (wrong.length > 0) return wrong;
  const isPrivate = around.uid === null ? '' : 'is yours alone, ';
  return [ok(`${storageDir} ${isPrivate}can be written and has room.`)];
}

async function withoutFolder(around: Surroundings, cause: unknown): Promise<Observation[]> {
  const { storageDir } = around.config;
  if (codeOf(cause) === 'ENOENT') {
    const space = await spaceFindings(around, await nearestFolder(storageDir));
    return [ok(`${storageDir} is not there yet: the first client makes it.`), ...space];
  }
  const why = codeOf(cause) === 'ENOTDIR' ? 'a part of its path is a file' : messageOf(cause);
  return [error(`${storageDir} cannot be reached: ${why}.`, `Mend that, or ${ELSEWHERE}.`)];
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  return (await stat(parent).catch(() => null)) === null ? await nearestFolder(parent) : parent;
}

function ownerFindings({ uid, config }: Surroundings, owner: number): Observation[] {
  // In containers root works in folders of the machine's user.
  if (uid === null || uid === 0 || uid === owner) return [];
  const { storageDir } = config;
  return [
    error(
      `${storageDir} belongs to user ${owner}, and you are user ${uid}: what lies there may be somebody else's.`,
      `If it is yours all the same, have its owner changed (chown); else ${ELSEWHERE}.`,
    ),
  ];
}

async function modeFindings({ uid, config, home }: Surroundings): Promise<Observation[]> {
  if (uid === null) return [];
  const { storageDir } = config;
  const [folder] = await openPaths([storageDir], uid);
  const names = await readdir(storageDir).catch(() => []);
  const files = await openPaths(
    names.filter((name) => OURS.test(name)).map((name) => join(storageDir, name)),
    uid,
  );
  // Somebody may want to keep another folder open, and it may even be a home. Starting the server closes it where
  // nothing else lies there.
  const isOwn = home !== '' && storageDir.startsWith(join(home, '.subconscious-mcp', sep));
  return [
    ...(folder ? [openFinding([folder], isOwn ? closing([folder]) : undefined)] : []),
    ...(files.length > 0 ? [openFinding(files, closing(files))] : []),
  ];
}

async function accessFindings(storageDir: string): Promise<Observation[]> {
  try {
    await access(storageDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return [];
  } catch (cause) {
    const why = codeOf(cause) === 'EROFS' ? 'it is on a read-only disk' : 'its permissions do not allow it';
    return [
      error(
        `You cannot write in ${storageDir}: ${why}. Nothing new is remembered.`,
        `Allow it (chmod u+rwx ${shellWord(storageDir)}), or ${ELSEWHERE}.`,
      ),
    ];
  }
}

async function spaceFindings({ freeBytes }: Surroundings, folder: string): Promise<Observation[]> {
  const free = await freeBytes(folder);
  if (free >= LITTLE) return [];
  const message = `Only ${Math.floor(free / MEGABYTE)} MB are free on the disk of ${folder}.`;
  const advice = 'Delete what you do not need on that disk: without room nothing new is remembered.';
  return [free < TOO_LITTLE ? error(message, advice) : warning(message, advice)];
}

async function damageFindings(storageDir: string): Promise<Observation[]> {
  const names = await readdir(storageDir).catch(() => []);
  return damagedNames(names).map((name) => damageFinding(storageDir, name));
}

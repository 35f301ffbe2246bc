import { lstat, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { briefsOf } from '../../capture/briefFile.js';
import { logsOf } from '../../capture/hookLog.js';
import { damagedOf, inboxOf } from '../../capture/spool.js';
import { recordsPath } from '../../clients/installRecord.js';
import { launcherFolder } from '../../clients/launcherPath.js';
import { ok, warning, type Observation } from './finding.js';
import { closing, foreignPaths, openFinding, openPaths, type ForeignPath } from './openPaths.js';
import { shellWord } from './shellWord.js';
import type { Surroundings } from './surroundings.js';

/** Whether what lies around the store is for this user alone, as the store itself has to be. */
export async function checkPermissions(around: Surroundings): Promise<Observation[]> {
  const { uid, home, platform, config, configFile } = around;
  if (uid === null) return [ok('Not checked: on this system folders are private by where they lie.')];
  const { storageDir } = config;
  const own = join(home, '.subconscious-mcp');
  const folders = [
    ...(home === '' ? [] : [join(own, 'logs'), launcherFolder(home, platform)]),
    inboxOf(storageDir),
    damagedOf(storageDir),
    briefsOf(storageDir),
    logsOf(storageDir),
  ];
  const inside = await Promise.all(folders.map(filesOf));
  const single = home === '' ? [] : [own, recordsPath(home)];
  const ours = [...single, ...folders, ...inside.flat()];
  const named = configFile !== null && (await isFile(configFile)) ? [configFile] : [];
  const isOurs = (path: string) => home !== '' && path.startsWith(join(own, sep));
  // What a person has put elsewhere is theirs to close.
  const [kept, elsewhere] = [named.filter(isOurs), named.filter((path) => !isOurs(path))];
  // Somebody may have named a folder for the store that is used for other things, too.
  const canMend = isOurs(storageDir) || (await holdsStore(storageDir));
  const inStore = (path: string) => path.startsWith(join(storageDir, sep));
  const all = await openPaths([...ours, ...kept], uid);
  const mendable = all.filter(({ path }) => canMend || !inStore(path));
  const others = [...all.filter((one) => !mendable.includes(one)), ...(await openPaths(elsewhere, uid))];
  const wrong = [
    ...(mendable.length === 0 ? [] : [openFinding(mendable, closing(mendable))]),
    ...(others.length === 0 ? [] : [openFinding(others, undefined)]),
    ...foreignFindings(await foreignPaths([...ours, ...named], uid), uid),
  ];
  if (wrong.length > 0) return wrong;
  return [ok('Configuration, captured sessions, logs and launcher are yours alone.')];
}

function foreignFindings(foreign: readonly ForeignPath[], uid: number): Observation[] {
  const [first] = foreign;
  if (first === undefined) return [];
  const more = foreign.length === 1 ? '' : ` and ${foreign.length - 1} more`;
  const [verb, object] = foreign.length === 1 ? ['belongs', 'it is'] : ['belong', 'they are'];
  const message = `${first.path}${more} ${verb} to user ${first.uid}, and you are user ${uid}.`;
  // In containers root works in folders of the machine's user.
  if (uid === 0) return [ok(`${message} Only what is yours was looked at.`)];
  return [
    warning(
      message,
      `If ${object} yours all the same: sudo chown ${uid} ${shellWord(first.path)}${more && ' ...'}`,
    ),
  ];
}

async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isFile() === true;
}

async function holdsStore(folder: string): Promise<boolean> {
  return (await isFile(join(folder, 'changes.log'))) || (await isFile(join(folder, 'memory.db')));
}

async function filesOf(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
}

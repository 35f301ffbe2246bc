import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { logsOf } from '../../capture/hookLog.js';
import { damagedOf, inboxOf } from '../../capture/spool.js';
import { launcherFolder } from '../../clients/launcherPath.js';
import { ok, type Observation } from './finding.js';
import { closing, openFinding, openPaths } from './openPaths.js';
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
    join(storageDir, 'briefs'),
    logsOf(storageDir),
  ];
  const inside = await Promise.all(folders.map(filesOf));
  const single = [...(home === '' ? [] : [own, join(own, 'installed-hooks.json')]), configFile ?? []].flat();
  const open = await openPaths([...single, ...folders, ...inside.flat()], uid);
  if (open.length === 0) return [ok('Configuration, captured sessions, logs and launcher are yours alone.')];
  return [openFinding(open, closing(open))];
}

async function filesOf(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
}

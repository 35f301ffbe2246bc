import { mkdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isGone } from '../link/existence.js';
import { makeFolder } from '../link/privateFolder.js';
import { isNewer } from '../link/version.js';
import { HOOK_LAUNCHER, launcherFolder, LAUNCHERS } from './launcherPath.js';
import { launcherFiles, programIn, type Program } from './launcherText.js';
import { replaceFile } from './replaceFile.js';

const MODE = 0o700;

/**
 * Writes what other programs' settings name, that of the hooks unless told otherwise: small scripts that start a
 * program, in the user's home, where no new version moves them. Only what differs is written.
 */
export async function writeLauncher(
  home: string,
  program: Program,
  platform: NodeJS.Platform = process.platform,
  launcher = HOOK_LAUNCHER,
): Promise<void> {
  const folder = launcherFolder(home, platform);
  await mkdir(dirname(dirname(folder)), { recursive: true });
  await makeFolder(dirname(folder));
  await makeFolder(folder);
  for (const { name, text } of launcherFiles(program, platform, launcher)) {
    const path = join(folder, name);
    if ((await textOf(path)) !== text) await replaceFile(path, text, MODE);
  }
}

/**
 * Has all launchers start this program whose own one is gone, or of an older version. All others keep theirs: that of a
 * newer version, and of another installation of the same one; where their Node is gone, they get this one. What is no
 * launcher of ours stays. Makes none.
 */
export async function refreshLauncher(
  home: string,
  program: Program,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const folder = launcherFolder(home, platform);
  for (const launcher of LAUNCHERS) {
    for (const { name } of launcherFiles(program, platform, launcher)) {
      const path = join(folder, name);
      const found = programIn((await textOf(path)) ?? '');
      const next = found === null ? null : replacement(found, program);
      const file = next && launcherFiles(next, platform, launcher).find((one) => one.name === name);
      if (file) await replaceFile(path, file.text, MODE);
    }
  }
}

export async function removeLauncher(
  home: string,
  platform: NodeJS.Platform = process.platform,
  { name: launcher } = HOOK_LAUNCHER,
): Promise<void> {
  const folder = launcherFolder(home, platform);
  for (const name of [launcher, `${launcher}.cmd`]) await rm(join(folder, name), { force: true });
  // Other things may lie there.
  await rmdir(folder).catch(() => undefined);
}

/** What a launcher is to start instead; null where it stays as it is. */
function replacement(found: Program, program: Program): Program | null {
  if (isOutdated(found, program)) return program;
  return isGone(found.node) ? { ...found, node: program.node } : null;
}

function isOutdated(found: Program, program: Program): boolean {
  // The first launchers did not tell their version.
  return isGone(found.script) || found.version === '' || isNewer(program.version, found.version);
}

async function textOf(path: string): Promise<string | null> {
  return await readFile(path, 'utf8').catch(() => null);
}

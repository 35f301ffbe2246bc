import { mkdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isGone } from '../link/existence.js';
import { makeFolder } from '../link/privateFolder.js';
import { isNewer } from '../link/version.js';
import { launcherFolder, LAUNCHER_NAME } from './launcherPath.js';
import { launcherFiles, programIn, type HookProgram } from './launcherText.js';
import { replaceFile } from './replaceFile.js';

const MODE = 0o700;

/**
 * Writes what the hooks' commands name: small scripts that start the hook program, in the user's home, where no new
 * version moves them. They end well and silently where the program or Node is gone. Only what differs is written.
 */
export async function writeLauncher(
  home: string,
  program: HookProgram,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const folder = launcherFolder(home, platform);
  await mkdir(dirname(dirname(folder)), { recursive: true });
  await makeFolder(dirname(folder));
  await makeFolder(folder);
  for (const { name, text } of launcherFiles(program, platform)) {
    const path = join(folder, name);
    if ((await textOf(path)) !== text) await replaceFile(path, text, MODE);
  }
}

/**
 * Has launchers start this program whose own one is gone, or of an older version. All others keep theirs: that of a
 * newer version, and of another installation of the same one; where their Node is gone, they get this one. What is no
 * launcher of ours stays. Makes none.
 */
export async function refreshLauncher(
  home: string,
  program: HookProgram,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const folder = launcherFolder(home, platform);
  for (const { name } of launcherFiles(program, platform)) {
    const path = join(folder, name);
    const found = programIn((await textOf(path)) ?? '');
    const next = found === null ? null : replacement(found, program);
    const file = next === null ? undefined : launcherFiles(next, platform).find((one) => one.name === name);
    if (file) await replaceFile(path, file.text, MODE);
  }
}

export async function removeLauncher(
  home: string,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const folder = launcherFolder(home, platform);
  for (const name of [LAUNCHER_NAME, `${LAUNCHER_NAME}.cmd`]) await rm(join(folder, name), { force: true });
  // Other things may lie there.
  await rmdir(folder).catch(() => undefined);
}

/** What a launcher is to start instead; null where it stays as it is. */
function replacement(found: HookProgram, program: HookProgram): HookProgram | null {
  if (isOutdated(found, program)) return program;
  return isGone(found.node) ? { ...found, node: program.node } : null;
}

function isOutdated(found: HookProgram, program: HookProgram): boolean {
  // The first launchers did not tell their version.
  return isGone(found.script) || found.version === '' || isNewer(program.version, found.version);
}

async function textOf(path: string): Promise<string | null> {
  return await readFile(path, 'utf8').catch(() => null);
}

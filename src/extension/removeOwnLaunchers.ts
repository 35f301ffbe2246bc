import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeLauncher } from '../clients/launcher.js';
import {
  HOOK_LAUNCHER,
  launcherFolder,
  pathsOf,
  SERVER_LAUNCHER,
  type Launcher,
} from '../clients/launcherPath.js';
import { programIn } from '../clients/launcherText.js';
import { withdrawEntries, withdrawHooks, type Withdrawal } from '../clients/withdraw.js';

export interface Uninstallation extends Withdrawal {
  /** Absolute path of the folder that is about to be deleted. */
  readonly extensionFolder: string;
}

/**
 * Takes away the launchers in the user's home that start the extension's programs, after what names them: our hooks and
 * our entries in other programs' files. A launcher that is still named stays: it says what is gone, or ends silently. Those
 * of another installation stay, as does everything else there. Rejects where a launcher cannot be deleted.
 */
export async function removeOwnLaunchers(uninstallation: Uninstallation): Promise<void> {
  await Promise.all([
    remove(HOOK_LAUNCHER, withdrawHooks, uninstallation),
    remove(SERVER_LAUNCHER, withdrawEntries, uninstallation),
  ]);
}

async function remove(
  launcher: Launcher,
  withdraw: (withdrawal: Withdrawal) => Promise<boolean>,
  uninstallation: Uninstallation,
): Promise<void> {
  const { home, platform } = uninstallation;
  if (!(await isOwn(launcher, uninstallation))) return;
  const isFree = await withdraw(uninstallation);
  // Another installation may have taken it over meanwhile.
  if (isFree && (await isOwn(launcher, uninstallation))) await removeLauncher(home, platform, launcher);
}

/** Whether it is there and starts nothing else: on Windows it is two files. */
async function isOwn(
  { name }: Launcher,
  { home, platform, extensionFolder }: Uninstallation,
): Promise<boolean> {
  const folder = launcherFolder(home, platform);
  const paths = [name, `${name}.cmd`].map((file) => join(folder, file));
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => null)));
  const there = texts.filter((text) => text !== null);
  const owned = await Promise.all(
    there.map(async (text) => {
      const script = programIn(text)?.script;
      return script !== undefined && (await isOfExtension(script, extensionFolder, platform));
    }),
  );
  return owned.length > 0 && owned.every(Boolean);
}

/** Also where one of the two was reached through a link. */
async function isOfExtension(script: string, folder: string, platform: NodeJS.Platform): Promise<boolean> {
  return (
    isBelow(folder, script, platform) ||
    isBelow(await realOf(folder), await realOf(script), platform) ||
    (await isOfVersionGone(script, folder, platform))
  );
}

/** Folders of extensions carry their version: `<id>-<version>`, and at times the platform behind it. */
const VERSION_FOLDER = /^subconscious\.subconscious-mcp-\d+\.\d+\.\d+(?:-[\w.-]+)?$/i;

/** Whether a program is of another version of this extension, beside it, that was deleted already. */
async function isOfVersionGone(script: string, folder: string, platform: NodeJS.Platform): Promise<boolean> {
  const paths = pathsOf(platform);
  const bundles = paths.dirname(script);
  const version = paths.dirname(bundles);
  return (
    paths.basename(bundles) === 'dist' &&
    VERSION_FOLDER.test(paths.basename(version)) &&
    paths.relative(await realOf(paths.dirname(folder)), await realOf(paths.dirname(version))) === '' &&
    (await isGone(version))
  );
}

async function realOf(path: string): Promise<string> {
  return await realpath(path).catch(() => path);
}

/** Certainly: not so where the system does not tell. */
async function isGone(path: string): Promise<boolean> {
  return await stat(path).then(
    () => false,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT',
  );
}

/** As the platform takes paths: Windows knows no case, and two slashes. */
export function isBelow(folder: string, file: string, platform: NodeJS.Platform): boolean {
  const paths = pathsOf(platform);
  const way = paths.relative(folder, file);
  return way !== '' && way.split(paths.sep)[0] !== '..' && !paths.isAbsolute(way);
}

import { accessSync, constants, statSync } from 'node:fs';
import { pathsOf } from './launcherPath.js';
import type { ClientWorld } from './world.js';

/** Endings of what Windows starts by its bare name; the last two need a shell. */
const WINDOWS_ENDINGS = ['.exe', '.cmd', '.bat'];

/**
 * Absolute path of a program in the PATH, or null. Relative folders there are not looked into. `windowsEndings` says
 * what counts on Windows; `canRun` is replaceable for the paths of other platforms.
 */
export function programOnPath(
  name: string,
  { platform, env }: Pick<ClientWorld, 'platform' | 'env'>,
  windowsEndings: readonly string[] = WINDOWS_ENDINGS,
  canRun = canRunHere,
): string | null {
  const paths = pathsOf(platform);
  // Windows writes it Path, and only its own object of variables knows that.
  const folders = (env['PATH'] ?? env['Path'] ?? '')
    .split(paths.delimiter)
    .filter((one) => paths.isAbsolute(one));
  const endings = platform === 'win32' ? windowsEndings : [''];
  const places = folders.flatMap((folder) => endings.map((ending) => paths.join(folder, name + ending)));
  return places.find((path) => canRun(path)) ?? null;
}

function canRunHere(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

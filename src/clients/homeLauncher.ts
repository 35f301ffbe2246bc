import { launcherFolder } from './launcherPath.js';
import type { ClientWorld } from './world.js';

/**
 * Whether a command names a launcher in this home, quoted in whichever way. One that is in another home, or is written
 * with a variable, is of another installation as far as anybody can tell.
 */
export function namesHomeLauncher(
  command: string,
  { home, platform }: Pick<ClientWorld, 'home' | 'platform'>,
): boolean {
  const folder = `${unquoted(launcherFolder(home, platform), platform)}/`;
  const said = unquoted(command, platform);
  for (let at = said.indexOf(folder); at >= 0; at = said.indexOf(folder, at + 1)) {
    if (/^$|["\s=]/.test(said.slice(0, at).slice(-1))) return true;
  }
  return false;
}

/** Without what shells want around and before special characters; on Windows as paths are compared there. */
function unquoted(text: string, platform: NodeJS.Platform): string {
  const plain = text.replaceAll(/'\\''|['\u2018-\u201B]/g, '');
  return platform === 'win32' ? plain.replaceAll('\\', '/').replaceAll('^', '').toLowerCase() : plain;
}

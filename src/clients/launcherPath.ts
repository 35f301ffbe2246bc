import { posix, win32 } from 'node:path';

/** Also what a hook of ours is recognised by: it must never be given another name. */
export const LAUNCHER_NAME = 'subconscious-hook';

/** The folder of the launchers, below the user's home. */
export function launcherFolder(home: string, platform: NodeJS.Platform): string {
  return (platform === 'win32' ? win32 : posix).join(home, '.subconscious-mcp', 'bin');
}

import { posix, win32 } from 'node:path';

/** Also what a hook of ours is recognised by: it must never be given another name. */
export const LAUNCHER_NAME = 'subconscious-hook';

/** A script in the user's home that other programs' settings name, where no new version moves it. */
export interface Launcher {
  readonly name: string;
  /** The bundle it starts; all of an installation lie side by side. */
  readonly bundle: string;
  /** Its first comment. */
  readonly about: string;
  /** Whether Git Bash starts it on Windows, too: then a script for it stands beside the one for cmd. */
  readonly forGitBash: boolean;
  /** Whether it says what is gone, and fails; else it ends well and silently. */
  readonly saysWhatIsGone: boolean;
}

export const HOOK_LAUNCHER: Launcher = {
  name: LAUNCHER_NAME,
  bundle: 'hook.js',
  about: 'Starts the capture hooks of Subconscious. Written by install-hooks and by newer versions.',
  forGitBash: true,
  saysWhatIsGone: false,
};

/** Also what an entry of ours in a client's configuration is recognised by. */
export const SERVER_LAUNCHER: Launcher = {
  name: 'subconscious-mcp',
  bundle: 'server.js',
  about: 'Starts the server of Subconscious. Written by connect and by newer versions.',
  forGitBash: false,
  saysWhatIsGone: true,
};

export const LAUNCHERS = [HOOK_LAUNCHER, SERVER_LAUNCHER] as const;

/** The folder of the launchers, below the user's home. */
export function launcherFolder(home: string, platform: NodeJS.Platform): string {
  return pathsOf(platform).join(home, '.subconscious-mcp', 'bin');
}

/** The script that a program which is no shell can be told to start. */
export function launcherPath(
  home: string,
  platform: NodeJS.Platform,
  { name }: Launcher = SERVER_LAUNCHER,
): string {
  return pathsOf(platform).join(launcherFolder(home, platform), platform === 'win32' ? `${name}.cmd` : name);
}

/** How paths are written on a platform, whichever this process runs on. */
export function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

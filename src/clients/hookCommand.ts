import { launcherFolder, LAUNCHER_NAME } from './launcherPath.js';
import type { HookShell } from './hookShell.js';

/** Whose hooks they are, and what runs them. */
export interface HookPlace {
  readonly shell: HookShell;
  /** The user's home folder. */
  readonly home: string;
  /** Absolute path of the configuration file the hooks read; null for the one in the home folder. */
  readonly configPath: string | null;
  readonly platform?: NodeJS.Platform;
}

/**
 * The command a client's shell is given for an event: absolute, quoted paths, so that neither a new version nor any
 * character in them matters. A `%NAME%` in a path is the one thing cmd cannot be told apart from a variable.
 */
export function hookCommand(
  { shell, home, configPath, platform = process.platform }: HookPlace,
  event: string,
): string {
  const launcher = `${launcherFolder(home, platform)}${platform === 'win32' ? '\\' : '/'}${LAUNCHER_NAME}`;
  // Git Bash takes a backslash for an escape in places; Windows takes either.
  const forSh = (path: string) => quoteForSh(platform === 'win32' ? path.replaceAll('\\', '/') : path);
  const rest = (quote: (path: string) => string) =>
    `--event ${event}${configPath === null ? '' : ` --config ${quote(configPath)}`}`;
  switch (shell) {
    case 'sh':
      return `${forSh(launcher)} ${rest(forSh)}`;
    case 'powershell':
      // It takes its own quotes away, and cmd, which runs the launcher, needs some: a path may have an `&`.
      return `& ${quoteForPowerShell(`${launcher}.cmd`)} ${rest((path) => quoteForPowerShell(`"${path}"`))}`;
    case 'cmd':
      return `"${launcher}.cmd" ${rest((path) => `"${path}"`)}`;
  }
}

/** The configuration file that a command names, quoted as {@link hookCommand} does it or not at all; or null. */
export function configPathIn(command: string): string | null {
  const said = / --config (.+)$/s.exec(command)?.[1];
  if (said === undefined) return null;
  const forPowerShell = command.startsWith('& ') ? /^'"(.*)"'$/s.exec(said)?.[1] : undefined;
  if (forPowerShell !== undefined) return forPowerShell.replaceAll(/(['\u2018-\u201B])\1/g, '$1');
  const [, forSh, forCmd] = /^(?:'(.*)'|"(.*)")$/s.exec(said) ?? [];
  return forSh?.replaceAll("'\\''", "'") ?? forCmd ?? said;
}

/** POSIX shells: in single quotes nothing is special but the quote. */
export function quoteForSh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** PowerShell takes four typographic quotes for a single quote, too; two of a kind stand for one. */
function quoteForPowerShell(text: string): string {
  return `'${text.replaceAll(/['\u2018-\u201B]/g, '$&$&')}'`;
}

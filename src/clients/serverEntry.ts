import type { Client } from './clientTable.js';
import { launcherPath, SERVER_LAUNCHER } from './launcherPath.js';
import type { ClientWorld } from './world.js';

/** What our entry is called in every client. */
export const ENTRY_NAME = 'subconscious';

/** An entry of a server, of which others may have written anything. */
export type Entry = Readonly<Record<string, unknown>>;

/** What a client is told to start. */
export interface StartCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Also in a JSON text, where a backslash is two. */
const LAUNCHER = new RegExp(
  `[\\\\/]+\\.subconscious-mcp[\\\\/]+bin[\\\\/]+${SERVER_LAUNCHER.name}(?![\\w-])`,
);

/** What is special to cmd outside of quotes. */
const SPECIAL = /[&|<>()^@,;=!]/g;

/** How a client starts the launcher. */
export function startCommand({ home, platform }: Pick<ClientWorld, 'home' | 'platform'>): StartCommand {
  const path = launcherPath(home, platform);
  if (platform !== 'win32') return { command: path, args: [] };
  // Clients start programs without a shell, and a script for cmd is none. Without `call` cmd takes quotes away where
  // a path has special characters; a path without a space is given no quotes by who starts it. `/d`: what users have
  // cmd do at every start may print something.
  return /\s/.test(path)
    ? { command: 'cmd', args: ['/d', '/c', 'call', path] }
    : { command: 'cmd', args: ['/d', '/c', path.replace(SPECIAL, '^$&')] };
}

/** Whether a text names the launcher of a server: an entry's, or a whole file's. */
export function namesLauncher(text: string): boolean {
  return LAUNCHER.test(text);
}

/** Whether an entry starts a launcher of ours, in whichever home. */
export function isOurs(entry: unknown): boolean {
  return wordsOf(entry).some(namesLauncher);
}

/**
 * Our entry as it should be. What a person added to an entry of ours stays: variables, arguments behind the launcher,
 * other properties. Of an entry that starts something else only the variables stay that are for us.
 */
export function entryFor(
  { hasType }: Client,
  world: Pick<ClientWorld, 'home' | 'platform'>,
  found: unknown,
): Entry {
  const { command, args } = startCommand(world);
  const known = isObject(found) ? found : {};
  const ours = isOurs(found);
  const words = wordsOf(found);
  const added = ours ? words.slice(words.findIndex(namesLauncher) + 1) : [];
  const type = hasType ? { type: 'stdio' } : {};
  if (ours) return { ...known, ...type, command, args: [...args, ...added] };
  const env = isObject(known['env']) ? Object.entries(known['env']) : [];
  const forUs = env.filter(([name]) => name.startsWith('SUBCONSCIOUS_'));
  return { ...type, command, args, env: Object.fromEntries(forUs) };
}

/** The variables an entry sets. */
export function variablesOf(entry: unknown): Record<string, string> {
  const env = isObject(entry) && isObject(entry['env']) ? entry['env'] : {};
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));
}

/** Command and arguments; empty where an entry has none, or is none. */
export function wordsOf(entry: unknown): string[] {
  if (!isObject(entry) || typeof entry['command'] !== 'string') return [];
  const args: unknown[] = Array.isArray(entry['args']) ? entry['args'] : [];
  return [entry['command'], ...args.map(String)];
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

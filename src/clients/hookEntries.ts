import { getNodeValue, type Node } from 'jsonc-parser';
import { configPathIn, quoteForSh } from './hookCommand.js';
import { LAUNCHER_NAME } from './launcherPath.js';
import { valueOf } from './settingsText.js';

/** Events of Claude Code that are registered, and what the hook program calls them. */
export const CLIENT_EVENTS = [
  ['SessionStart', 'session-start'],
  ['Stop', 'stop'],
  ['SessionEnd', 'session-end'],
] as const;

/** A hook of ours in a settings text. */
export interface HookEntry {
  readonly event: string;
  /** What the client runs; for the form without a shell with its arguments. */
  readonly command: string;
  /** The object with the command. */
  readonly node: Node;
  /** The list it is in. */
  readonly entries: Node;
  /** The object with that list, and the list of the event that holds it. */
  readonly group: Node;
  readonly groups: Node;
}

const NAME = `${LAUNCHER_NAME}(?:\\.cmd)?`;
/** The first word of a command, quoted in one of the ways of `hookCommand` or not at all, with `--event` behind it. */
const LAUNCHER = new RegExp(
  `^(?:& )?(?:'(?:(?:[^']|'\\\\''|'')*[\\\\/])?${NAME}'|"(?:[^"]*[\\\\/])?${NAME}"|(?:[^\\s'";&|<>()]*[\\\\/])?${NAME})` +
    '\\s+--event(?:\\s|=)',
);
/** As the Python program of the same name registers itself: by itself, or through what starts Python programs. */
const PROGRAM = new RegExp(
  [
    /^(?:\w+=\S*\s+)*/,
    /(?:["']?(?:[^"';&|\r\n]*[\\/])?(?:(?:uvx?|pipx)(?:\.exe)?["']?\s(?:[^;&|\r\n]*\s)?|(?:py|python[\d.]*)(?:\.exe)?["']?\s+(?:-\S+\s+)*))?/,
    /(?:"(?:[^"]*[\\/])?|'(?:[^']*[\\/])?|(?:[^\s'";&|]*[\\/])?)subconscious[-_]mcp(?:\.exe)?["']?/,
    /(?:\s+--[\w-]+(?:[=\s](?:"[^"]*"|'[^']*'|[^\s'";&|-][^\s;&|]*))?)*/,
    /\s+hook\s+--event(?:\s|=)/,
  ]
    .map(({ source }) => source)
    .join(''),
);

/** Whether a command runs our hook: through the launcher, wherever that is, or the program itself. */
export function isOurs(command: string): boolean {
  return LAUNCHER.test(command) || PROGRAM.test(command);
}

/** Whether a command runs our hook through a launcher: not so those of the Python program. */
export function usesLauncher(command: string): boolean {
  return LAUNCHER.test(command);
}

/**
 * Our hooks in the order of the text. The shape is `{"hooks": {EVENT: [{"matcher", "hooks": [{"type", "command"}]}]}}`
 * (https://docs.claude.com/en/docs/claude-code/hooks); what has another shape is not ours.
 */
export function ourEntries(root: Node): HookEntry[] {
  const hooks = valueOf(root, 'hooks');
  if (hooks?.type !== 'object') return [];
  const events = new Set(childrenOf(hooks).map((property) => String(property.children?.[0]?.value)));
  return [...events].flatMap((event) => {
    const groups = valueOf(hooks, event);
    if (groups?.type !== 'array') return [];
    return childrenOf(groups).flatMap((group) => {
      const entries = group.type === 'object' ? valueOf(group, 'hooks') : undefined;
      if (entries?.type !== 'array') return [];
      return childrenOf(entries).flatMap((node) => {
        const command = commandOf(node);
        return isOurs(command) ? [{ event, command, node, entries, group, groups }] : [];
      });
    });
  });
}

/** The configuration file that hooks of ours name, the first through a launcher; null where they name none. */
export function configPathOf(entries: readonly HookEntry[]): string | null {
  return configPathIn(entries.map(({ command }) => command).find(usesLauncher) ?? '');
}

function commandOf(node: Node): string {
  if (node.type !== 'object') return '';
  const { command, args } = getNodeValue(node) as Record<string, unknown>; // An object, of unknown properties.
  if (typeof command !== 'string') return '';
  // Without a shell the program is one word, whatever it has in it.
  return Array.isArray(args) ? [quoteForSh(command), ...args.map(String)].join(' ') : command;
}

function childrenOf(node: Node): readonly Node[] {
  return node.children ?? [];
}

/** What a client's hooks may report. */
export const HOOK_EVENTS = ['session-start', 'stop', 'session-end', 'pre-compact', 'log-only'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export interface HookArguments {
  /** As it was written; null where none is named. */
  readonly event: string | null;
  readonly configPath: string | undefined;
}

/** Reads the words in any order, as `--name value` or `--name=value`. Others are passed over, a hook never refuses. */
export function readHookArguments(words: readonly string[]): HookArguments {
  return { event: valueOf('--event', words) ?? null, configPath: valueOf('--config', words) };
}

export function isHookEvent(word: string | null): word is HookEvent {
  return HOOK_EVENTS.some((event) => event === word);
}

function valueOf(name: string, words: readonly string[]): string | undefined {
  const at = words.findLastIndex((word) => word === name || word.startsWith(`${name}=`));
  const word = words[at];
  if (word === undefined) return undefined;
  return word === name ? words[at + 1] : word.slice(name.length + 1);
}

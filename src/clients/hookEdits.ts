import { parseTree, type Node } from 'jsonc-parser';
import { CLIENT_EVENTS, ourEntries, type HookEntry } from './hookEntries.js';
import { append, layoutOf, remove, replace } from './jsonEdits.js';
import { readRoot, refusal, valueOf } from './settingsText.js';

/** Seconds; the hook itself needs less than a tenth. */
const TIMEOUT = 10;

/**
 * The settings text with exactly one hook of ours for each event: an older one is replaced where it stands, a second
 * one removed, and a missing one added in a group of its own. The text itself where all is as it should be.
 * `commandOf` gives the command for the hook program's name of an event. Throws a {@link ClientError} where the
 * text has no place for hooks.
 */
export function addHooks(text: string, file: string, commandOf: (event: string) => string): string {
  let changed = text.trim() === '' ? `{}${layoutOf(text, undefined).eol}` : text;
  for (const [event, name] of CLIENT_EVENTS) changed = addHook(changed, file, event, commandOf(name));
  return changed;
}

/**
 * The settings text without any hook of ours. What became empty by that goes too, unless it was there in `original`,
 * the text before hooks were added; null where that is not known. All else stays as it is.
 */
export function removeHooks(text: string, file: string, original: string | null): string {
  if (text.trim() === '') return text;
  const before = parseTree(original ?? '');
  const hooksBefore = before?.type === 'object' ? valueOf(before, 'hooks') : undefined;
  const stays = (event: string | null) =>
    event === null
      ? hooksBefore !== undefined
      : hooksBefore?.type === 'object' && valueOf(hooksBefore, event) !== undefined;
  for (let changed = text; ;) {
    const root = readRoot(changed, file);
    const last = ourEntries(root).at(-1);
    if (last === undefined) return changed;
    changed = removeEntry(changed, root, last, stays);
  }
}

function addHook(text: string, file: string, event: string, command: string): string {
  const root = readRoot(text, file);
  const layout = layoutOf(text, root);
  const hook = { type: 'command', command, timeout: TIMEOUT };
  const group = { matcher: '', hooks: [hook] };

  const hooks = valueOf(root, 'hooks');
  if (hooks === undefined) return append(text, root, 'hooks', { [event]: [group] }, layout);
  if (hooks.type !== 'object') throw refusal(text, hooks.offset, file, 'has "hooks" that are no object');
  const groups = valueOf(hooks, event);
  if (groups === undefined) return append(text, hooks, event, [group], layout);
  if (groups.type !== 'array') throw refusal(text, groups.offset, file, `has a "${event}" that is no list`);

  const [first, ...others] = ourEntries(root).filter((entry) => entry.event === event);
  if (first === undefined) return append(text, groups, null, group, layout);
  const surplus = others.at(-1);
  if (surplus !== undefined) {
    return addHook(
      removeEntry(text, root, surplus, () => true),
      file,
      event,
      command,
    );
  }
  return first.command === command ? text : replace(text, first.node, hook, layout);
}

/** Removes the largest part that holds this entry and nothing else; `stays` says what must not go, null is "hooks". */
function removeEntry(
  text: string,
  root: Node,
  { event, node, entries, group, groups }: HookEntry,
  stays: (event: string | null) => boolean,
): string {
  if (entries.children?.length !== 1) return remove(text, entries, node);
  if (groups.children?.length !== 1 || stays(event)) return remove(text, groups, group);
  const property = groups.parent;
  const hooks = property?.parent;
  if (property === undefined || hooks === undefined) return remove(text, groups, group);
  if (hooks.children?.length !== 1 || stays(null) || hooks.parent === undefined) {
    return remove(text, hooks, property);
  }
  return remove(text, root, hooks.parent);
}

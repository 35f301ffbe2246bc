import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, type Node } from 'jsonc-parser';
import type { Client } from './clientTable.js';
import { append, layoutOf, remove, replace } from './jsonEdits.js';
import { ENTRY_NAME, isOurs } from './serverEntry.js';
import { readRoot, refusal, valueOf } from './settingsText.js';

type Shape = Pick<Client, 'servers'>;

/** What a configuration text has under our name; undefined where nothing. Throws a {@link ClientError} for no JSON. */
export function readEntry(text: string, file: string, { servers }: Shape): unknown {
  if (text.trim() === '') return undefined;
  const node = entryNode(readRoot(text, file), servers);
  return node === undefined ? undefined : plainValue(node);
}

/** Whether a configuration text has a place for servers, be it empty. */
export function hasServers(text: string, file: string, { servers }: Shape): boolean {
  return text.trim() !== '' && valueOf(readRoot(text, file), servers) !== undefined;
}

/**
 * The text with what `entryOf` makes of the entry under our name, which is undefined where there is none. The text
 * itself where that is what is there. Throws a {@link ClientError} where the text has no place for it.
 */
export function addEntry(
  text: string,
  file: string,
  { servers }: Shape,
  entryOf: (found: unknown) => unknown,
): string {
  const whole = text.trim() === '' ? `{}${layoutOf(text, undefined).eol}` : text;
  const root = readRoot(whole, file);
  const layout = layoutOf(whole, root);
  const container = valueOf(root, servers);
  if (container === undefined) {
    return append(whole, root, servers, { [ENTRY_NAME]: entryOf(undefined) }, layout);
  }
  if (container.type !== 'object') {
    throw refusal(whole, container.offset, file, `has "${servers}" that are no object`);
  }
  const node = valueOf(container, ENTRY_NAME);
  if (node === undefined) return append(whole, container, ENTRY_NAME, entryOf(undefined), layout);
  const found = plainValue(node);
  const entry = entryOf(found);
  return isDeepStrictEqual(entry, found) ? text : replace(whole, node, entry, layout);
}

/** The text without the entry of ours, and without the place for servers where that is empty then and may go. */
export function removeEntry(text: string, file: string, { servers }: Shape, keepsServers: boolean): string {
  for (let changed = text; ;) {
    if (changed.trim() === '') return changed;
    const root = readRoot(changed, file);
    const node = entryNode(root, servers);
    const property = node?.parent;
    const container = property?.parent;
    if (container?.parent === undefined || !isOurs(getNodeValue(node as Node))) return changed;
    changed =
      container.children?.length === 1 && !keepsServers
        ? remove(changed, root, container.parent)
        : remove(changed, container, property as Node);
  }
}

function entryNode(root: Node, servers: string): Node | undefined {
  const container = valueOf(root, servers);
  return container?.type === 'object' ? valueOf(container, ENTRY_NAME) : undefined;
}

/** The parser's objects have no prototype, and would equal none of ours. */
function plainValue(node: Node): unknown {
  return JSON.parse(JSON.stringify(getNodeValue(node)));
}

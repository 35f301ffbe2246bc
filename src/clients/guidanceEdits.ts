import { ClientError } from './clientError.js';
import { withoutFences } from './fencedCode.js';
import { BEGIN, END, guidanceBlock } from './guidanceText.js';

/** Never over another beginning: what stands between two may be anybody's. */
const BLOCK = new RegExp(`^${BEGIN}[ \\t]*\\r?\\n(?:(?!${BEGIN})[^])*?^${END}[ \\t]*$`, 'm');
const FIRST_EOL = /\r\n|\n/;

/** Where a block is, without the line break behind it, in UTF-16 units. */
interface Found {
  readonly start: number;
  readonly end: number;
}

/** Whether a text has our block. */
export function hasBlock(text: string): boolean {
  return find(text) !== null;
}

/** Whether a text has our block and something in it is not as this version writes it. */
export function hasOtherBlock(text: string): boolean {
  const found = find(text);
  if (found === null) return false;
  const block = text.slice(found.start, found.end).replace(/\r\n/g, '\n');
  return block.trimEnd() !== guidanceBlock('\n');
}

/**
 * The text with exactly our block as it is in this version: in its place, else at the end. What is outside of it stays.
 * Throws a {@link ClientError} where a block begins and does not end.
 */
export function addBlock(text: string, file: string): string {
  const eol = FIRST_EOL.exec(text)?.[0] ?? '\n';
  const block = guidanceBlock(eol);
  const found = find(text);
  refuseOpen(text, found, file);
  if (found !== null) return text.slice(0, found.start) + block + text.slice(found.end);
  if (text === '') return block;
  // A text without a line break at its end gets none: so that one can tell which it was.
  return text.endsWith('\n') ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`;
}

/** The text without our block, and without what `addBlock` put around it at the end. */
export function removeBlock(text: string, file: string): string {
  const found = find(text);
  refuseOpen(text, found, file);
  if (found === null) return text;
  const [before, after] = [text.slice(0, found.start), text.slice(found.end)];
  if (after === '') return before.replace(/(?:\r?\n){1,2}$/, '');
  const eol = /^\r?\n/.exec(after)?.[0] ?? '';
  if (after === eol) return before.endsWith(`\n${eol}`) ? before.slice(0, -eol.length) : before;
  // Others have written behind it: the line goes, and nothing else.
  return before + after.slice(eol.length);
}

function find(text: string): Found | null {
  const found = BLOCK.exec(withoutFences(text));
  return found && { start: found.index, end: found.index + found[0].length };
}

function refuseOpen(text: string, found: Found | null, file: string): void {
  const seen = withoutFences(text);
  const rest = found === null ? seen : seen.slice(0, found.start) + seen.slice(found.end);
  if (!new RegExp(`^(?:${BEGIN}|${END})`, 'm').test(rest)) return;
  throw new ClientError(
    `${file} has one of the lines ${BEGIN} and ${END} without the other, or more than once. Nothing was changed. ` +
      'Remove that line, or what is between, and run the command again.',
  );
}

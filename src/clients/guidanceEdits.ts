import { ClientError } from './clientError.js';
import { BEGIN, END, guidanceBlock } from './guidanceText.js';

/** Never over another beginning: what stands between two may be anybody's. */
const BLOCK = new RegExp(`^${BEGIN}[ \\t]*\\r?\\n(?:(?!${BEGIN})[^])*?^${END}[ \\t]*$`, 'm');
const FIRST_EOL = /\r\n|\n/;

/** Whether a text has our block. */
export function hasBlock(text: string): boolean {
  return BLOCK.test(text);
}

/**
 * The text with exactly our block as it is in this version: in its place, else at the end. What is outside of it stays.
 * Throws a {@link ClientError} where a block begins and does not end.
 */
export function addBlock(text: string, file: string): string {
  const eol = FIRST_EOL.exec(text)?.[0] ?? '\n';
  const block = guidanceBlock(eol);
  refuseOpen(text, file);
  if (hasBlock(text)) return text.replace(BLOCK, () => block);
  if (text === '') return block;
  // A text without a line break at its end gets none: so that one can tell which it was.
  return text.endsWith('\n') ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`;
}

/** The text without our block, and without what `addBlock` put around it at the end. */
export function removeBlock(text: string, file: string): string {
  refuseOpen(text, file);
  const found = BLOCK.exec(text);
  if (found === null) return text;
  const [before, after] = [text.slice(0, found.index), text.slice(found.index + found[0].length)];
  if (after === '') return before.replace(/(?:\r?\n){1,2}$/, '');
  const eol = /^\r?\n/.exec(after)?.[0] ?? '';
  if (after === eol) return before.endsWith(`\n${eol}`) ? before.slice(0, -eol.length) : before;
  // Others have written behind it: the line goes, and nothing else.
  return before + after.slice(eol.length);
}

function refuseOpen(text: string, file: string): void {
  const rest = text.replace(BLOCK, '');
  if (!new RegExp(`^(?:${BEGIN}|${END})`, 'm').test(rest)) return;
  throw new ClientError(
    `${file} has one of the lines ${BEGIN} and ${END} without the other, or more than once. Nothing was changed. ` +
      'Remove that line, or what is between, and run the command again.',
  );
}

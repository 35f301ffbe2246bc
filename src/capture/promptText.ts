import { asObject } from './smallFile.js';
import { filled } from './transcriptLine.js';

/** What clients put into a user's message in tags: commands and their output, notices, what the editor shows. */
const WRAPPERS = [
  'command-name',
  'command-message',
  'command-args',
  'local-command-stdout',
  'local-command-stderr',
  'local-command-caveat',
  'bash-input',
  'bash-stdout',
  'bash-stderr',
  'system-reminder',
  'task-notification',
  'ide_opened_file',
  'ide_selection',
];
const OPENING = new RegExp(`<(${WRAPPERS.join('|')})>`, 'g');

/** The texts in a message's content: a string, or the text blocks of a list. Blank ones are left out. */
export function textsOf(content: unknown): string[] {
  const texts = Array.isArray(content) ? content.map(blockText) : [filled(content)];
  return texts.filter((text) => text !== null).filter((text) => text.trim() !== '');
}

/** The user's own words in a message's content, blocks apart by a blank line; empty where there are none. */
export function promptText(content: unknown): string {
  return textsOf(content)
    .map((text) => withoutWrappers(text).trim())
    .filter((text) => text !== '')
    .join('\n\n');
}

/** What the client writes in the user's place when a turn was broken off. */
export function isInterruption(text: string): boolean {
  return /^\[Request interrupted by user[^\]]*\]$/.test(text);
}

function blockText(block: unknown): string | null {
  const fields = asObject(block);
  return fields?.['type'] === 'text' ? filled(fields['text']) : null;
}

/** Cuts every wrapper out, tags and content. A tag that is never closed is text. Takes linear time. */
function withoutWrappers(text: string): string {
  const unclosed = new Set<string>();
  let kept = '';
  let at = 0;
  for (const { 0: opening, 1: name = '', index } of text.matchAll(OPENING)) {
    if (index < at || unclosed.has(name)) continue;
    const closing = `</${name}>`;
    const end = text.indexOf(closing, index + opening.length);
    if (end === -1) {
      unclosed.add(name);
      continue;
    }
    kept += text.slice(at, index);
    at = end + closing.length;
  }
  return kept + text.slice(at);
}

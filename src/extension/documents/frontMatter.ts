import { isMap, isScalar, isSeq, Lexer, parseDocument, Parser } from 'yaml';
import { DocumentFault } from './documentFault.js';

const KEYS = ['task', 'tags', 'expires', 'scope'] as const;
/** In characters: the longest task and tags there can be, each character escaped, are shorter. */
const LONGEST_FRONT = 320 * 1024;
/** In signs, words and blanks between them; the most tags there can be are not half of it. */
const MOST_TOKENS = 3000;
/** In values within values. */
const DEEPEST = 20;

/** What stands behind a key: a text, or a list of them; null for what is neither. */
export type Value = string | readonly Value[] | null;

/**
 * What front matter says, by key. Every value is the text that stands there: a tag 1.10 is no number, and a task "no" is
 * no answer to a question. Throws a {@link DocumentFault}.
 */
export function valuesOf(front: string): ReadonlyMap<(typeof KEYS)[number], Value> {
  if (front.length > LONGEST_FRONT) throw new DocumentFault('front-matter-too-long');
  requireSmall(front);
  // The fence is the first line: faults name lines as the editor does. Keys are compared below, since the parser
  // compares each with each.
  const { errors, contents } = parseDocument(`\n${front}`, {
    schema: 'failsafe',
    resolveKnownTags: false,
    uniqueKeys: false,
  });
  const [fault] = errors;
  if (fault) throw new DocumentFault('no-yaml', firstLine(fault.message));
  const values = new Map<(typeof KEYS)[number], Value>();
  if (contents === null) return values;
  if (!isMap(contents)) throw new DocumentFault('no-keys');
  for (const { key, value } of contents.items) {
    const name = isScalar(key) ? String(key.value) : String(key);
    const known = KEYS.find((one) => one === name);
    if (known === undefined) throw new DocumentFault('unknown-key', firstLine(name));
    if (values.has(known)) throw new DocumentFault('key-twice', known);
    values.set(known, valueOf(value));
  }
  return values;
}

/** Keeps from the parser what it takes minutes over, and what is nested so deep that it ends the program. */
function requireSmall(front: string): void {
  const parser = new Parser();
  let tokens = 0;
  for (const token of new Lexer().lex(front)) {
    // It goes on as it is asked for what it found, which is not wanted here.
    Array.from(parser.next(token));
    tokens += 1;
    if (tokens > MOST_TOKENS || parser.stack.length > DEEPEST) {
      throw new DocumentFault('front-matter-too-full');
    }
  }
}

/** Aliases are not followed: they lead to very much, and nobody needs them here. */
function valueOf(node: unknown): Value {
  if (node === null) return '';
  if (isScalar(node)) return typeof node.value === 'string' ? node.value : '';
  return isSeq(node) ? node.items.map(valueOf) : null;
}

/** For a sentence: the first line, and not all of it where it is long. */
function firstLine(text: string): string {
  return text
    .split('\n', 1)
    .join('')
    .slice(0, 100)
    .replace(/:?\s*$/, '');
}

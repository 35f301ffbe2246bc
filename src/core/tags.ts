import { MemoryError } from './errors.js';

/** Signs nobody sees, and those that end a line: a tag is one line in every list. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/**
 * Tags as they are stored: without space around them, each once, and without the empty ones. Those in `known`, which the
 * entry has already, stay as they are: an older store may have odd ones. Throws a `MemoryError` (reason `invalid`) where
 * one has a control character; `outcome` ends its sentence.
 */
export function tagsToStore(
  tags: readonly string[],
  outcome: 'Nothing was stored' | 'Nothing was changed',
  known: readonly string[] = [],
): string[] {
  const stored = tags.map((tag, at) => {
    if (known.includes(tag)) return tag;
    const trimmed = tag.trim();
    if (!CONTROL.test(trimmed)) return trimmed;
    throw new MemoryError(
      'invalid',
      `tags: number ${at + 1} has a line break or another control character. ${outcome}; write it on one line, in plain characters.`,
    );
  });
  return [...new Set(stored)].filter((tag) => tag !== '' || known.includes(tag));
}

/** Whether an entry has one of the tags somebody asks for, as they wrote it or as it would be stored. */
export function hasOneOf(wanted: readonly string[]): (tags: readonly string[]) => boolean {
  const spelt = new Set([...wanted, ...wanted.map((tag) => tag.trim())]);
  return (tags) => tags.some((tag) => spelt.has(tag));
}

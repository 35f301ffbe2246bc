import { formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';

/** What changes in a file, as `diff -u` shows it; null stands for no file. Empty where nothing does. */
export function unifiedDiff(file: string, before: string | null, after: string | null): string {
  if (before === after) return '';
  const name = (text: string | null) => (text === null ? '/dev/null' : file);
  const patch = structuredPatch('', '', before ?? '', after ?? '', undefined, undefined, { context: 3 });
  // Its own header writes paths that are not ASCII in octal numbers.
  return `--- ${name(before)}\n+++ ${name(after)}\n${formatPatch(patch, OMIT_HEADERS)}`;
}

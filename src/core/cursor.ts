/**
 * What a cursor is made of; nothing where it is none of ours. JSON spells numbers that no list gives: 1e999 is read as
 * infinite.
 */
export function cursorParts(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(cursor);
    if (!Array.isArray(parts)) return [];
    const isOdd = parts.some((part) => typeof part === 'number' && !Number.isFinite(part));
    return isOdd ? [] : parts;
  } catch {
    return [];
  }
}

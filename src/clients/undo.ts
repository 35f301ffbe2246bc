/** What makes an earlier content of a later one: `text` in the place of `length` bytes at `at`. */
export interface Undo {
  readonly at: number;
  readonly length: number;
  readonly text: Buffer;
}

/** The one piece in which two contents differ: what else is in a file need not be kept to restore it. */
export function undoOf(after: Buffer, before: Buffer): Undo {
  const shorter = Math.min(after.length, before.length);
  let at = 0;
  while (at < shorter && after[at] === before[at]) at += 1;
  let end = 0;
  while (end < shorter - at && after.at(-1 - end) === before.at(-1 - end)) end += 1;
  return { at, length: after.length - end - at, text: before.subarray(at, before.length - end) };
}

export function undone(after: Buffer, { at, length, text }: Undo): Buffer {
  return Buffer.concat([after.subarray(0, at), text, after.subarray(at + length)]);
}

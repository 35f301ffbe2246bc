import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** Bytes of the first read, at the end of the file; every further read is twice the one before. */
const FIRST_BLOCK = 64 * 1024;
/** Bytes read in all. What lies before them is not there for us, the line they begin in included. */
const LIMIT = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * The lines of the file, the last one first, without their newline and without empty ones. It is read from its end
 * and only as far as lines are asked for. What is added meanwhile is not seen; a last line without its newline
 * counts. Throws the system's error, or an `Error` where the path names no regular file.
 */
export function* linesBackwards(path: string, firstBlock = FIRST_BLOCK): Generator<Buffer, void, undefined> {
  // Before it is opened: to open a pipe would wait for its writer.
  if (!statSync(path).isFile()) {
    throw new Error(
      `The transcript ${path} was not read: it is no regular file. Check "transcript_path" in the hook's input.`,
    );
  }
  const file = openSync(path, 'r');
  try {
    let start = fstatSync(file).size;
    const stop = Math.max(0, start - LIMIT);
    /** Before the line given out last: the end of a line that may begin in the next block. */
    let rest: Buffer = Buffer.alloc(0);
    for (let block = firstBlock; start > stop; block *= 2) {
      const length = Math.min(block, start - stop);
      start -= length;
      const bytes = Buffer.allocUnsafe(length + rest.length);
      if (!fill(file, bytes.subarray(0, length), start)) return;
      bytes.set(rest, length);
      // In the rest there is no newline, it has been looked through.
      let newline = bytes.lastIndexOf(NEWLINE, length - 1);
      let end = bytes.length;
      while (newline !== -1) {
        if (newline + 1 < end) yield bytes.subarray(newline + 1, end);
        end = newline;
        newline = end === 0 ? -1 : bytes.lastIndexOf(NEWLINE, end - 1);
      }
      rest = bytes.subarray(0, end);
    }
    if (start === 0 && rest.length > 0) yield rest;
  } finally {
    closeSync(file);
  }
}

/** False where the file has become shorter than it was. */
function fill(file: number, bytes: Buffer, position: number): boolean {
  for (let done = 0; done < bytes.length;) {
    const count = readSync(file, bytes, done, bytes.length - done, position + done);
    if (count === 0) return false;
    done += count;
  }
  return true;
}

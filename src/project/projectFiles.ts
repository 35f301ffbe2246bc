import { closeSync, lstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';

/** Far above any path a system accepts. */
const MAX_BYTES = 4096;

/** What project identity reads from the disk. Nothing here throws: unreadable is null. */
export interface ProjectFiles {
  /** Absolute path without symbolic links, in its real case; null where it cannot be resolved. */
  realpath(path: string): string | null;
  /** `other` is something that is there but not to be read, such as a link to a file or a pipe. */
  kind(path: string): 'file' | 'directory' | 'other' | null;
  /** Text of a small regular file; null where it is larger than 4 kB, binary, or no regular file. */
  text(path: string): string | null;
}

export const diskFiles: ProjectFiles = {
  realpath: (path) => attempt(() => realpathSync.native(path)),

  kind: (path) =>
    attempt(() => {
      const found = lstatSync(path);
      if (found.isFile()) return 'file';
      // statSync, because `.git` may be a link to a directory; a dangling link is nothing.
      return (found.isSymbolicLink() ? statSync(path) : found).isDirectory() ? 'directory' : 'other';
    }),

  text: (path) =>
    attempt(() => {
      if (!lstatSync(path).isFile()) return null;
      const file = openSync(path, 'r');
      try {
        const bytes = Buffer.alloc(MAX_BYTES + 1);
        const length = readSync(file, bytes, 0, bytes.length, 0);
        const content = bytes.subarray(0, length);
        return length > MAX_BYTES || content.includes(0) ? null : content.toString('utf8');
      } finally {
        closeSync(file);
      }
    }),
};

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    // Missing, forbidden or looping: for identity all of them mean "not there".
    return null;
  }
}

import { createHash } from 'node:crypto';
import { isTextOrNull, RecordBook } from './recordBook.js';
import type { ReadFile } from './settingsFile.js';

/** What has to be known to leave a settings file as it was before hooks were added to it. */
export interface InstallRecord {
  /** SHA-256 of the file with our hooks, in hex. */
  readonly written: string;
  /** The file before, or null where there was none. */
  readonly original: Buffer | null;
  /** The outermost folder that was made for the file, or null. */
  readonly madeFolder: string | null;
}

const BOOK = new RecordBook<InstallRecord>('installed-hooks.json', {
  parse: ({ written, original, madeFolder }) =>
    typeof written === 'string' && isTextOrNull(original) && isTextOrNull(madeFolder)
      ? { written, original: original === null ? null : Buffer.from(original, 'base64'), madeFolder }
      : null,
  print: ({ written, original, madeFolder }) => ({
    written,
    original: original?.toString('base64') ?? null,
    madeFolder,
  }),
});

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The record of a settings file by its real path, or null. */
export async function readRecord(home: string, file: string): Promise<InstallRecord | null> {
  return await BOOK.read(home, file);
}

export async function writeRecord(
  home: string,
  file: string,
  record: InstallRecord,
  read?: ReadFile,
): Promise<void> {
  await BOOK.write(home, file, record, read);
}

/** Forgets a settings file. `whenLast` is done where no other is known, before another can become known. */
export async function removeRecord(home: string, file: string, whenLast: () => Promise<void>): Promise<void> {
  await BOOK.remove(home, file, async (others) => {
    if (others.size === 0) await whenLast();
  });
}

/** Real paths of all settings files that are known. */
export async function recordedFiles(home: string): Promise<string[]> {
  return [...(await BOOK.readAll(home)).keys()];
}

/** The file with the records of all settings files. */
export function recordsPath(home: string): string {
  return BOOK.path(home);
}

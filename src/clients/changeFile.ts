import { access, constants, mkdir, realpath, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ClientError } from './clientError.js';
import { withLock } from './fileLock.js';
import {
  inWords,
  MAX_ATTEMPTS,
  neverStill,
  readSettings,
  refuseForeign,
  replaceUnchanged,
} from './settingsFile.js';
import { withoutLinks } from './settingsPath.js';

/** A file of another program, and how it is changed. */
export interface FileChange {
  /** The user's home folder. */
  readonly home: string;
  /** Absolute path; it may be a link, or missing. */
  readonly path: string;
  /** Permission bits of a file that is made; without them the umask decides. */
  readonly newMode?: number;
  /** Seconds since 1970. */
  readonly now: number;
  /** What a person can do who may not change the file; completes "..., or". */
  readonly otherwise: string;
}

/** A file that nobody else of us changes meanwhile. */
export interface HeldFile {
  /** The file itself, not a link to it. */
  readonly file: string;
  /** The outermost folder that was made for it, or null. */
  readonly madeFolder: string | null;
}

export interface Changed {
  readonly changed: boolean;
  /** The file before, or null where there was none or it is not kept. */
  readonly backup: string | null;
}

/**
 * Does something while no other process of ours changes the file; its folder is made where it is missing, if so
 * asked. Failures of the system become {@link ClientError}s.
 */
export async function holdFile<T>(
  { path, home, otherwise }: FileChange,
  makesFolder: boolean,
  act: (held: HeldFile) => Promise<T>,
): Promise<T> {
  try {
    const made = makesFolder
      ? await mkdir(dirname(await withoutLinks(path)), { recursive: true })
      : undefined;
    const madeFolder = made === undefined ? null : await realpath(made);
    const file = await withoutLinks(path);
    return await withLock(file, () => act({ file, madeFolder }));
  } catch (error) {
    throw inWords(error, path, home, otherwise);
  }
}

/** What a file shall be; null: no file. The very content that was seen: as it is. */
export interface Edit {
  readonly content: Buffer | null;
  /** Whether the content before is kept beside it. */
  readonly keepsBackup: boolean;
}

/** Replaces the content of a held file. `beforehand` is done before each try to write. */
export async function rewrite(
  { path, newMode, now, otherwise }: FileChange,
  file: string,
  edit: (seen: Buffer | null) => Edit,
  beforehand?: (seen: Buffer | null, content: Buffer | null) => Promise<void>,
): Promise<Changed> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const seen = await readSettings(file);
    const { content, keepsBackup } = edit(seen);
    if (content !== seen) await refuseReadOnly(file, seen);
    await beforehand?.(seen, content);
    if (content === seen) return { changed: false, backup: null };
    const replaced = await replaceUnchanged({
      file,
      seen,
      content,
      ...(newMode !== undefined && { newMode }),
      backup: keepsBackup ? path : null,
      now,
      read: readSettings,
      otherwise,
    });
    if (replaced !== 'stale') return { changed: true, backup: replaced.backup };
  }
  throw neverStill(path);
}

/** It could be replaced all the same: that is up to the folder. But somebody does not want it changed. */
export async function refuseReadOnly(file: string, seen: Buffer | null): Promise<void> {
  if (seen === null || ((await stat(file)).mode & 0o222) !== 0) return;
  throw new ClientError(
    `${file} is read-only. Nothing was changed. Make it writable if it may be changed, and run the command again.`,
  );
}

/**
 * Throws the {@link ClientError} with which changing the file would be refused, as far as that can be known beforehand.
 * Nothing is written.
 */
export async function refuseUnwritable({ path, home, otherwise }: FileChange): Promise<void> {
  try {
    const file = await withoutLinks(path);
    const seen = await readSettings(file);
    await refuseReadOnly(file, seen);
    if (seen !== null) refuseForeign(file, (await stat(file)).uid, undefined, otherwise);
    await access(await existing(dirname(file)), constants.W_OK);
  } catch (error) {
    throw inWords(error, path, home, otherwise);
  }
}

/** The innermost folder there is on the way to this one. */
async function existing(folder: string): Promise<string> {
  const isThere = await stat(folder).catch(() => null);
  return isThere !== null || dirname(folder) === folder ? folder : await existing(dirname(folder));
}

/** Removes folders that were made for a file, from the inside out to `outermost`, as far as they are empty. */
export async function removeEmptyFolders(folder: string, outermost: string | null): Promise<void> {
  if (outermost === null || folder.length < outermost.length) return;
  try {
    await rmdir(folder);
  } catch {
    return; // Others have put something there.
  }
  await removeEmptyFolders(dirname(folder), outermost);
}

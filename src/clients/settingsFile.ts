import { chown, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { patiently } from '../link/busyFiles.js';
import { codeOf, messageOf } from '../link/systemError.js';
import { ClientError } from './clientError.js';
import { removeOldDrafts } from './oldDrafts.js';
import { writeDraft } from './replaceFile.js';

/** How often a file that others change is read anew before that is given up. */
export const MAX_ATTEMPTS = 10;

/** How the file is read; replaceable, so that other programs' changes can be tried at any moment. */
export type ReadFile = (file: string) => Promise<Buffer | null>;

export interface Replacement {
  /** The file itself, not a link to it. */
  readonly file: string;
  /** What was read, or null where there was no file. */
  readonly seen: Buffer | null;
  /** What shall be there, or null for no file. */
  readonly content: Buffer | null;
  /** Permission bits of a file that was not there; without them the umask decides. */
  readonly newMode?: number;
  /** Where the present content is kept, with the time stamp to be added; null for nowhere. */
  readonly backup: string | null;
  /** Seconds since 1970. */
  readonly now: number;
  readonly read: ReadFile;
  /** Of this user; null on systems without numeric users. Default: that of the process. */
  readonly uid?: number | null;
  /** What a person can do who may not change the file. Default: {@link OTHER_FILE}. */
  readonly otherwise?: string;
}

/** Advice to who installs hooks; completes "..., or" and "else". */
const OTHER_FILE = 'name another settings file with --settings';

/** `stale`: somebody changed the file since it was read, and nothing was done. */
export type Replaced = 'stale' | { readonly backup: string | null };

/** The content of a settings file; null where there is none. Throws a {@link ClientError} for what is no plain file. */
export async function readSettings(file: string): Promise<Buffer | null> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw new ClientError(`${file} is a folder. Name the settings file in it.`);
    // A pipe would never end.
    if (!found.isFile()) throw new ClientError(`${file} is no regular file. Name a settings file.`);
    return await readFile(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Replaces the file in one step, with its mode and owner kept, where it still is the one that was seen. Readers see the old
 * content or the new one. Rejects with the system's error, and then nothing was changed.
 */
export async function replaceUnchanged(replacement: Replacement): Promise<Replaced> {
  const { file, seen, content, now, read, newMode, uid = process.geteuid?.() ?? null } = replacement;
  const owner = await stat(seen === null ? dirname(file) : file);
  if (seen !== null && content !== null) refuseForeign(file, owner.uid, uid, replacement.otherwise);
  const mode = seen === null ? newMode : owner.mode & 0o7777;
  const draft = content === null ? null : await writeDraft(file, content, mode);
  let backup: string | null = null;
  // With sudo the home folder is at times still the user's, who has to be able to change the file afterwards.
  const giveBack = async (path: string) => {
    if (uid === 0 && owner.uid !== 0) await chown(path, owner.uid, owner.gid);
  };
  try {
    if (draft !== null) await giveBack(draft);
    if (seen !== null && replacement.backup !== null) {
      backup = await writeBackup(replacement.backup, seen, mode ?? 0o600, now);
      await giveBack(backup);
    }
    const present = await read(file);
    if (!isSame(present, seen)) throw new Stale();
    if (draft === null) await patiently(() => unlink(file));
    else await patiently(() => rename(draft, file));
    await removeOldDrafts(file);
    return { backup };
  } catch (error) {
    for (const left of [draft, backup]) if (left !== null) await rm(left, { force: true });
    if (error instanceof Stale) return 'stale';
    throw error;
  }
}

/** What replaces a file belongs to whoever does it, and only root can give it away. */
export function refuseForeign(
  file: string,
  owner: number,
  uid = process.geteuid?.() ?? null,
  otherwise = OTHER_FILE,
): void {
  if (uid === null || uid === 0 || owner === uid) return;
  throw new ClientError(
    `${file} belongs to user ${owner}, and you are user ${uid}. Nothing was changed. ` +
      `If it is yours all the same, run sudo chown ${uid} on it; else ${otherwise}.`,
  );
}

/** A failure of the system in words for a person; other errors are returned as they are. */
export function inWords(error: unknown, file: string, home: string, otherwise = OTHER_FILE): unknown {
  if (codeOf(error) === '') return error;
  const own = join(home, '.subconscious-mcp');
  const failed = pathOf(error);
  if (failed === own || failed.startsWith(join(own, sep))) {
    return new ClientError(
      `${failed} cannot be used: ${messageOf(error)}. What is needed for it is kept there, so ${file} was not changed. ` +
        `Make ${own} and what is in it yours and writable (chown, chmod), and run the command again.`,
      { cause: error },
    );
  }
  return new ClientError(
    `${file} was not changed: ${messageOf(error)}. ` + `Make that place writable for you, or ${otherwise}.`,
    { cause: error },
  );
}

/** Another program wrote again and again between reading and replacing. */
export function neverStill(file: string): ClientError {
  return new ClientError(
    `${file} was not changed: another program keeps changing it. End that program and run the command again.`,
  );
}

/** What a failed call was about; empty where the system does not say. */
function pathOf(error: unknown): string {
  const path: unknown = error instanceof Error && 'path' in error ? error.path : undefined;
  return typeof path === 'string' ? path : '';
}

class Stale extends Error {}

function isSame(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

/** Never in the place of an older one: of two in one second the later gets the next number. */
export async function writeBackup(path: string, content: Buffer, mode: number, now: number): Promise<string> {
  for (let stamp = Math.floor(now); ; stamp += 1) {
    const backup = `${path}.bak.${stamp}`;
    try {
      await writeFile(backup, content, { flag: 'wx', mode });
      return backup;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

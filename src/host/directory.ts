import { randomBytes } from 'node:crypto';
import { chmod, lstat, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { makePrivateFolder } from '../capture/folders.js';
import { MemoryError } from '../core/errors.js';
import { codeOf, reasonOf } from '../storage/refusal.js';

/** Names found in a storage directory: this product's own, those of the store it succeeds, and of file browsers. */
const KNOWN_NAMES = [
  /^(memory|changes|owner)\./,
  /^host\.(json|log)|^host\.[0-9a-f]+\.sock$/,
  /^(inbox|briefs|logs)$/,
  /^(chroma\.sqlite3|context\.db|echo_log.*\.jsonl)/,
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  /^(\.DS_Store|Thumbs\.db|desktop\.ini)$/,
];

/** Of these the ones this product writes. */
const OWN_FILE = /^(memory|changes|owner)\./;
const OTHERS = 0o077;

export interface DirectoryPerson {
  /** The user this process acts for; null on systems without numeric users. */
  readonly uid: number | null;
  readonly home: string;
}

/**
 * Makes `path` a directory of ours that can be written: created with its parents for this user only, or, where it
 * is there, closed to other users. A home folder and a directory with foreign content keep their permissions.
 * Rejects with a `MemoryError` (reason `storage`) where it cannot be used.
 */
export async function prepareDirectory(path: string, person: DirectoryPerson = thisPerson()): Promise<void> {
  try {
    makePrivateFolder(resolve(path));
  } catch (error) {
    // EEXIST: something that is no directory; said better below.
    if (codeOf(error) !== 'EEXIST') throw unusable(path, error);
  }
  try {
    const found = await stat(path);
    if (!found.isDirectory()) throw refusal(path, 'it is a file, not a folder');
    if (person.uid !== null) await closeToOthers(path, found, person.uid, person.home);
    await tryWriting(path);
  } catch (error) {
    throw error instanceof MemoryError ? error : unusable(path, error);
  }
}

/** Permission bits do not tell on Windows, nor on a read-only mount. A leftover counts as an owner's draft. */
async function tryWriting(path: string): Promise<void> {
  const probe = join(path, `owner.${process.pid}.${randomBytes(6).toString('hex')}.tmp`);
  await writeFile(probe, '', { flag: 'wx', mode: 0o600 });
  await rm(probe, { force: true });
}

async function closeToOthers(
  path: string,
  found: { uid: number; mode: number },
  uid: number,
  home: string,
): Promise<void> {
  if (found.uid !== uid) {
    // In containers root works in folders of the host's user. Their permissions are not ours to change.
    if (uid === 0) return;
    throw refusal(path, `it belongs to user ${found.uid} and this process runs as user ${uid}`);
  }
  if ((found.mode & OTHERS) === 0) return;
  const real = await realpath(path);
  if (real === parse(real).root || real === (await realpath(home).catch(() => resolve(home)))) return;
  const names = await readdir(path);
  if (!names.every((name) => KNOWN_NAMES.some((known) => known.test(name)))) return;
  // Permissions are only ever taken away: what its owner made read-only stays so.
  await chmod(path, found.mode & 0o7777 & ~OTHERS);
  for (const name of names.filter((known) => OWN_FILE.test(known))) {
    const file = await lstat(join(path, name));
    const { mode } = file;
    if (file.isFile() && (mode & OTHERS) !== 0) await chmod(join(path, name), mode & 0o7777 & ~OTHERS);
  }
}

/** The error for a storage directory the system refuses, with the reason in plain words. */
export function unusable(directory: string, error: unknown): MemoryError {
  return refusal(directory, REASONS[codeOf(error)] ?? reasonOf(error), error);
}

/** What the store's own words for these do not fit, since they speak of files in the directory. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is a file',
  ELOOP: 'its path holds a circle of links',
};

function refusal(directory: string, reason: string, cause?: unknown): MemoryError {
  return new MemoryError(
    'storage',
    `The storage directory ${directory} cannot be used: ${reason}. ` +
      'Make it a folder that this user owns and can write, or choose another with SUBCONSCIOUS_STORAGE_DIR.',
    cause === undefined ? undefined : { cause },
  );
}

/** An account without a home folder, as in containers, has none to protect. */
function homeOrNone(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

function thisPerson(): DirectoryPerson {
  return { uid: process.geteuid?.() ?? null, home: homeOrNone() };
}

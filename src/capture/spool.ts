import {
  closeSync,
  fdatasyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, unlinkQuietly, patiently, uniqueHex } from './folders.js';
import { readSpool, type SpoolDocument } from './spoolDocument.js';

/*
 * The inbox is a folder that hooks and the host work on at once, without locks. Every `*.json` in it is one complete
 * document, because it was written under another name. Who wants to take or replace one claims it first by renaming
 * it, which only one can do; claimed files are documents like the others, so nobody's death loses one.
 */

const ENDING = '.json';
const CLAIMED = /\.[0-9a-f]{16}$/;
const DRAFT = /\.tmp$/;
/** Age of a draft that nobody is writing any more, in seconds. */
const STALE = 3600;

/** Where hooks leave what they saw of sessions. */
export function inboxOf(storageDir: string): string {
  return join(storageDir, 'inbox');
}

/** Where files of the inbox go that cannot be read. */
export function damagedOf(storageDir: string): string {
  return join(inboxOf(storageDir), 'damaged');
}

/** Names of the documents in the inbox, the oldest first; none where it does not exist. */
export function spoolFiles(inbox: string): string[] {
  return listed(inbox)
    .filter((name) => name.endsWith(ENDING))
    .flatMap((name) => {
      const at = modified(join(inbox, name));
      return at === null ? [] : [{ name, at }];
    })
    .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}

/**
 * Takes a document for the caller alone, by another name in the same folder. Null where it is gone: somebody else
 * was faster. Throws the system's error.
 */
export function claim(path: string): string | null {
  const claimed = nameOfItsOwn(path);
  try {
    patiently(() => renameSync(path, claimed));
    return claimed;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Another name for a document in the same folder, which nobody else takes. */
export function nameOfItsOwn(path: string): string {
  const name = basename(path, ENDING).replace(CLAIMED, '');
  return join(dirname(path), `${name}.${uniqueHex()}${ENDING}`);
}

/** What a claimed file holds. Throws the system's error where it may pass, such as too many open files. */
export function readSpoolDocument(path: string): SpoolDocument {
  return readSpool(path) ?? { damaged: 'it is gone' };
}

/**
 * Puts a document into the inbox, on a disk without hard links under a name of its own. False where there is a file
 * of that name already. Throws the system's error, and leaves nothing then.
 */
export function publish(path: string, text: string, link = linkSync): boolean {
  const draft = join(dirname(path), `${uniqueHex()}.tmp`);
  try {
    writeDurably(draft, text);
    return linkOrMove(draft, path, link);
  } finally {
    unlinkQuietly(draft);
  }
}

/** Paths of what hooks that were killed left unfinished in the inbox; `now` in epoch seconds. */
export function staleDrafts(inbox: string, now = Date.now() / 1000): string[] {
  return listed(inbox)
    .filter((name) => DRAFT.test(name))
    .map((name) => join(inbox, name))
    .filter((draft) => {
      const found = lstatSync(draft, { throwIfNoEntry: false });
      return found?.isFile() === true && found.mtimeMs / 1000 < now - STALE;
    });
}

/** Removes what {@link staleDrafts} names. */
export function removeDrafts(inbox: string, now = Date.now() / 1000): void {
  for (const draft of staleDrafts(inbox, now)) unlinkQuietly(draft);
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A link never replaces anything. A rename may, so where a disk has no links the name is one that nobody takes. */
function linkOrMove(draft: string, path: string, link: typeof linkSync): boolean {
  try {
    link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // Gone with its folder: that is no matter of links.
    if (codeOf(error) === 'ENOENT') throw error;
  }
  patiently(() => renameSync(draft, nameOfItsOwn(path)));
  return true;
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** When it was written, in milliseconds; null where it is gone. */
function modified(path: string): number | null {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

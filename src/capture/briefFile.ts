import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Brief, BriefItem } from '../core/brief.js';
import { fingerprint } from '../project/digest.js';
import { codeOf, makePrivateFolder, namesIn, replaceFile, unlinkQuietly } from './folders.js';
import { sessionName } from './sessionName.js';
import { asObject, readSmallFile } from './smallFile.js';

const VERSION = 1;
/** Bytes, far above what fits into {@link BRIEF_TOKENS}. */
const MAX_BYTES = 256 * 1024;
const BRIEF = /^[0-9a-f]{16}\.json$/;

/** Puts the brief of a project in its place; readers see the old one or this. Throws the system's error. */
export function writeBrief(storageDir: string, brief: Brief, makeFolder = true): void {
  if (makeFolder) makeOwnFolder(briefsOf(storageDir));
  replaceFile(briefPath(storageDir, brief.project), `${JSON.stringify({ version: VERSION, ...brief })}\n`);
}

/** Not with its parents: a storage directory that was deleted is not made again. */
function makeOwnFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

export function removeBrief(storageDir: string, project: string): void {
  rmSync(briefPath(storageDir, project), { force: true });
}

/** The brief of this project; null where there is none, or none that can be used. */
export function readBrief(storageDir: string, project: string): Brief | null {
  const brief = briefIn(briefPath(storageDir, project));
  return brief?.project === project ? brief : null;
}

/** Keys of the projects that have a brief. */
export function briefProjects(storageDir: string): string[] {
  const folder = briefsOf(storageDir);
  return namesIn(folder)
    .filter((name) => BRIEF.test(name))
    .flatMap((name) => briefIn(join(folder, name))?.project ?? []);
}

/** Whether this session was shown exactly this last. */
export function wasShown(storageDir: string, sessionId: string, shown: string): boolean {
  try {
    return readSmallFile(shownPath(storageDir, sessionId), MAX_BYTES)?.trim() === fingerprint(shown);
  } catch {
    return false;
  }
}

/** Remembers what this session was shown, as a digest. Throws the system's error. */
export function noteShown(storageDir: string, sessionId: string, shown: string): void {
  makePrivateFolder(shownOf(storageDir));
  replaceFile(shownPath(storageDir, sessionId), `${fingerprint(shown)}\n`);
}

/** Removes what a host that was killed left unfinished. For the one process that writes briefs. */
export function removeBriefDrafts(storageDir: string): void {
  const folder = briefsOf(storageDir);
  for (const name of namesIn(folder).filter((entry) => entry.endsWith('.tmp')))
    unlinkQuietly(join(folder, name));
}

/** Forgets what was shown before `olderThan`, epoch seconds. */
export function forgetShown(storageDir: string, olderThan: number): void {
  for (const name of namesIn(shownOf(storageDir))) {
    const path = join(shownOf(storageDir), name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && found.mtimeMs / 1000 < olderThan) unlinkQuietly(path);
  }
}

/** Where the host leaves briefs for hooks, and hooks what they showed. */
export function briefsOf(storageDir: string): string {
  return join(storageDir, 'briefs');
}

function shownOf(storageDir: string): string {
  return join(briefsOf(storageDir), 'shown');
}

function shownPath(storageDir: string, sessionId: string): string {
  return join(shownOf(storageDir), sessionName(sessionId));
}

function briefPath(storageDir: string, project: string): string {
  return join(briefsOf(storageDir), `${fingerprint(project)}.json`);
}

function briefIn(path: string): Brief | null {
  let content;
  try {
    content = asObject(JSON.parse(readSmallFile(path, MAX_BYTES) ?? 'null'));
  } catch {
    return null; // The host writes it anew.
  }
  if (content?.['version'] !== VERSION) return null;
  const { project, memories, episodes, items } = content;
  if (typeof project !== 'string' || !isCount(memories) || !isCount(episodes)) return null;
  const read = Array.isArray(items) ? items.map(itemOf) : [null];
  return read.every((item) => item !== null) ? { project, memories, episodes, items: read } : null;
}

function itemOf(value: unknown): BriefItem | null {
  const fields = asObject(value);
  if (fields === null) return null;
  const { kind, text, storedAt, expiresAt } = fields;
  if ((kind !== 'memory' && kind !== 'episode') || typeof text !== 'string') return null;
  if (!isTime(storedAt) || (expiresAt !== null && !isTime(expiresAt))) return null;
  return { kind, text, storedAt, expiresAt };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

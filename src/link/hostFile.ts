import { randomBytes, timingSafeEqual } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { patiently } from './busyFiles.js';
import { thisSystem, type LinkSystem } from './linkSystem.js';

/** What a host tells those who want to talk to it. Newer versions may add to it. */
export interface HostRecord {
  /** Version of the talk between front and host. */
  readonly protocol: number;
  readonly pid: number;
  /** Shown by whoever may connect. */
  readonly token: string;
  readonly address: string;
  /** Of the program. */
  readonly version: string;
  /** Of the store. */
  readonly schema: number;
  /** Seconds since 1970. */
  readonly startedAt: number;
}

const NAME = 'host.json';
const DRAFT_NAME = /^host\.json\.[0-9a-f]+\.tmp$/;
/** Bytes; a record has some 300. */
const MAX_RECORD = 64 * 1024;
/** Write permission of group and others. */
const WRITTEN_BY_OTHERS = 0o022;

/**
 * Publishes the record in the storage directory; readers see all of it or nothing. For the owner of the directory
 * only: drafts of earlier ones are removed. Rejects with the system's error.
 */
export async function writeHostFile(
  storageDir: string,
  record: HostRecord,
  move: (from: string, to: string) => Promise<void> = rename,
): Promise<void> {
  await removeDrafts(storageDir);
  const draft = join(storageDir, `${NAME}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(draft, `${JSON.stringify(record)}\n`, { flag: 'wx', mode: 0o600 });
    await patiently(() => move(draft, join(storageDir, NAME)));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The record in the storage directory; null where there is none that its owner alone can have written. */
export async function readHostFile(
  storageDir: string,
  system: LinkSystem = thisSystem,
): Promise<HostRecord | null> {
  const path = join(storageDir, NAME);
  try {
    const found = await lstat(path);
    if (!found.isFile() || found.size > MAX_RECORD) return null;
    if (system.platform !== 'win32') {
      if (found.uid !== system.uid || (found.mode & WRITTEN_BY_OTHERS) !== 0) return null;
    }
    return parseRecord(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    // Absent, unreadable or not JSON: there is nobody to talk to.
    return null;
  }
}

/** Removes the record that holds `token`, another host's stays. To be called while the directory is still owned. */
export async function removeHostFile(storageDir: string, token: string): Promise<void> {
  const record = await readHostFile(storageDir);
  if (record === null || !sameToken(record.token, token)) return;
  // One that stays names an address where nobody listens.
  await patiently(() => unlink(join(storageDir, NAME))).catch(() => undefined);
}

export function newToken(): string {
  return randomBytes(32).toString('hex');
}

/** Takes the same time whatever two tokens of one length have in common. */
export function sameToken(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

async function removeDrafts(storageDir: string): Promise<void> {
  for (const name of await readdir(storageDir)) {
    if (DRAFT_NAME.test(name)) await rm(join(storageDir, name), { force: true }).catch(() => undefined);
  }
}

function parseRecord(content: unknown): HostRecord | null {
  if (typeof content !== 'object' || content === null) return null;
  const { protocol, pid, token, address, version, schema, startedAt } = content as Record<string, unknown>; // Unknown each.
  if (!isCount(protocol) || !isCount(schema) || typeof startedAt !== 'number') return null;
  // Zero and negative numbers stand for groups of processes.
  if (!isCount(pid) || pid === 0) return null;
  if (!isFilled(token) || !isFilled(address) || !isFilled(version)) return null;
  return { protocol, pid, token, address, version, schema, startedAt };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

import { randomBytes } from 'node:crypto';
import { link, lstat, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { patiently } from '../link/busyFiles.js';
import { codeOf } from '../storage/refusal.js';
import type { ProcessIdentity } from './processIdentity.js';

/** A host shares what it owns with every client; a standalone server does not. */
export type OwnerRole = 'host' | 'standalone';

/** Content of an owner file. */
export interface OwnerRecord {
  /** Tells two claims apart, also those of one process. */
  readonly claim: string;
  /** Who owns, or null once that owner has left. */
  readonly owner: ProcessIdentity | null;
  readonly role: OwnerRole;
}

/** How files come to be; replaceable, so that other file systems and moments can be tried. */
export interface OwnerDisk {
  /** Creates `path` with this text, on the disk when it resolves; rejects where `path` exists. */
  create(path: string, text: string): Promise<void>;
  link(existing: string, path: string): Promise<void>;
}

/** Name of a record that is not published yet. Nobody relies on it: it may vanish at any time. */
export const DRAFT_NAME = /^owner\.\d+\.[0-9a-f]+\.tmp$/;

/** Bytes; a record has some 300. */
const MAX_RECORD = 64 * 1024;
/** What `link` answers on FAT, exFAT and some network mounts, which have no hard links. */
const NO_LINKS = ['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EISDIR'];

/**
 * Publishes `record` at `path`; false where something was there before. Readers see all of it or nothing.
 *
 * Without hard links the file is created in place. That is as exclusive, but readers can meet it half-written,
 * and one that a crash left so has to be deleted by hand.
 */
export async function publish(path: string, record: OwnerRecord, disk: OwnerDisk): Promise<boolean> {
  const draft = await writeDraft(path, record, disk);
  try {
    await disk.link(draft, path);
    return true;
  } catch (error) {
    const code = codeOf(error);
    // ENOENT: the owner tidied the draft away, so there is an owner.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    if (!NO_LINKS.includes(code)) throw error;
    return await createInPlace(path, record, disk);
  } finally {
    await discard(draft);
  }
}

/** Replaces the record at `path` in one step. */
export async function replace(path: string, record: OwnerRecord, disk: OwnerDisk): Promise<void> {
  const draft = await writeDraft(path, record, disk);
  try {
    await patiently(() => rename(draft, path));
  } catch (error) {
    await discard(draft);
    throw error;
  }
}

/** The record at `path`; `gone` where there is none, `garbled` where it is no whole record or cannot be read. */
export async function readRecord(path: string): Promise<OwnerRecord | 'gone' | 'garbled'> {
  try {
    const found = await lstat(path);
    // To open a pipe or a device is to wait for it, or to read for ever.
    if (!found.isFile() || found.size > MAX_RECORD) return 'garbled';
    return parseRecord(JSON.parse(await readFile(path, 'utf8'))) ?? 'garbled';
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'gone' : 'garbled';
  }
}

/** Deletes a file; false where that failed. */
export async function discard(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}

export const ownerDisk: OwnerDisk = {
  create: async (path, text) => {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(text);
      // Without this a power cut can leave a published name with nothing behind it.
      await file.sync();
    } finally {
      await file.close();
    }
  },
  link,
};

async function writeDraft(path: string, record: OwnerRecord, disk: OwnerDisk): Promise<string> {
  const draft = join(dirname(path), `owner.${process.pid}.${randomBytes(6).toString('hex')}.tmp`);
  await create(draft, record, disk);
  return draft;
}

async function createInPlace(path: string, record: OwnerRecord, disk: OwnerDisk): Promise<boolean> {
  try {
    await create(path, record, disk);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function create(path: string, record: OwnerRecord, disk: OwnerDisk): Promise<void> {
  try {
    await disk.create(path, `${JSON.stringify(record)}\n`);
  } catch (error) {
    // A full disk leaves an empty file behind; one that was there before is not ours.
    if (codeOf(error) !== 'EEXIST') await discard(path);
    throw error;
  }
}

function parseRecord(content: unknown): OwnerRecord | null {
  if (!isObject(content) || typeof content['claim'] !== 'string') return null;
  const { claim, owner } = content;
  // Records without a role were written before there were hosts.
  const role = content['role'] === 'host' ? 'host' : 'standalone';
  if (owner === null) return { claim, owner, role };
  if (!isObject(owner)) return null;
  const { pid, startTime, bootId, machineId, host, pidNamespace } = owner;
  // Zero and negative numbers stand for groups of processes.
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return null;
  if (typeof machineId !== 'string' || typeof host !== 'string') return null;
  if (!isTextOrNull(startTime) || !isTextOrNull(bootId) || !isTextOrNull(pidNamespace)) return null;
  return { claim, owner: { pid, startTime, bootId, machineId, host, pidNamespace }, role };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

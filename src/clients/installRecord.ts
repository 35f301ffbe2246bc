import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../link/privateFolder.js';
import { withLock } from './fileLock.js';
import { MAX_ATTEMPTS, neverStill, readSettings, replaceUnchanged, type ReadFile } from './settingsFile.js';

/** What has to be known to leave a settings file as it was before hooks were added to it. */
export interface InstallRecord {
  /** SHA-256 of the file with our hooks, in hex. */
  readonly written: string;
  /** The file before, or null where there was none. */
  readonly original: Buffer | null;
  /** The outermost folder that was made for the file, or null. */
  readonly madeFolder: string | null;
}

type Records = Map<string, InstallRecord>;

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The record of a settings file by its real path, or null. */
export async function readRecord(home: string, file: string): Promise<InstallRecord | null> {
  return parseRecords(await readSettings(recordsPath(home))).get(file) ?? null;
}

/** `read` is replaceable for the same reason as that of the settings. */
export async function writeRecord(
  home: string,
  file: string,
  record: InstallRecord,
  read: ReadFile = readSettings,
): Promise<void> {
  await withRecords(home, (path) => changeRecords(path, (records) => records.set(file, record), read));
}

/** Forgets a settings file. `whenLast` is done where no other is known, before another can become known. */
export async function removeRecord(home: string, file: string, whenLast: () => Promise<void>): Promise<void> {
  await withRecords(home, async (path) => {
    const records = await changeRecords(path, (known) => known.delete(file), readSettings);
    if (records.size === 0) await whenLast();
  });
}

/** The file with the records of all settings files. */
export function recordsPath(home: string): string {
  return join(home, '.subconscious-mcp', 'installed-hooks.json');
}

async function withRecords(home: string, act: (path: string) => Promise<unknown>): Promise<void> {
  const path = recordsPath(home);
  await mkdir(home, { recursive: true });
  await makeFolder(dirname(path));
  await withLock(path, () => act(path));
}

/** Resolves to the records as they are then. Who lost the lock by being slow must not write over newer ones. */
async function changeRecords(
  path: string,
  change: (records: Records) => void,
  read: ReadFile,
): Promise<Records> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const seen = await read(path);
    const records = parseRecords(seen);
    change(records);
    const content = records.size === 0 ? null : Buffer.from(textOf(records));
    if (seen === null && content === null) return records;
    const replacement = { file: path, seen, content, newMode: 0o600, backup: null, now: 0, read };
    if ((await replaceUnchanged(replacement)) !== 'stale') return records;
  }
  throw neverStill(path);
}

function textOf(records: Records): string {
  const settings = Object.fromEntries(
    [...records].map(([file, { written, original, madeFolder }]) => [
      file,
      { written, original: original?.toString('base64') ?? null, madeFolder },
    ]),
  );
  return `${JSON.stringify({ settings }, null, 2)}\n`;
}

/** What cannot be understood counts as not there: hooks are removed without it as well, only not to the byte. */
function parseRecords(bytes: Buffer | null): Records {
  let content: unknown;
  try {
    content = JSON.parse(bytes?.toString() ?? '{}');
  } catch {
    return new Map();
  }
  const settings = isObject(content) ? content['settings'] : undefined;
  const entries = isObject(settings) ? Object.entries(settings) : [];
  return new Map(
    entries.flatMap(([file, value]) => {
      const record = parseRecord(value);
      return record === null ? [] : [[file, record] as const];
    }),
  );
}

function parseRecord(value: unknown): InstallRecord | null {
  if (!isObject(value)) return null;
  const { written, original, madeFolder } = value;
  if (typeof written !== 'string' || !isTextOrNull(original) || !isTextOrNull(madeFolder)) return null;
  return { written, original: original === null ? null : Buffer.from(original, 'base64'), madeFolder };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

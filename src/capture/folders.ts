import { existsSync, mkdirSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What Windows answers while a virus scanner or a reader has the file open. */
const BUSY = ['EPERM', 'EACCES', 'EBUSY'];
const ATTEMPTS = 4;
const PAUSE_MS = 10;

/** Makes a folder, and those above it, for this user only; one that is there is left as it is. */
export function makePrivateFolder(path: string): void {
  // Step by step: Node's own recursive mkdir never ends in folders that refuse new ones with ENOENT, as /proc does.
  if (existsSync(path) || makeOne(path)) return;
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makePrivateFolder(parent);
  if (!makeOne(path)) mkdirSync(path, { mode: 0o700 });
}

/** False where its parent is missing. */
function makeOne(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    // EEXIST: another process was faster, or it is a file, which the next step meets.
    if (codeOf(error) === 'EEXIST') return true;
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** What lies in a folder; nothing where it is absent or forbidden. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Puts a file for this user only in its place at once: readers see the old content or the new. */
export function replaceFile(path: string, content: string): void {
  const draft = `${path}.${uniqueHex()}.tmp`;
  try {
    writeFileSync(draft, content, { flag: 'wx', mode: 0o600 });
    patiently(() => renameSync(draft, path));
  } catch (error) {
    unlinkQuietly(draft);
    throw error;
  }
}

/** For what does no harm where it stays. */
export function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already, or held by somebody.
  }
}

/** Does again what a file that is open elsewhere is in the way of, on Windows. Elsewhere such errors stay. */
export function patiently<T>(act: () => T, platform: NodeJS.Platform = process.platform): T {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return act();
    } catch (error) {
      if (platform !== 'win32' || attempt === ATTEMPTS || !BUSY.includes(codeOf(error))) throw error;
      pause(PAUSE_MS);
    }
  }
}

/** Stops this thread, milliseconds. */
export function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** 16 hex digits for a name nobody else takes. No secret: it is chosen without `node:crypto`, which loads slowly. */
export function uniqueHex(): string {
  const half = () =>
    Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return half() + half();
}

/** The system's code of a failed call, e.g. `ENOENT`; empty where it has none. */
export function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

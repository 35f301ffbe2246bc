import * as nodeFs from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './refusal.js';

export const SNAPSHOT = 'memory.db';
export const LOG = 'changes.log';
export const PREVIOUS_SNAPSHOT = 'memory.previous.db';
export const PREVIOUS_LOG = 'changes.previous.log';
export type StoreFile = typeof SNAPSHOT | typeof LOG | typeof PREVIOUS_SNAPSHOT | typeof PREVIOUS_LOG;
export const STORE_FILES: readonly StoreFile[] = [SNAPSHOT, LOG, PREVIOUS_SNAPSHOT, PREVIOUS_LOG];

/** The calls of `node:fs` the store makes; tests put faults in between. */
export type FileCalls = Pick<
  typeof nodeFs,
  | 'openSync'
  | 'closeSync'
  | 'writeSync'
  | 'fsyncSync'
  | 'fdatasyncSync'
  | 'statSync'
  | 'ftruncateSync'
  | 'renameSync'
  | 'linkSync'
  | 'copyFileSync'
  | 'unlinkSync'
  | 'readFileSync'
  | 'readdirSync'
>;

/** Tells a file from another one under the same name, and from an edited one. Where a system knows no `ino` it is 0. */
export interface FileIdentity {
  readonly dev: number;
  readonly ino: number;
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

/** By file; null for one that is not there. */
export type Sighting = ReadonlyMap<StoreFile, FileIdentity | null>;

const OWNER_ONLY = 0o600;
const TEMPORARY = '.tmp';

/** The storage directory. A file appears under its name only when all of it is on disk. */
export class StoreDirectory {
  constructor(
    readonly path: string,
    readonly fs: FileCalls = nodeFs,
    private readonly platform: NodeJS.Platform = process.platform,
    private readonly pause: (milliseconds: number) => void = blockFor,
  ) {}

  pathOf(name: string): string {
    return join(this.path, name);
  }

  /** Content of a file, or null where there is none. */
  read(name: StoreFile): Buffer | null {
    try {
      return this.fs.readFileSync(this.pathOf(name));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  }

  list(): string[] {
    try {
      return this.fs.readdirSync(this.path);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  /** What is under this name now, or null where nothing is. */
  identify(name: string): FileIdentity | null {
    const stats = this.fs.statSync(this.pathOf(name), { throwIfNoEntry: false });
    return stats ? { dev: stats.dev, ino: stats.ino, size: stats.size, mtimeMs: stats.mtimeMs } : null;
  }

  look(): Sighting {
    return new Map(STORE_FILES.map((name) => [name, this.identify(name)]));
  }

  /** Writes and syncs `name` under its temporary name; {@link publish} gives it the real one. */
  prepare(name: StoreFile, bytes: Uint8Array): void {
    // Never reuse what a crash left: it may be a second link to a file in use.
    this.remove(name + TEMPORARY);
    const fd = this.fs.openSync(this.pathOf(name + TEMPORARY), 'wx', OWNER_ONLY);
    try {
      writeFully(this.fs, fd, bytes, 0);
      this.fs.fsyncSync(fd);
    } finally {
      this.fs.closeSync(fd);
    }
  }

  /** Gives the present content of `from` a second name, the temporary one of `to`. */
  prepareKept(from: StoreFile, to: StoreFile): void {
    this.remove(to + TEMPORARY);
    this.duplicate(from, to + TEMPORARY);
  }

  publish(name: StoreFile): void {
    this.retrying(() => this.fs.renameSync(this.pathOf(name + TEMPORARY), this.pathOf(name)));
    // Renaming one link of a file onto another link of the same file does nothing, by POSIX.
    this.remove(name + TEMPORARY);
  }

  /**
   * Keeps a damaged file under a name of its own and returns that name. The file itself stays in place; one that
   * was set aside before, and not replaced since, gets no second name. `now` is epoch seconds.
   */
  setAside(name: StoreFile, now: number): string {
    const wanted = `${name}.damaged-${new Date(now * 1000).toISOString().replaceAll(':', '')}`;
    const taken = this.list();
    const file = this.identify(name);
    const before = taken.find(
      (other) => other.startsWith(`${name}.damaged-`) && isSame(this.identify(other), file),
    );
    if (before !== undefined) return before;
    let aside = wanted;
    for (let n = 2; taken.includes(aside); n += 1) aside = `${wanted}-${n}`;
    this.duplicate(name, aside);
    return aside;
  }

  /** Removes damaged files set aside that hold one of these ids: what is purged must not live on there. */
  removeAside(ids: readonly string[]): void {
    for (const name of this.list()) {
      if (!STORE_FILES.some((file) => name.startsWith(`${file}.damaged-`))) continue;
      const bytes = this.fs.readFileSync(this.pathOf(name));
      if (ids.some((id) => bytes.includes(id))) this.remove(name);
    }
  }

  removeTemporary(): void {
    const left = new Set(this.list());
    for (const name of STORE_FILES) if (left.has(name + TEMPORARY)) this.remove(name + TEMPORARY);
  }

  remove(name: string): void {
    try {
      this.retrying(() => this.fs.unlinkSync(this.pathOf(name)));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }

  /** Makes renames and new names durable. Windows has no such call for directories and needs none. */
  sync(): void {
    if (this.platform === 'win32') return;
    const fd = this.fs.openSync(this.path, 'r');
    try {
      this.fs.fsyncSync(fd);
    } finally {
      this.fs.closeSync(fd);
    }
  }

  private duplicate(from: StoreFile, to: string): void {
    try {
      this.fs.linkSync(this.pathOf(from), this.pathOf(to));
    } catch {
      // Not every file system has links. Where the copy fails too, its error tells why.
      this.fs.copyFileSync(this.pathOf(from), this.pathOf(to));
      const fd = this.fs.openSync(this.pathOf(to), 'r+');
      try {
        this.fs.fsyncSync(fd);
      } finally {
        this.fs.closeSync(fd);
      }
    }
  }

  /** On Windows a virus scanner or indexer may hold a file for a moment. */
  private retrying(action: () => void): void {
    for (let attempt = 0; ; attempt += 1) {
      try {
        action();
        return;
      } catch (error) {
        const code = codeOf(error);
        const passing =
          this.platform === 'win32' && (code === 'EPERM' || code === 'EBUSY' || code === 'EACCES');
        if (!passing || attempt === RETRIES) throw error;
        this.pause(10 * 2 ** attempt);
      }
    }
  }
}

/** Waits of 10, 20, ... 640 ms. */
const RETRIES = 7;

/** Whether two sightings of files are of the same file with the same content, as far as a look can tell. */
export function isSame(a: FileIdentity | null, b: FileIdentity | null): boolean {
  if (a === null || b === null) return a === b;
  return isSameFile(a, b) && a.size === b.size && a.mtimeMs === b.mtimeMs;
}

/** Whether they are of one file, whatever was written to it in between. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** Writes every byte at `position`, or throws: a short write is continued, one without progress is an error. */
export function writeFully(fs: FileCalls, fd: number, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) {
    const written = fs.writeSync(fd, bytes, done, bytes.length - done, position + done);
    if (written === 0) throw Object.assign(new Error('the disk took no more bytes'), { code: 'ENOSPC' });
    done += written;
  }
}

function blockFor(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

import { copyFile, lstat, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolder } from '../../link/privateFolder.js';
import { codeOf } from '../../link/systemError.js';

/** Bytes. What is changed in its content is never larger; of other files the mode alone is changed. */
const LARGEST = 1024 * 1024;
/** Of the store nothing but the mode is ever changed. */
const STORE = /^(memory|changes|owner)\./;

interface Kept {
  readonly path: string;
  /** Octal; null where there was nothing. */
  readonly mode: string | null;
  /** Name of the copy, for small files. */
  readonly copy: string | null;
}

/**
 * What is about to be changed, in a folder `~/.subconscious-mcp/doctor-backup-<epoch seconds>` that is made when
 * there is anything to keep: copies of small files, and `modes.json` with all paths and their modes.
 */
export class Backup {
  private readonly kept: Kept[] = [];
  private made: string | null = null;

  /** @param now seconds since 1970 */
  constructor(
    private readonly home: string,
    private readonly now: () => number,
  ) {}

  /** null as long as nothing was kept. */
  get folder(): string | null {
    return this.made;
  }

  /** Keeps what is at these paths. Rejects where that cannot be done. */
  async keep(paths: readonly string[]): Promise<void> {
    const folder = (this.made ??= await newFolder(this.home, this.now()));
    for (const path of paths) {
      if (!this.kept.some((one) => one.path === path)) this.kept.push(await this.keepOne(path, folder));
    }
    await writeFile(join(folder, 'modes.json'), `${JSON.stringify(this.kept, null, 2)}\n`, { mode: 0o600 });
  }

  private async keepOne(path: string, folder: string): Promise<Kept> {
    const found = await lstat(path).catch(() => null);
    if (found === null) return { path, mode: null, copy: null };
    const mode = (found.mode & 0o7777).toString(8).padStart(4, '0');
    if (!found.isFile() || found.size > LARGEST || STORE.test(basename(path)))
      return { path, mode, copy: null };
    const copy = `${this.kept.length + 1}-${basename(path)}`;
    await copyFile(path, join(folder, copy));
    return { path, mode, copy };
  }
}

/** Never one that is there: of two in one second the later gets the next number. */
async function newFolder(home: string, now: number): Promise<string> {
  if (home === '') throw new Error('there is no home folder');
  const own = join(home, '.subconscious-mcp');
  await makeFolder(own);
  for (let stamp = Math.floor(now); ; stamp += 1) {
    const folder = join(own, `doctor-backup-${stamp}`);
    try {
      await mkdir(folder, { mode: 0o700 });
      return folder;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

import * as nodeFs from 'node:fs';
import { join } from 'node:path';
import type { FileCalls } from '../../src/storage/files.js';
import { faulty } from './faults.js';

/**
 * A disk that remembers only what was synced: a file's content at its last fsync, a directory's names at its last
 * fsync. Everything is gone that a power cut could take.
 */
export class ForgetfulDisk {
  private readonly paths = new Map<number, string>();
  private readonly content = new Map<number, Buffer>();
  private names = new Map<string, number>();

  constructor(private readonly directory: string) {}

  /** Calls to use in the place of `inner`; inner faults come first. */
  over(inner: FileCalls): FileCalls {
    return faulty((call, args) => {
      const through = inner[call] as (...given: unknown[]) => unknown;
      const result = through(...args);
      if (call === 'openSync') this.opened(result as number, args[0] as string, args[1] === 'wx');
      if (call === 'fsyncSync' || call === 'fdatasyncSync') this.synced(args[0] as number);
      return result;
    });
  }

  /** Writes what is left after the power cut into an empty directory. */
  restoreTo(target: string): void {
    for (const [name, file] of this.names) {
      nodeFs.writeFileSync(join(target, name), this.content.get(file) ?? '');
    }
  }

  private opened(fd: number, path: string, created: boolean): void {
    this.paths.set(fd, path);
    if (created) this.content.delete(nodeFs.fstatSync(fd).ino);
  }

  private synced(fd: number): void {
    const stats = nodeFs.fstatSync(fd);
    if (!stats.isDirectory()) {
      this.content.set(stats.ino, nodeFs.readFileSync(this.paths.get(fd) ?? ''));
      return;
    }
    const names = nodeFs.readdirSync(this.directory);
    this.names = new Map(names.map((name) => [name, nodeFs.statSync(join(this.directory, name)).ino]));
  }
}

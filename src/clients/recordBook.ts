import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../link/privateFolder.js';
import { withLock } from './fileLock.js';
import { MAX_ATTEMPTS, neverStill, readSettings, replaceUnchanged, type ReadFile } from './settingsFile.js';

/** How a record is written down. What cannot be understood is null, and counts as not there. */
export interface RecordFormat<T> {
  readonly parse: (value: Readonly<Record<string, unknown>>) => T | null;
  readonly print: (record: T) => object;
}

/** What is known of other programs' files, by their real paths, in a file below the user's home. */
export class RecordBook<T> {
  constructor(
    private readonly name: string,
    private readonly format: RecordFormat<T>,
  ) {}

  path(home: string): string {
    return join(home, '.subconscious-mcp', this.name);
  }

  async readAll(home: string): Promise<Map<string, T>> {
    return this.parse(await readSettings(this.path(home)));
  }

  async read(home: string, file: string): Promise<T | null> {
    return (await this.readAll(home)).get(file) ?? null;
  }

  /** `read` is replaceable for the same reason as that of the settings. */
  async write(home: string, file: string, record: T, read: ReadFile = readSettings): Promise<void> {
    await this.withRecords(home, (path) => this.change(path, (records) => records.set(file, record), read));
  }

  /** Forgets a file. `then` is told which others are known, and done before another can become known. */
  async remove(
    home: string,
    file: string,
    then: (others: ReadonlyMap<string, T>) => Promise<void>,
  ): Promise<void> {
    await this.withRecords(home, async (path) => {
      await then(await this.change(path, (records) => records.delete(file), readSettings));
    });
  }

  private async withRecords(home: string, act: (path: string) => Promise<unknown>): Promise<void> {
    const path = this.path(home);
    await mkdir(home, { recursive: true });
    await makeFolder(dirname(path));
    await withLock(path, () => act(path));
  }

  /** Resolves to the records as they are then. Who lost the lock by being slow must not write over newer ones. */
  private async change(
    path: string,
    change: (records: Map<string, T>) => void,
    read: ReadFile,
  ): Promise<Map<string, T>> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const seen = await read(path);
      const records = this.parse(seen);
      change(records);
      const content = records.size === 0 ? null : Buffer.from(this.print(records));
      if (seen === null && content === null) return records;
      const replacement = { file: path, seen, content, newMode: 0o600, backup: null, now: 0, read };
      if ((await replaceUnchanged(replacement)) !== 'stale') return records;
    }
    throw neverStill(path);
  }

  private print(records: ReadonlyMap<string, T>): string {
    const settings = Object.fromEntries(
      [...records].map(([file, record]) => [file, this.format.print(record)]),
    );
    return `${JSON.stringify({ settings }, null, 2)}\n`;
  }

  private parse(bytes: Buffer | null): Map<string, T> {
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
        const record = isObject(value) ? this.format.parse(value) : null;
        return record === null ? [] : [[file, record] as const];
      }),
    );
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

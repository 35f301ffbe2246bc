import type { HealthNote } from '../core/ports.js';
import { MemoryError } from '../core/errors.js';
import type { SqlDatabase } from './database.js';
import { SNAPSHOT } from './files.js';
import type { StoreDirectory } from './files.js';
import { LogFile } from './logFile.js';
import { EMPTY } from './logPayload.js';
import type { Change, SqlValue } from './logPayload.js';
import { missingNotes, unrepairedNote, snapshotFailedNote } from './notes.js';
import { schemaOf } from './recovery.js';
import { reasonOf, refusal } from './refusal.js';
import { rebuildLog } from './repair.js';
import { restore } from './restore.js';
import type { Restored } from './restore.js';
import { writeSnapshot } from './snapshot.js';

const MEGABYTE = 1024 * 1024;
/** From this many times the due size on, a write takes the snapshot itself. */
const HARD_CAP = 4;

/** Whether the log is long enough for a snapshot: over 8 MB and over half the snapshot's size. Sizes in bytes. */
export function snapshotDue(sizes: { readonly storeBytes: number; readonly logBytes: number }): boolean {
  return sizes.logBytes > Math.max(8 * MEGABYTE, sizes.storeBytes / 2);
}

/** A database in memory whose every change is in the change log before it is visible. */
export class DurableDatabase {
  private log: LogFile;
  private sequence: number;
  private snapshotSequence: number;
  private snapshotBytes: number;
  private written = false;
  private closed = false;
  /** Deleted text may still be in files or pages until the next snapshot. */
  private purging: boolean;
  private readonly found: HealthNote[] = [];
  private failedSnapshot: HealthNote | null = null;

  private constructor(
    private readonly directory: StoreDirectory,
    private readonly database: SqlDatabase,
    private readonly schema: number,
    { plan, log, snapshotBytes }: Restored,
  ) {
    const base = { kind: 'base', sequence: 0, sha256: EMPTY, schema } as const;
    this.log = LogFile.over(directory, base, log);
    this.snapshotSequence = plan.start.sequence;
    this.sequence = plan.steps.at(-1)?.record.sequence ?? plan.start.sequence;
    this.snapshotBytes = snapshotBytes;
    this.purging = log?.records.some((record) => record.kind === 'change' && record.purge) ?? false;
  }

  /** Opens the store in `directory`, repairing and migrating it. `now` is epoch seconds. */
  static async open(
    directory: StoreDirectory,
    now: () => number,
    migrations: readonly string[],
  ): Promise<DurableDatabase> {
    const restored = await restore(directory, migrations);
    const durable = new DurableDatabase(directory, restored.database, migrations.length, restored);
    durable.mend(restored, now());
    return durable;
  }

  get sizes(): { storeBytes: number; logBytes: number } {
    return { storeBytes: this.snapshotBytes, logBytes: this.log.length };
  }

  notes(): HealthNote[] {
    const { refusal: refused } = this.log;
    return [
      ...this.found,
      ...(this.failedSnapshot ? [this.failedSnapshot] : []),
      ...(refused ? [{ code: 'writes_refused', message: refused.message }] : []),
    ];
  }

  rows(sql: string, params: readonly SqlValue[] = []): SqlValue[][] {
    this.requireOpen();
    return this.database.rows(sql, params);
  }

  row(sql: string, params: readonly SqlValue[] = []): SqlValue[] | null {
    return this.rows(sql, params)[0] ?? null;
  }

  /**
   * Does the statements in one step, or none of them. On return they are in the log, and on disk with `sync`.
   * Throws a `MemoryError` (reason `storage`).
   */
  write(changes: readonly Change[], options: { sync: boolean; purge?: boolean } = { sync: true }): void {
    this.requireOpen();
    if (this.log.refusal !== null) throw this.log.refusal;
    const { sync, purge = false } = options;
    const sequence = this.sequence + 1;
    this.database.begin();
    try {
      for (const change of changes) this.database.run(change);
      this.log.append({ kind: 'change', sequence, changes, purge }, sync);
    } catch (error) {
      this.database.rollback();
      throw refusal('The write', error, this.directory.path);
    }
    this.commit();
    this.sequence = sequence;
    this.written = true;
    if (purge) this.purging = true;
    const { storeBytes, logBytes } = this.sizes;
    if (snapshotDue({ storeBytes, logBytes: logBytes / HARD_CAP })) this.trySnapshot();
  }

  /** Brings everything into one file. Does nothing where the log holds nothing new. Throws a `MemoryError`. */
  snapshot(): void {
    this.requireOpen();
    if (this.sequence === this.snapshotSequence && !this.purging) return;
    this.takeSnapshot(this.purging ? 'renew' : 'rotate');
  }

  /** Takes a last snapshot where this process wrote something. Everything is closed even where that fails. */
  close(): void {
    if (this.closed) return;
    try {
      if (this.written && this.log.refusal === null) this.snapshot();
    } finally {
      this.closed = true;
      this.log.close();
      this.database.close();
    }
  }

  /** A failure here must not keep anyone from reading; writing on top of it must wait until it is mended. */
  private mend({ plan, log }: Restored, now: number): void {
    const broken = plan.damaged.length > 0 || plan.missing.length > 0;
    try {
      this.found.push(...missingNotes(plan.missing));
      if (broken) {
        this.log = rebuildLog(this.directory, plan, this.schema, now);
        this.takeSnapshot('renew');
      } else if (this.purging) {
        this.takeSnapshot('renew');
      } else if (log !== null && schemaOf(log) < this.schema) {
        this.takeSnapshot('rotate');
      }
    } catch (error) {
      const failure = refusal('The write', error, this.directory.path);
      // Unfinished clean-up is tried again with the next snapshot; all else needs the files in order first.
      if (broken || !this.purging) this.log.refuseFromNow(failure);
      this.found.push(...plan.damaged.map((name) => unrepairedNote(name, reasonOf(error))));
    }
  }

  private trySnapshot(): void {
    try {
      this.snapshot();
    } catch {
      // The write itself is on disk; the note tells about the snapshot.
    }
  }

  private takeSnapshot(mode: 'rotate' | 'renew'): void {
    try {
      if (mode === 'renew') this.database.compact();
      const content = { image: this.database.image(), sequence: this.sequence, schema: this.schema };
      this.log = writeSnapshot(this.directory, this.log, content, mode);
      this.snapshotSequence = this.sequence;
      this.snapshotBytes = content.image.length;
      this.purging = false;
      this.failedSnapshot = null;
    } catch (error) {
      this.failedSnapshot = snapshotFailedNote(reasonOf(error));
      this.freeSpace();
      throw snapshotRefused(error, this.directory.pathOf(SNAPSHOT));
    }
  }

  private freeSpace(): void {
    try {
      this.directory.removeTemporary();
    } catch {
      // The next snapshot tries again; what made this one fail is what has to be told.
    }
  }

  private commit(): void {
    try {
      this.database.commit();
    } catch (error) {
      // The log has the change and the database has not: only a new start brings them together.
      const failure = refusal('The write', error, this.directory.path);
      this.log.refuseFromNow(failure);
      throw failure;
    }
  }

  private requireOpen(): void {
    if (this.closed) throw new MemoryError('storage', 'The store is closed. Open it again to read or write.');
  }
}

function snapshotRefused(error: unknown, path: string): MemoryError {
  if (error instanceof MemoryError) return error;
  return new MemoryError(
    'storage',
    `The store could not be brought into one file: ${reasonOf(error)} (${path}). Nothing is lost: the change log has ` +
      'everything. It is tried again with the next snapshot.',
    { cause: error },
  );
}

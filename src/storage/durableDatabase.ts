import type { HealthNote } from '../core/ports.js';
import { MemoryError } from '../core/errors.js';
import type { SqlDatabase } from './database.js';
import { LOG, SNAPSHOT } from './files.js';
import type { StoreDirectory } from './files.js';
import { LogFile } from './logFile.js';
import { EMPTY } from './logPayload.js';
import type { Change, SqlValue } from './logPayload.js';
import { missingNotes, snapshotFailedNote, unkeptNotes, unrepairedNote } from './notes.js';
import { schemaOf } from './recovery.js';
import { interference, notTakenOver, reasonOf, refusal } from './refusal.js';
import { rebuildLog } from './repair.js';
import { isUnchanged, restore } from './restore.js';
import type { Restored } from './restore.js';
import { SnapshotFile, writeSnapshot } from './snapshot.js';
import type { SnapshotMode } from './snapshot.js';
import { isQuickSnapshot, isWorthSnapshot, logStep } from './snapshotRules.js';

/** A database in memory whose every change is in the change log before it is visible. */
export class DurableDatabase {
  private log: LogFile;
  private sequence: number;
  private snapshotSequence: number;
  private snapshotBytes: number;
  private readonly snapshotFile: SnapshotFile;
  /** Bytes of log from which on a write takes the snapshot itself. */
  private logLimit: number;
  private written = false;
  private closed = false;
  /** Ids of rows that were purged and whose text may still be in files or pages until the next snapshot. */
  private purged: readonly string[];
  private readonly found: HealthNote[] = [];
  private failedSnapshot: HealthNote | null = null;

  private constructor(
    private readonly directory: StoreDirectory,
    private readonly database: SqlDatabase,
    private readonly schema: number,
    private readonly now: () => number,
    { plan, log, snapshotBytes, seen }: Restored,
  ) {
    const base = { kind: 'base', sequence: 0, sha256: EMPTY, schema } as const;
    this.log = LogFile.over(directory, base, log, seen.get(LOG) ?? null);
    this.snapshotSequence = plan.start.sequence;
    this.sequence = plan.steps.at(-1)?.record.sequence ?? plan.start.sequence;
    this.snapshotBytes = snapshotBytes;
    this.snapshotFile = new SnapshotFile(directory, seen.get(SNAPSHOT) ?? null);
    this.logLimit = logStep(snapshotBytes);
    this.purged = log?.records.flatMap((record) => (record.kind === 'change' ? record.purged : [])) ?? [];
  }

  /** Opens the store in `directory`, repairing and migrating it. `now` is epoch seconds. */
  static async open(
    directory: StoreDirectory,
    now: () => number,
    migrations: readonly string[],
  ): Promise<DurableDatabase> {
    const restored = await restore(directory, migrations);
    const durable = new DurableDatabase(directory, restored.database, migrations.length, now, restored);
    durable.mend(restored);
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
  write(
    changes: readonly Change[],
    options: { sync: boolean; purged?: readonly string[] } = { sync: true },
  ): void {
    this.requireOpen();
    if (this.log.refusal !== null) throw this.log.refusal;
    const { sync, purged = [] } = options;
    const sequence = this.sequence + 1;
    this.database.begin();
    try {
      for (const change of changes) this.database.run(change);
      this.log.append({ kind: 'change', sequence, changes, purged }, sync);
    } catch (error) {
      this.database.rollback();
      throw refusal('The write', error, this.directory.path);
    }
    this.commit();
    this.sequence = sequence;
    this.written = true;
    this.purged = [...this.purged, ...purged];
    if (this.log.length > this.logLimit) this.trySnapshot();
  }

  /**
   * Brings everything into one file where there is enough in the log, or purged text left. Throws a `MemoryError`.
   */
  snapshot(): void {
    this.requireOpen();
    const worth = this.sequence > this.snapshotSequence && isWorthSnapshot(this.sizes);
    if (worth || this.purged.length > 0) this.takeSnapshot();
  }

  /**
   * Takes a last snapshot where this process wrote something, or at least gets all of it on disk. Everything is
   * closed even where that fails.
   */
  close(): void {
    if (this.closed) return;
    try {
      if (this.written && this.log.refusal === null && !this.log.isGone()) {
        this.log.sync();
        if (isQuickSnapshot(this.sizes) || this.purged.length > 0) this.snapshot();
      }
    } finally {
      this.closed = true;
      this.database.close();
      this.log.close();
    }
  }

  /** A failure here must not keep anyone from reading; writing on top of it must wait until it is mended. */
  private mend({ plan, log, seen }: Restored): void {
    const broken = plan.damaged.length > 0 || plan.missing.length > 0;
    // Statements of this schema must not follow those of an older one in the same log.
    const outdated = log !== null && schemaOf(log) < this.schema;
    try {
      this.found.push(...missingNotes(plan.missing));
      if (broken) {
        if (!isUnchanged(this.directory, seen)) throw interference(this.directory.path, 'was changed');
        this.log = rebuildLog(this.directory, plan, this.schema, this.now());
      }
      if (broken) this.takeSnapshot('renew');
      else if (outdated || this.purged.length > 0) this.takeSnapshot();
      this.found.push(...unkeptNotes(plan.damaged, this.directory.list()));
    } catch (error) {
      this.freeSpace();
      const failure = refusal('The write', error, this.directory.path);
      // What is left of a purge is tried again with the next snapshot; all else needs the files in order first.
      if (broken || outdated) this.log.refuseFromNow(failure);
      this.found.push(...plan.damaged.map((name) => unrepairedNote(name, reasonOf(error))));
    }
  }

  private trySnapshot(): void {
    try {
      this.takeSnapshot();
    } catch {
      // The write itself is on disk; the note tells about the snapshot.
    }
  }

  private takeSnapshot(mode: SnapshotMode = this.purged.length > 0 ? 'renew' : 'rotate'): void {
    try {
      // Before the costly part: a log that is refused, or no longer ours, stays so.
      this.log.open();
      if (mode === 'renew') this.database.compact();
      const content = { image: this.database.image(), sequence: this.sequence, schema: this.schema };
      const task = { mode, purged: this.purged, now: this.now() };
      this.log = writeSnapshot(this.directory, this.log, this.snapshotFile, content, task);
      this.snapshotSequence = this.sequence;
      this.snapshotBytes = content.image.length;
      this.logLimit = logStep(this.snapshotBytes);
      this.purged = [];
      this.failedSnapshot = null;
    } catch (error) {
      this.logLimit = this.log.length + logStep(this.snapshotBytes);
      if (this.log.refusal === null) this.failedSnapshot = snapshotFailedNote(reasonOf(error));
      this.freeSpace();
      throw snapshotRefused(error, this.directory.pathOf(SNAPSHOT));
    }
  }

  private freeSpace(): void {
    try {
      if (this.log.change() === null) this.directory.removeTemporary();
    } catch {
      // The next snapshot tries again; what made this one fail is what has to be told.
    }
  }

  private commit(): void {
    try {
      this.database.commit();
    } catch (error) {
      // The log has the change and the database has not: only a new start brings them together.
      const failure = notTakenOver(error, this.directory.pathOf(LOG));
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

import type { MemoryError } from '../core/errors.js';
import { encodeRecord } from './changeLog.js';
import type { LogScan } from './changeLog.js';
import { isSame, isSameFile, LOG, STORE_FILES, writeFully } from './files.js';
import type { FileIdentity, StoreDirectory, StoreFile } from './files.js';
import type { BaseRecord, LogRecord } from './logPayload.js';
import { interference, refusal } from './refusal.js';

/**
 * The change log while the store is open. The file is created, and a torn tail cut off, by the first append
 * and not before. After a failure that leaves the file in doubt every further append is refused, and so it is
 * when the file under its path is no longer the one that was left there: somebody put another store in its place.
 */
export class LogFile {
  private fd: number | null = null;
  private refused: MemoryError | null = null;
  private unsynced = false;

  private constructor(
    private readonly directory: StoreDirectory,
    private readonly base: BaseRecord,
    private size: number,
    private sizeOnDisk: number,
    /** The file when it was last seen without being open here; null where there is none yet. */
    private file: FileIdentity | null,
  ) {}

  /** A log that is on disk as scanned in `file`, or none yet where `scan` is null; then it starts with `base`. */
  static over(
    directory: StoreDirectory,
    base: BaseRecord,
    scan: Pick<LogScan, 'length' | 'fileLength'> | null,
    file: FileIdentity | null,
  ): LogFile {
    return new LogFile(directory, base, scan?.length ?? 0, scan?.fileLength ?? 0, file);
  }

  /** A log of `length` bytes that was put in its place a moment ago. */
  static published(directory: StoreDirectory, base: BaseRecord, length: number): LogFile {
    return new LogFile(directory, base, length, length, directory.identify(LOG));
  }

  /** Bytes of whole records on disk. */
  get length(): number {
    return this.size;
  }

  /** Why nothing can be appended until the store is opened again, or null. */
  get refusal(): MemoryError | null {
    return this.refused;
  }

  refuseFromNow(reason: MemoryError): void {
    this.refused ??= reason;
  }

  /**
   * Appends one record. With `sync` it is on disk on return.
   * Throws a `MemoryError` (reason `storage`) and leaves the log as it was.
   */
  append(record: LogRecord, sync: boolean): void {
    const bytes = encodeRecord(record);
    const fd = this.open();
    const { fs } = this.directory;
    try {
      writeFully(fs, fd, bytes, this.size);
    } catch (error) {
      this.cutBack(fd);
      throw this.refusedBecause(error);
    }
    this.unsynced = true;
    if (sync) this.flush(fd);
    this.size += bytes.length;
    this.sizeOnDisk = this.size;
  }

  /** Puts on disk what was appended without `sync`. Throws a `MemoryError` (reason `storage`). */
  sync(): void {
    if (this.fd !== null && this.unsynced) this.flush(this.fd);
  }

  /** Makes sure that the log is ours and can be written; creates it where there is none. */
  open(): number {
    if (this.refused !== null) throw this.refused;
    try {
      const found = this.change();
      if (found !== null) throw this.interfered(found);
      this.fd ??= this.openFile();
      return this.fd;
    } catch (error) {
      throw this.refusedBecause(error);
    }
  }

  /** Whether somebody deleted the file, or moved it away, and put nothing in its place. */
  isGone(): boolean {
    return this.file !== null && this.directory.identify(LOG) === null;
  }

  /** What somebody else did to the file, in words, or null where it is as it was left. */
  change(): string | null {
    const now = this.directory.identify(LOG);
    if (this.file === null) return now && 'was created by another program';
    if (now === null) return 'was deleted';
    if (!isSameFile(now, this.file)) return 'was replaced';
    // A file that is open keeps its number to itself; any other might be a new one with the same number.
    const same = now.size === this.sizeOnDisk && (this.fd !== null || isSame(now, this.file));
    return same ? null : 'was changed by another program';
  }

  /** A later append opens the file again. */
  close(): void {
    if (this.fd === null) return;
    const unchanged = this.change() === null;
    const fd = this.fd;
    this.fd = null;
    this.directory.fs.closeSync(fd);
    if (unchanged) this.file = this.directory.identify(LOG);
  }

  private flush(fd: number): void {
    try {
      this.directory.fs.fdatasyncSync(fd);
      this.unsynced = false;
    } catch (error) {
      // The kernel may have dropped the pages it could not write: what the file holds now is unknown.
      this.cutBack(fd);
      const failure = this.refusedBecause(error);
      this.refuseFromNow(failure);
      throw failure;
    }
  }

  private openFile(): number {
    if (this.file === null) this.create();
    const { fs } = this.directory;
    const fd = fs.openSync(this.directory.pathOf(LOG), 'r+');
    try {
      if (this.sizeOnDisk !== this.size) fs.ftruncateSync(fd, this.size);
      this.sizeOnDisk = this.size;
      return fd;
    } catch (error) {
      fs.closeSync(fd);
      throw error;
    }
  }

  private create(): void {
    const other = STORE_FILES.find((name) => this.directory.identify(name) !== null);
    if (other !== undefined) throw this.interfered('was created by another program', other);
    const bytes = encodeRecord(this.base);
    this.directory.prepare(LOG, bytes);
    this.directory.publish(LOG);
    this.directory.sync();
    this.size = bytes.length;
    this.sizeOnDisk = bytes.length;
    this.file = this.directory.identify(LOG);
  }

  private cutBack(fd: number): void {
    try {
      this.directory.fs.ftruncateSync(fd, this.size);
    } catch (error) {
      // A half record in front of later ones would read as damage.
      this.refuseFromNow(this.refusedBecause(error));
    }
  }

  private interfered(what: string, file: StoreFile = LOG): MemoryError {
    const failure = interference(this.directory.pathOf(file), what);
    this.refuseFromNow(failure);
    return failure;
  }

  private refusedBecause(error: unknown): MemoryError {
    return refusal('The write', error, this.directory.pathOf(LOG));
  }
}

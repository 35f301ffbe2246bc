import { MemoryError } from '../core/errors.js';
import { encodeRecord } from './changeLog.js';
import type { LogScan } from './changeLog.js';
import { LOG, writeFully } from './files.js';
import type { StoreDirectory } from './files.js';
import type { BaseRecord, LogRecord } from './logPayload.js';
import { refusal } from './refusal.js';

/**
 * The change log while the store is open. The file is created, and a torn tail cut off, by the first append
 * and not before. After a failure that leaves the file in doubt every further append is refused.
 */
export class LogFile {
  private fd: number | null = null;
  private refused: MemoryError | null = null;
  private size: number;
  private sizeOnDisk: number;

  private constructor(
    private readonly directory: StoreDirectory,
    private readonly base: BaseRecord,
    extent: { length: number; fileLength: number },
  ) {
    this.size = extent.length;
    this.sizeOnDisk = extent.fileLength;
  }

  /** A log that is on disk as scanned, or none yet where `scan` is null; then it starts with `base`. */
  static over(
    directory: StoreDirectory,
    base: BaseRecord,
    scan: Pick<LogScan, 'length' | 'fileLength'> | null,
  ): LogFile {
    return new LogFile(directory, base, scan ?? { length: 0, fileLength: 0 });
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
    if (sync) this.flush(fd);
    this.size += bytes.length;
    this.sizeOnDisk = this.size;
  }

  /** Makes sure that the log is ours and can be written; creates it where there is none. */
  open(): number {
    if (this.refused !== null) throw this.refused;
    try {
      this.fd ??= this.openFile();
      // Appending to a file that was deleted would lose the write with the last handle.
      if (this.directory.fs.fstatSync(this.fd).nlink === 0) throw this.interference('was deleted');
      return this.fd;
    } catch (error) {
      throw this.refusedBecause(error);
    }
  }

  close(): void {
    if (this.fd === null) return;
    const fd = this.fd;
    this.fd = null;
    this.directory.fs.closeSync(fd);
  }

  private flush(fd: number): void {
    try {
      this.directory.fs.fdatasyncSync(fd);
    } catch (error) {
      // The kernel may have dropped the pages it could not write: what the file holds now is unknown.
      this.cutBack(fd);
      const failure = this.refusedBecause(error);
      this.refuseFromNow(failure);
      throw failure;
    }
  }

  private openFile(): number {
    if (this.size === 0) this.create();
    const { fs } = this.directory;
    const fd = fs.openSync(this.directory.pathOf(LOG), 'r+');
    try {
      if (fs.fstatSync(fd).size !== this.sizeOnDisk)
        throw this.interference('was changed by another program');
      if (this.sizeOnDisk !== this.size) fs.ftruncateSync(fd, this.size);
      this.sizeOnDisk = this.size;
      return fd;
    } catch (error) {
      fs.closeSync(fd);
      throw error;
    }
  }

  private create(): void {
    if (this.directory.list().includes(LOG)) throw this.interference('was created by another program');
    const bytes = encodeRecord(this.base);
    this.directory.prepare(LOG, bytes);
    this.directory.publish(LOG);
    this.directory.sync();
    this.size = bytes.length;
    this.sizeOnDisk = bytes.length;
  }

  private cutBack(fd: number): void {
    try {
      this.directory.fs.ftruncateSync(fd, this.size);
    } catch (error) {
      // A half record in front of later ones would read as damage.
      this.refuseFromNow(this.refusedBecause(error));
    }
  }

  private interference(what: string): MemoryError {
    const failure = new MemoryError(
      'storage',
      `The write was refused: ${this.directory.pathOf(LOG)} ${what} while it was in use. ` +
        'Restart to continue with what is on disk now.',
    );
    this.refuseFromNow(failure);
    return failure;
  }

  private refusedBecause(error: unknown): MemoryError {
    return refusal('The write', error, this.directory.pathOf(LOG));
  }
}

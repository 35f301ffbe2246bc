import { sha256 } from './checksum.js';
import { isSame, LOG, PREVIOUS_LOG, PREVIOUS_SNAPSHOT, SNAPSHOT } from './files.js';
import type { FileIdentity, StoreDirectory } from './files.js';
import { encodeRecord } from './changeLog.js';
import { LogFile } from './logFile.js';
import { refusal } from './refusal.js';

/** `rotate` keeps the files before as the previous pair; `renew` leaves nothing of them. */
export type SnapshotMode = 'rotate' | 'renew';

export interface SnapshotContent {
  readonly image: Uint8Array;
  /** Newest change in the image. */
  readonly sequence: number;
  readonly schema: number;
}

/** The snapshot on disk, watched for programs that edit or replace it. */
export class SnapshotFile {
  constructor(
    private readonly directory: StoreDirectory,
    /** As this process read or wrote it last; null where there is none. */
    private known: FileIdentity | null,
  ) {}

  isForeign(): boolean {
    return !isSame(this.directory.identify(SNAPSHOT), this.known);
  }

  exists(): boolean {
    return this.directory.identify(SNAPSHOT) !== null;
  }

  publish(): void {
    this.directory.publish(SNAPSHOT);
    this.known = this.directory.identify(SNAPSHOT);
  }
}

export interface SnapshotTask {
  readonly mode: SnapshotMode;
  /** Ids of rows whose text must not live on in any file; only with `renew`. */
  readonly purged: readonly string[];
  /** Epoch seconds. */
  readonly now: number;
}

/**
 * Puts a database image on disk and starts a new log after it; returns that log. A crash between any two steps
 * leaves files that restore the same state: the log names the image before the image appears, and the log before
 * it stays until the new one is complete. A snapshot that another program edited is set aside and is no spare.
 * Throws where a step fails; then `log` goes on being the log.
 */
export function writeSnapshot(
  directory: StoreDirectory,
  log: LogFile,
  file: SnapshotFile,
  { image, sequence, schema }: SnapshotContent,
  task: SnapshotTask,
): LogFile {
  const base = { kind: 'base', sequence, sha256: sha256(image), schema } as const;
  const start = encodeRecord(base);
  log.open();
  directory.removeTemporary();
  directory.prepare(SNAPSHOT, image);
  log.append({ kind: 'mark', sequence, sha256: base.sha256 }, true);
  const foreign = file.isForeign();
  if (foreign && file.exists()) directory.setAside(SNAPSHOT, task.now);
  const mode = foreign ? 'renew' : task.mode;
  const keeping = mode === 'rotate' && file.exists();
  if (keeping) directory.prepareKept(SNAPSHOT, PREVIOUS_SNAPSHOT);
  file.publish();
  directory.sync();

  // Windows does not replace a file that is open.
  log.close();
  if (mode === 'rotate') {
    // Only now: until here the snapshot before the last one was the spare, never a link to the one in use.
    if (keeping) directory.publish(PREVIOUS_SNAPSHOT);
    directory.sync();
    directory.prepareKept(LOG, PREVIOUS_LOG);
  } else {
    // A second copy, not a link: it has to survive an edit of memory.db.
    directory.prepare(PREVIOUS_SNAPSHOT, image);
    directory.publish(PREVIOUS_SNAPSHOT);
    directory.prepare(PREVIOUS_LOG, start);
  }
  directory.publish(PREVIOUS_LOG);
  // While the log still tells the next process to do it.
  if (task.purged.length > 0) directory.removeAside(task.purged);
  directory.sync();
  directory.prepare(LOG, start);
  directory.publish(LOG);
  const next = LogFile.published(directory, base, start.length);
  try {
    directory.sync();
  } catch (error) {
    // After a power cut the old log might be back, without what the new one holds by then.
    next.refuseFromNow(refusal('The write', error, directory.path));
  }
  return next;
}

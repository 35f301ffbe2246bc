import { sha256 } from './checksum.js';
import { LOG, PREVIOUS_LOG, PREVIOUS_SNAPSHOT, SNAPSHOT } from './files.js';
import type { StoreDirectory } from './files.js';
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

/**
 * Puts a database image on disk and starts a new log after it; returns that log. A crash between any two steps
 * leaves files that restore the same state: the log names the image before the image appears, and the log before
 * it stays until the new one is complete. Throws where a step fails; then `log` goes on being the log.
 */
export function writeSnapshot(
  directory: StoreDirectory,
  log: LogFile,
  { image, sequence, schema }: SnapshotContent,
  mode: SnapshotMode,
): LogFile {
  const base = { kind: 'base', sequence, sha256: sha256(image), schema } as const;
  const start = encodeRecord(base);
  log.open();
  directory.removeTemporary();
  directory.prepare(SNAPSHOT, image);
  log.append({ kind: 'mark', sequence, sha256: base.sha256 }, true);
  const keeping = mode === 'rotate' && directory.list().includes(SNAPSHOT);
  if (keeping) directory.prepareKept(SNAPSHOT, PREVIOUS_SNAPSHOT);
  directory.publish(SNAPSHOT);
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
  directory.sync();
  directory.prepare(LOG, start);
  directory.publish(LOG);
  const next = LogFile.over(directory, base, { length: start.length, fileLength: start.length });
  try {
    directory.sync();
  } catch (error) {
    // After a power cut the old log might be back, without what the new one holds by then.
    next.refuseFromNow(refusal('The write', error, directory.path));
  }
  return next;
}

import { MemoryError } from '../core/errors.js';
import { scanLog } from './changeLog.js';
import type { LogScan } from './changeLog.js';
import { sha256 } from './checksum.js';
import { SqlDatabase } from './database.js';
import { LOG, PREVIOUS_LOG, PREVIOUS_SNAPSHOT, SNAPSHOT } from './files.js';
import type { Sighting, StoreDirectory } from './files.js';
import { isSame } from './files.js';
import { isWhole, planRecovery, schemaOf } from './recovery.js';
import type { Found, Plan } from './recovery.js';
import { reasonOf } from './refusal.js';
import { migrate } from './schema.js';

/** The last good state, in memory. Nothing on disk has been touched. */
export interface Restored {
  readonly database: SqlDatabase;
  readonly plan: Plan;
  readonly log: LogScan | null;
  readonly snapshotBytes: number;
  /** The files as they were just before they were read. */
  readonly seen: Sighting;
}

/** Changes replayed before other work gets a turn. */
const SLICE = 200;

/**
 * Reads the directory and rebuilds the last good state. Throws a `MemoryError` (reason `storage`) where files
 * cannot be read, were written by a newer program, or hold no good state; they stay as they are.
 */
export async function restore(directory: StoreDirectory, migrations: readonly string[]): Promise<Restored> {
  const first = read(directory, migrations.length);
  // To a process that only reads, files that their owner replaces in the middle of it look damaged.
  const { seen, found, plan, snapshot, previousSnapshot } = first.believable
    ? first
    : read(directory, migrations.length);
  if (plan === null) throw nothingGood(directory);
  const images = { [SNAPSHOT]: snapshot, [PREVIOUS_SNAPSHOT]: previousSnapshot };
  const database = await SqlDatabase.open(plan.start.file === null ? null : images[plan.start.file]);
  try {
    if (database.schema() > migrations.length)
      throw newerSchema(directory, database.schema(), migrations.length);
    await replay(database, plan, migrations);
  } catch (error) {
    database.close();
    throw error instanceof MemoryError ? error : unreadable(directory, error);
  }
  return { database, plan, log: found.log, snapshotBytes: snapshot?.length ?? 0, seen };
}

function read(directory: StoreDirectory, known: number) {
  try {
    const seen = directory.look();
    const snapshot = directory.read(SNAPSHOT);
    const log = scan(directory.read(LOG));
    const current = { snapshot: snapshot && sha256(snapshot), log };
    const whole = isWhole(current);
    const previousSnapshot = whole ? null : directory.read(PREVIOUS_SNAPSHOT);
    const previousLog = whole ? null : scan(directory.read(PREVIOUS_LOG));
    const found: Found = {
      ...current,
      previousSnapshot: previousSnapshot && sha256(previousSnapshot),
      previousLog,
    };
    const newest = Math.max(schemaOf(log), schemaOf(previousLog), snapshot ? writtenSchema(snapshot) : 0);
    if (newest > known) throw newerSchema(directory, newest, known);
    const plan = planRecovery(found);
    const believable = addsUp(plan) || isUnchanged(directory, seen);
    return { seen, found, plan, believable, snapshot, previousSnapshot };
  } catch (error) {
    throw error instanceof MemoryError ? error : unreadable(directory, error);
  }
}

function addsUp(plan: Plan | null): boolean {
  return plan !== null && plan.damaged.length === 0 && plan.missing.length === 0;
}

/** Whether every file is as it was seen. */
export function isUnchanged(directory: StoreDirectory, seen: Sighting): boolean {
  return [...directory.look()].every(([name, file]) => isSame(file, seen.get(name) ?? null));
}

function scan(bytes: Buffer | null): LogScan | null {
  return bytes && scanLog(bytes);
}

async function replay(database: SqlDatabase, plan: Plan, migrations: readonly string[]): Promise<void> {
  for (const [index, { schema, record }] of plan.steps.entries()) {
    migrate(database, schema, migrations);
    database.begin();
    for (const change of record.changes) database.run(change);
    database.commit();
    if (index % SLICE === SLICE - 1) await new Promise(setImmediate);
  }
  migrate(database, migrations.length, migrations);
}

/** Where SQLite keeps `user_version`, big-endian: https://www.sqlite.org/fileformat2.html#the_database_header */
const USER_VERSION_AT = 60;
const SQLITE_MAGIC = Buffer.from('SQLite format 3\0', 'latin1');

/** Schema number in a database file; 0 where it is no such file. Told before the content is known to be good. */
function writtenSchema(image: Buffer): number {
  const isDatabase = image.length >= 100 && image.subarray(0, 16).equals(SQLITE_MAGIC);
  return isDatabase ? image.readUInt32BE(USER_VERSION_AT) : 0;
}

function newerSchema(directory: StoreDirectory, written: number, known: number): MemoryError {
  return new MemoryError(
    'storage',
    `The store in ${directory.path} was written by a newer version of this program (schema ${written}, known up to ` +
      `${known}). Nothing was touched. Update the program, or choose another storage directory.`,
  );
}

function nothingGood(directory: StoreDirectory): MemoryError {
  return new MemoryError(
    'storage',
    `The store in ${directory.path} is damaged: no record vouches for ${SNAPSHOT} or ${PREVIOUS_SNAPSHOT}, and the ` +
      'change logs do not reach back to the beginning. Nothing was touched. Put back a backup of the whole ' +
      `directory, or move its files away to start empty; ${SNAPSHOT} may still open in any SQLite tool.`,
  );
}

function unreadable(directory: StoreDirectory, error: unknown): MemoryError {
  return new MemoryError(
    'storage',
    `The store in ${directory.path} could not be opened: ${reasonOf(error)}. Nothing was touched. ` +
      'Make its files readable for this user, or choose another storage directory.',
    { cause: error },
  );
}

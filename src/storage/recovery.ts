import type { LogScan } from './changeLog.js';
import { LOG, PREVIOUS_LOG, PREVIOUS_SNAPSHOT, SNAPSHOT } from './files.js';
import type { StoreFile } from './files.js';
import { EMPTY } from './logPayload.js';
import type { BaseRecord, ChangeRecord } from './logPayload.js';

/** What is in the storage directory; null for a file that is not there or was not looked at. */
export interface Found {
  /** SHA-256 of the file. */
  readonly snapshot: string | null;
  readonly previousSnapshot: string | null;
  readonly log: LogScan | null;
  readonly previousLog: LogScan | null;
}

export interface Step {
  /** Schema the statements are written for. */
  readonly schema: number;
  readonly record: ChangeRecord;
}

/** How to get back the last good state: start from one snapshot, or from nothing, and do the steps in order. */
export interface Plan {
  readonly start: Start;
  readonly steps: readonly Step[];
  /** Files whose content cannot be used as it is. */
  readonly damaged: readonly StoreFile[];
  readonly missing: readonly StoreFile[];
}

export interface Start {
  /** null: from nothing. */
  readonly file: typeof SNAPSHOT | typeof PREVIOUS_SNAPSHOT | null;
  readonly sha256: string;
  readonly sequence: number;
}

/** Whether the snapshot and the log alone give the whole state, so that the previous pair need not be read. */
export function isWhole({ snapshot, log }: Pick<Found, 'snapshot' | 'log'>): boolean {
  if (log === null || log.end === 'damaged') return false;
  return snapshot === null ? baseOf(log)?.sha256 === EMPTY : sequencesBySnapshot([log]).has(snapshot);
}

/** Decides what to restore. Null where no snapshot can be trusted and no log reaches back to nothing. */
export function planRecovery(found: Found): Plan | null {
  const { log, previousLog, snapshot, previousSnapshot } = found;
  const none = !log && !previousLog && snapshot === null && previousSnapshot === null;
  const damaged = new Set<StoreFile>();
  const missing = new Set<StoreFile>();
  if (log?.end === 'damaged') damaged.add(LOG);
  if (previousLog?.end === 'damaged') damaged.add(PREVIOUS_LOG);
  if (log === null && !none) missing.add(LOG);
  if (snapshot === null && !none && (log === null || baseOf(log)?.sha256 !== EMPTY)) missing.add(SNAPSHOT);

  const named = sequencesBySnapshot([previousLog, log]);
  // A readable log names every content that memory.db may have.
  const namedNow = log && baseOf(log) ? sequencesBySnapshot([log]) : named;
  const current = startFrom(SNAPSHOT, snapshot, namedNow);
  const previous = startFrom(PREVIOUS_SNAPSHOT, previousSnapshot, named);
  if (snapshot !== null && !current) damaged.add(SNAPSHOT);
  if (previousSnapshot !== null && !previous) damaged.add(PREVIOUS_SNAPSHOT);
  const reachesBack = none || [log, previousLog].some((scan) => scan && baseOf(scan)?.sha256 === EMPTY);
  const start = current ?? previous ?? (reachesBack ? { file: null, sha256: EMPTY, sequence: 0 } : null);
  if (start === null) return null;

  const available = new Map([...stepsOf(previousLog), ...stepsOf(log)]);
  const steps: Step[] = [];
  let sequence = start.sequence;
  for (let step = available.get(sequence + 1); step; step = available.get(sequence + 1)) {
    steps.push(step);
    sequence += 1;
  }
  // Changes behind a gap cannot be used: doing them without the ones before would invent a state.
  if (Math.max(0, ...stepsOf(log).keys()) > sequence) damaged.add(LOG);
  if (Math.max(0, ...stepsOf(previousLog).keys()) > sequence) damaged.add(PREVIOUS_LOG);
  return { start, steps, damaged: [...damaged], missing: [...missing] };
}

function baseOf(scan: LogScan): BaseRecord | null {
  const first = scan.records[0];
  return first?.kind === 'base' ? first : null;
}

function startFrom(
  file: typeof SNAPSHOT | typeof PREVIOUS_SNAPSHOT,
  sha256: string | null,
  named: ReadonlyMap<string, number>,
): Start | null {
  const sequence = sha256 === null ? undefined : named.get(sha256);
  return sha256 === null || sequence === undefined ? null : { file, sha256, sequence };
}

function sequencesBySnapshot(scans: readonly (LogScan | null)[]): Map<string, number> {
  const named = new Map<string, number>();
  for (const record of scans.flatMap((scan) => scan?.records ?? [])) {
    if ((record.kind === 'base' || record.kind === 'mark') && record.sha256 !== EMPTY) {
      named.set(record.sha256, record.sequence);
    }
  }
  return named;
}

function stepsOf(scan: LogScan | null): Map<number, Step> {
  const steps = new Map<number, Step>();
  let schema = 0;
  for (const record of scan?.records ?? []) {
    if (record.kind === 'base' || record.kind === 'schema') schema = record.schema;
    if (record.kind === 'change') steps.set(record.sequence, { schema, record });
  }
  return steps;
}

/** Newest schema a log was written with; 0 for a log without a readable base. */
export function schemaOf(scan: LogScan | null): number {
  let schema = 0;
  for (const record of scan?.records ?? []) {
    if (record.kind === 'base' || record.kind === 'schema') schema = record.schema;
  }
  return schema;
}

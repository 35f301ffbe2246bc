import { encodeRecord } from './changeLog.js';
import { LOG } from './files.js';
import type { StoreDirectory } from './files.js';
import { LogFile } from './logFile.js';
import type { LogRecord } from './logPayload.js';
import type { Plan } from './recovery.js';

/**
 * Keeps the damaged files under names of their own and writes a log that gives the restored state from the
 * snapshot the plan starts with. A crash on the way leaves files with the same plan. `now` is epoch seconds.
 */
export function rebuildLog(directory: StoreDirectory, plan: Plan, schema: number, now: number): LogFile {
  const { sequence, sha256 } = plan.start;
  const first = plan.steps[0]?.schema ?? schema;
  const base = { kind: 'base', sequence, sha256, schema: first } as const;
  const bytes = Buffer.concat([base, ...recordsOf(plan, first)].map(encodeRecord));
  // First: where the disk has no room for the log, nothing is to be set aside.
  directory.prepare(LOG, bytes);
  for (const name of plan.damaged) directory.setAside(name, now);
  directory.sync();
  directory.publish(LOG);
  directory.sync();
  return LogFile.published(directory, base, bytes.length);
}

function recordsOf(plan: Plan, first: number): LogRecord[] {
  let written = first;
  return plan.steps.flatMap(({ schema, record }): LogRecord[] => {
    if (schema === written) return [record];
    written = schema;
    return [{ kind: 'schema', sequence: record.sequence - 1, schema }, record];
  });
}

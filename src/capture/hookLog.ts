import { appendFileSync, closeSync, constants, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { shorten } from '../core/text.js';
import { makePrivateFolder, namesIn, replaceFile } from './folders.js';
import { redact } from './redact/redact.js';
import { readSmallFile } from './smallFile.js';

/** Bytes of the log; above it the newer half is kept. */
const MAX_BYTES = 64 * 1024;
/** UTF-16 units of a message. */
const MAX_MESSAGE = 500;
const LINE = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (\S+) (.*)$/;
/** How long a failure is news, in seconds. */
const NEWS = 7 * 24 * 3600;
const LAST_RUN = /^hook\.([a-z-]+)\.last$/;

/** In the place of an event's name where none, or a wrong one, was given. */
export const UNKNOWN_EVENT = 'unknown';

export interface HookFailure {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly event: string;
  readonly message: string;
}

export function logsOf(storageDir: string): string {
  return join(storageDir, 'logs');
}

/** Writes down that a hook failed, on one line without secrets. Never fails: there is nowhere to say it then. */
export function noteFailure(storageDir: string, { at, event, message }: HookFailure): void {
  try {
    // A message may quote what was read. The beginning is looked at: little is kept, and rules take time.
    const masked = redact(message.slice(0, 20 * MAX_MESSAGE)).text;
    const line = shorten(masked.replace(/[\p{Cc}\u2028\u2029]+ */gu, ' ').trim(), MAX_MESSAGE);
    append(storageDir, `${at} ${event} ${line.toWellFormed()}\n`);
  } catch {
    // Read-only or full disk.
  }
}

function append(storageDir: string, line: string): void {
  makePrivateFolder(logsOf(storageDir));
  const file = logFile(storageDir);
  const found = statSync(file, { throwIfNoEntry: false });
  // To write to a pipe is to wait for its reader.
  if (found && !found.isFile()) return;
  if (found && found.size + Buffer.byteLength(line) > MAX_BYTES) replaceFile(file, newerHalf(file) + line);
  else appendFileSync(file, line, { mode: 0o600 });
}

/**
 * The failure that is still news at `now`, epoch seconds: the last one that no later run of its event has made good,
 * if it is at most a week old, and how many there are of these. Any run makes good what was no known event.
 */
export function unresolvedFailure(
  storageDir: string,
  now: number,
): { readonly count: number; readonly last: HookFailure } | null {
  const runs = Object.entries(lastRuns(storageDir)).map(([event, at]) => ({ event, at: Date.parse(at) }));
  const unresolved = failuresIn(storageDir).filter(
    (failure) =>
      !runs.some(
        ({ event, at }) =>
          at > Date.parse(failure.at) && (event === failure.event || failure.event === UNKNOWN_EVENT),
      ),
  );
  const last = unresolved.at(-1);
  return last && Date.parse(last.at) / 1000 >= now - NEWS ? { count: unresolved.length, last } : null;
}

/** Writes down when the event was last handled well, ISO 8601. Never fails: what was handled is not less so. */
export function noteRun(storageDir: string, event: string, at: string): void {
  try {
    writeRun(storageDir, event, at);
  } catch {
    // Read-only or full disk.
  }
}

function writeRun(storageDir: string, event: string, at: string): void {
  makePrivateFolder(logsOf(storageDir));
  // Over the old text, which is as long: some disks wait for the data of a file that was emptied. A pipe fails.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK;
  const file = openSync(join(logsOf(storageDir), `hook.${event}.last`), flags, 0o600);
  try {
    writeSync(file, `${at}\n`, 0);
  } finally {
    closeSync(file);
  }
}

/** When each event was handled well last, ISO 8601, by the event's name. */
export function lastRuns(storageDir: string): Readonly<Record<string, string>> {
  const runs: Record<string, string> = {};
  for (const name of namesIn(logsOf(storageDir))) {
    const event = LAST_RUN.exec(name)?.[1];
    if (event === undefined) continue;
    const at = logText(join(logsOf(storageDir), name)).slice(0, 24);
    if (!Number.isNaN(Date.parse(at))) runs[event] = at;
  }
  return runs;
}

/** Failures still in the log, the oldest first. None where the log cannot be read. */
export function failuresIn(storageDir: string): HookFailure[] {
  return logText(logFile(storageDir)).split('\n').flatMap(parseLine);
}

function logFile(storageDir: string): string {
  return join(logsOf(storageDir), 'hook.log');
}

/** At most half of the log, from the beginning of a line. */
function newerHalf(file: string): string {
  const half = Buffer.from(logText(file))
    .subarray(-MAX_BYTES / 2)
    .toString('utf8');
  return half.slice(half.indexOf('\n') + 1);
}

function parseLine(line: string): HookFailure[] {
  const [, at, event, message] = LINE.exec(line) ?? [];
  return at === undefined || event === undefined || message === undefined ? [] : [{ at, event, message }];
}

/** Empty where there is none, or none that can be read. */
function logText(file: string): string {
  try {
    return readSmallFile(file, 16 * MAX_BYTES) ?? '';
  } catch {
    return '';
  }
}

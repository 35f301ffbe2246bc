import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { redact } from '../capture/redact/redact.js';
import type { Config } from '../config/config.js';
import { LOG_LEVELS, type LogLevel } from '../config/settings.js';

const MAX_BYTES = 2 * 1024 * 1024;
const KEPT = 3;
const MAX_MESSAGE = 4000;

export interface Log {
  write(level: LogLevel, message: string): void;
}

/** The log all processes of a user share. Where there is no home folder it lies with the memories. */
export function serverLog(
  { storageDir, logLevel }: Pick<Config, 'storageDir' | 'logLevel'>,
  home: string,
): Log {
  const folder = home === '' ? storageDir : join(home, '.subconscious-mcp');
  return createLog(join(folder, 'logs', 'server.log'), logLevel, () => new Date());
}

/**
 * A rotating log file: 2 MB, three of them. It never holds what people stored or asked, and it never fails:
 * a program must not stop for its diary.
 */
export function createLog(file: string, lowest: LogLevel, now: () => Date): Log {
  const from = LOG_LEVELS.indexOf(lowest);
  let begun = false;
  return {
    write(level, message) {
      if (LOG_LEVELS.indexOf(level) < from) return;
      try {
        // Once only: who deletes the folder does not want it back.
        if (!begun) makeFolders(file);
        begun = true;
        const found = statSync(file, { throwIfNoEntry: false });
        // To write to a pipe is to wait for its reader.
        if (found && !found.isFile()) return;
        if (found && found.size > MAX_BYTES) rotate(file);
        const line = redact(message.slice(0, 4 * MAX_MESSAGE))
          .text.slice(0, MAX_MESSAGE)
          .replace(/[\p{Cc}\u2028\u2029]+ */gu, ' | ');
        appendFileSync(file, `${now().toISOString()} ${level} [${process.pid}] ${line}\n`, { mode: 0o600 });
      } catch {
        // Read-only home, full disk: nowhere to write this down.
      }
    },
  };
}

function makeFolders(file: string): void {
  for (const folder of [dirname(dirname(file)), dirname(file)]) {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  }
}

function rotate(file: string): void {
  rmSync(`${file}.${KEPT - 1}`, { force: true });
  for (let i = KEPT - 2; i >= 1; i -= 1) {
    if (statSync(`${file}.${i}`, { throwIfNoEntry: false })) renameSync(`${file}.${i}`, `${file}.${i + 1}`);
  }
  renameSync(file, `${file}.1`);
}

/** What a log says of a failure: where it happened too, if the failure tells. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` Cause: ${describeError(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

import { MemoryError } from '../core/errors.js';

/** Error of a write that did not happen. Names the cause and says that nothing stored before is lost. */
export function refusal(action: string, error: unknown, path: string): MemoryError {
  if (error instanceof MemoryError) return error;
  return new MemoryError(
    'storage',
    `${action} was refused: ${reasonOf(error)} (${path}). Nothing was changed and everything stored before ` +
      `stays readable. ${adviceFor(codeOf(error))}`,
    { cause: error },
  );
}

/** Error of a write that is in the log but not in the database in memory, and of every write after it. */
export function notTakenOver(error: unknown, path: string): MemoryError {
  return new MemoryError(
    'storage',
    `Nothing more can be written: the last change is stored in ${path}, but the database in memory could not take ` +
      `it over: ${reasonOf(error)}. Restart to continue with that change in place.`,
    { cause: error },
  );
}

/** Error of a write where another program did something to a file in use; `what` goes after the file's path. */
export function interference(path: string, what: string): MemoryError {
  return new MemoryError(
    'storage',
    `The write was refused: ${path} ${what} while it was in use. Restart to continue with what is on disk now.`,
  );
}

/** The system's code of a failed call, e.g. `ENOSPC`; empty where it has none. */
export function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** What went wrong, in words where the code is a usual one. */
export function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full';
    case 'EFBIG':
      return 'a file size limit is reached';
    case 'EROFS':
      return 'the file system is read-only';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'ENOENT':
      return 'the storage directory or a file in it is gone';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

function adviceFor(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Free some space and try again.';
    case 'EFBIG':
      return 'Raise the limit (ulimit -f) and start again.';
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return 'Make the directory and its files writable for this user and try again.';
    case 'ENOENT':
      return 'Restart to begin with what is there now.';
    default:
      return 'Check the disk and try again.';
  }
}

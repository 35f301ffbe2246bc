import * as nodeFs from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { MemoryError } from '../core/errors.js';
import type { HealthNote } from '../core/ports.js';
import type { FileCalls } from '../storage/files.js';
import { errorCode } from './directory.js';

/** Whether `path` is a folder whose content this user may read but not change. */
export async function isReadOnly(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK | constants.X_OK);
  } catch {
    return false; // Missing or closed: not something to read from.
  }
  return access(path, constants.W_OK).then(
    () => false,
    (error: unknown) => ['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error)),
  );
}

export function readOnlyNote(directory: string): HealthNote {
  return {
    code: 'read_only',
    message: `${directory} is read-only for this user: what is stored can be read, nothing can be added or forgotten. ${ADVICE}`,
  };
}

const ADVICE = 'Make the folder and its files writable for this user and start again.';

/**
 * File calls of a store in a read-only folder. They refuse every change, also where a file in it could be
 * written: the owner files that keep two writers apart cannot be created there.
 */
export function readOnlyFiles(directory: string): FileCalls {
  const refuse = (): never => {
    throw new MemoryError(
      'storage',
      `The write was refused: ${directory} is read-only for this user. Nothing was changed and everything stored ` +
        `before stays readable. ${ADVICE}`,
    );
  };
  return {
    ...nodeFs,
    openSync: (path, flags, mode) => (flags === 'r' ? nodeFs.openSync(path, flags, mode) : refuse()),
    renameSync: refuse,
    linkSync: refuse,
    copyFileSync: refuse,
    unlinkSync: refuse,
  };
}

import * as nodeFs from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { MemoryError } from '../core/errors.js';
import { codeOf } from '../storage/refusal.js';
import type { Surroundings } from '../storage/sqlStore.js';

/** Whether `path` is a folder whose content this user may read but not change. */
export async function isReadOnly(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK | constants.X_OK);
  } catch {
    return false; // Missing or closed: not something to read from.
  }
  return access(path, constants.W_OK).then(
    () => false,
    (error: unknown) => ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error)),
  );
}

/** Whether a storage directory could not be taken for want of room. */
export function isFull(error: unknown): boolean {
  return error instanceof MemoryError && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error.cause));
}

/**
 * Surroundings of a store that is only read, for the reason `why`. Every change is refused, also where a file
 * could be written: the owner files that keep two writers apart cannot be created there.
 */
export function readOnly(directory: string, why: string): Surroundings {
  const advice = 'Mend that and start again.';
  const refuse = (): never => {
    throw new MemoryError(
      'storage',
      `The write was refused: ${directory} can only be read, because ${why}. Nothing was changed and everything ` +
        `stored before stays readable. ${advice}`,
    );
  };
  const fs = {
    ...nodeFs,
    openSync: (path: nodeFs.PathLike, flags: nodeFs.OpenMode, mode?: nodeFs.Mode | null) =>
      flags === 'r' ? nodeFs.openSync(path, flags, mode) : refuse(),
    renameSync: refuse,
    linkSync: refuse,
    copyFileSync: refuse,
    unlinkSync: refuse,
  };
  const message =
    `${directory} can only be read, because ${why}: what is stored can be recalled, nothing can be added or ` +
    `forgotten. ${advice}`;
  return { fs, notes: [{ code: 'read_only', message }] };
}

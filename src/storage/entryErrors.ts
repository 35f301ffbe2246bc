import { MemoryError } from '../core/errors.js';
import { reasonOf } from './refusal.js';

export function duplicateId(id: string): MemoryError {
  return new MemoryError(
    'invalid',
    `An entry with id ${id} exists already. Update it, or insert under a new id.`,
  );
}

export function unknownId(id: string): MemoryError {
  return new MemoryError(
    'not_found',
    `There is no entry with id ${id}, so it was not updated. Insert it instead.`,
  );
}

export function remainsLeft(error: unknown, path: string): MemoryError {
  return new MemoryError(
    'storage',
    `The entries were removed, but their text is still in old files in ${path}: ${reasonOf(error)}. It goes with the ` +
      'next snapshot that succeeds; one is tried when the program is idle and each time it starts.',
    { cause: error },
  );
}

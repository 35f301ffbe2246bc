import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Folder of the built program that tests start: the repository, or the copy that `run.mjs` made of it, whose engine
 * does not optimise.
 */
export const PROGRAM =
  process.env['SUBCONSCIOUS_TEST_PROGRAM'] ?? fileURLToPath(new URL('..', import.meta.url));

/** A file of the built program, by its name. */
export function built(name: string): string {
  return join(PROGRAM, 'dist', name);
}

import { join } from 'node:path';
import { error, type Observation } from './finding.js';

/** The store names a file so when it sets it aside. */
const DAMAGED = /^(.+)\.damaged-(\d{4}-\d{2}-\d{2})T/;

/** Which of the names in a storage directory are files that were set aside. */
export function damagedNames(names: readonly string[]): string[] {
  return names.filter((name) => DAMAGED.test(name)).sort();
}

/** What is said of one of them. */
export function damageFinding(storageDir: string, name: string): Observation {
  const [, file = name, day = ''] = DAMAGED.exec(name) ?? [];
  return error(
    `${file} was found damaged, or changed by another program, on ${day}. It was set aside and the last good state ` +
      'put in its place.',
    `See whether something is missing. Then delete ${join(storageDir, name)}.`,
  );
}

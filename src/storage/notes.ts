import type { HealthNote } from '../core/ports.js';
import { LOG, PREVIOUS_LOG, PREVIOUS_SNAPSHOT, SNAPSHOT } from './files.js';
import type { StoreFile } from './files.js';

const KEPT = /^(.+)\.damaged-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})/;

/** One note per damaged file that was set aside and is still there; `names` is the directory's listing. */
export function keptNotes(names: readonly string[]): HealthNote[] {
  return names
    .filter((name) => KEPT.test(name))
    .sort()
    .map((name) => {
      const [, file = name, day = '', hour = '', minute = '', second = ''] = KEPT.exec(name) ?? [];
      return {
        code: 'damaged_file',
        message:
          `${file} was found damaged or edited by another program on ${day} at ${hour}:${minute}:${second} UTC. ` +
          `${consequence(file)} What was found is kept as ${name}: look into it if something is missing, and delete ` +
          'it to clear this note.',
      };
    });
}

/** One note per damaged file that `names`, the directory's listing, has no copy of: purged text is never kept. */
export function unkeptNotes(damaged: readonly StoreFile[], names: readonly string[]): HealthNote[] {
  return damaged
    .filter((file) => !names.some((name) => name.startsWith(`${file}.damaged-`)))
    .map((file) => ({
      code: 'damaged_file',
      message:
        `${file} was found damaged when the store was opened. ${consequence(file)} What was found is not kept, ` +
        'because it held text that was purged.',
    }));
}

export function missingNotes(missing: readonly StoreFile[]): HealthNote[] {
  return missing.map((name) => ({
    code: 'missing_file',
    message:
      `${name} was missing when the store was opened. ${consequence(name)} If something is missing, put back a ` +
      'backup of the whole storage directory while the program is not running.',
  }));
}

export function unrepairedNote(name: StoreFile, reason: string): HealthNote {
  return {
    code: 'damaged_file',
    message:
      `${name} is damaged and could not be repaired: ${reason}. The last good state can be read; nothing can be ` +
      'written until the cause is gone and the store is opened again.',
  };
}

export function snapshotFailedNote(reason: string): HealthNote {
  return {
    code: 'snapshot_failed',
    message:
      `The change log could not be brought into ${SNAPSHOT}: ${reason}. Nothing is lost, but the log grows and purged ` +
      'text stays in the old files until it succeeds. Free space or mend permissions.',
  };
}

function consequence(file: string): string {
  switch (file) {
    case SNAPSHOT:
      return 'The last good state was written in its place.';
    case LOG:
      return 'The changes before the damage were restored; those after it could not be.';
    case PREVIOUS_SNAPSHOT:
    case PREVIOUS_LOG:
      return 'It is a spare copy and was replaced.';
    default:
      return 'The last good state was restored.';
  }
}

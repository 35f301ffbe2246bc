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
          `${file} was found damaged on ${day} at ${hour}:${minute}:${second} UTC. ${consequence(file)} The damaged ` +
          `file is kept as ${name}: look into it if something is missing, and delete it to clear this note.`,
      };
    });
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
      return 'It was restored from the previous snapshot and the change logs.';
    case LOG:
      return 'The changes before the damage were restored; those after it could not be.';
    case PREVIOUS_SNAPSHOT:
    case PREVIOUS_LOG:
      return 'It is a spare copy and was replaced.';
    default:
      return 'The last good state was restored.';
  }
}

import type { Surroundings } from '../storage/sqlStore.js';
import { prepareDirectory } from './directory.js';
import { takeOwnership } from './ownership.js';
import { identifySelf } from './processIdentity.js';
import { isFull, isReadOnly, readOnly } from './readOnly.js';

export interface Admission {
  readonly release: () => Promise<void>;
  readonly surroundings: Surroundings;
}

/** Makes this process the directory's owner, or finds that it can only read there. */
export async function admit(directory: string, prepare = prepareDirectory): Promise<Admission> {
  const reading = (why: string): Admission => ({
    release: () => Promise.resolve(),
    surroundings: readOnly(directory, why),
  });
  if (await isReadOnly(directory)) return reading('it is read-only for this user');
  try {
    // Even with no room for anything new it can be seen whether there is an owner.
    await prepare(directory).catch(unlessFull);
    const ownership = await takeOwnership(directory, await identifySelf());
    return { release: () => ownership.release(), surroundings: {} };
  } catch (error) {
    // An owner that lives was refused before this; a new one cannot be written down.
    if (isFull(error)) return reading('its disk has no room');
    throw error;
  }
}

function unlessFull(error: unknown): void {
  if (!isFull(error)) throw error;
}

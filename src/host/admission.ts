import type { Surroundings } from '../storage/sqlStore.js';
import { prepareDirectory } from './directory.js';
import type { OwnerRole } from './ownerFile.js';
import { takeOwnership, type Ownership } from './ownership.js';
import { identifySelf } from './processIdentity.js';
import { isFull, isReadOnly, readOnly } from './readOnly.js';

export interface Admission {
  /** null where the directory is only read. */
  readonly ownership: Ownership | null;
  readonly release: () => Promise<void>;
  readonly surroundings: Surroundings;
}

/** Makes this process the directory's owner, or finds that it can only read there. */
export async function admit(
  directory: string,
  role: OwnerRole,
  prepare = prepareDirectory,
): Promise<Admission> {
  const reading = (why: string): Admission => ({
    ownership: null,
    release: () => Promise.resolve(),
    surroundings: readOnly(directory, why),
  });
  if (await isReadOnly(directory)) return reading('it is read-only for this user');
  try {
    // Even with no room for anything new it can be seen whether there is an owner.
    await prepare(directory).catch(unlessFull);
    const ownership = await takeOwnership(directory, await identifySelf(), { role });
    return { ownership, release: () => ownership.release(), surroundings: {} };
  } catch (error) {
    // An owner that lives was refused before this; a new one cannot be written down.
    if (isFull(error)) return reading('its disk has no room');
    throw error;
  }
}

function unlessFull(error: unknown): void {
  if (!isFull(error)) throw error;
}

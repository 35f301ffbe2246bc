import { directoryIdentity } from '../link/address.js';
import type { Ownership } from './ownership.js';

/**
 * Watches whether the storage directory is still the one its owner began with. People wipe their memory by deleting
 * it, and put old states in its place. Only what is certain counts: a look that fails says nothing.
 */
export class Presence {
  private readonly began: string | null | undefined;

  constructor(
    private readonly directory: string,
    private readonly ownership: Ownership,
  ) {
    this.began = directoryIdentity(directory);
  }

  /** `<dev>:<ino>` at the beginning; null where the system did not tell. */
  get identity(): string | null {
    return this.began ?? null;
  }

  /** A quick look. A copy put in the directory's place has our owner file, but is another directory. */
  get lost(): boolean {
    const now = directoryIdentity(this.directory);
    if (now === null || this.ownership.vanished()) return true;
    return now !== undefined && this.began !== undefined && now !== this.began;
  }
}

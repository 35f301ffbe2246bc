export type ErrorReason =
  /** The caller's argument is not usable; the message names it and says what would be. */
  | 'invalid'
  /** No such entry. */
  | 'not_found'
  /** The store refused: disk, permission, damage, newer schema. */
  | 'storage'
  /** Another process owns the storage directory. */
  | 'owned'
  /** No embedding model or runtime. */
  | 'no_model';

/** An expected failure. The message says what happened, why, and what to do next; it is shown as it is. */
export class MemoryError extends Error {
  override readonly name = 'MemoryError';

  constructor(
    readonly reason: ErrorReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

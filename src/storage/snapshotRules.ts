const MEBIBYTE = 1024 * 1024;

/** Below this a snapshot takes milliseconds and is worth while for any change. */
const SMALL = 8 * MEBIBYTE;

/**
 * Whether there is enough in the log to write the snapshot again when idle or at exit: always for a small store,
 * from 1 MiB or 1 % of the snapshot on for a large one. Sizes in bytes.
 */
export function isWorthSnapshot(sizes: { readonly storeBytes: number; readonly logBytes: number }): boolean {
  return sizes.storeBytes < SMALL || sizes.logBytes >= Math.min(MEBIBYTE, sizes.storeBytes / 100);
}

/**
 * How far the log may grow before a write takes the snapshot itself, and how far again after a failed one:
 * 32 MiB or half the snapshot. Sizes in bytes.
 */
export function logStep(storeBytes: number): number {
  return Math.max(32 * MEBIBYTE, storeBytes / 2);
}

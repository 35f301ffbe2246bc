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

/** Above this a snapshot takes so long that an exit would: clients expect a server to be gone within two seconds. */
const QUICK = 64 * MEBIBYTE;

/** Whether a snapshot may be taken on the way out; the log has everything if not. Sizes in bytes. */
export function isQuickSnapshot(sizes: { readonly storeBytes: number; readonly logBytes: number }): boolean {
  return sizes.storeBytes + sizes.logBytes < QUICK;
}

/**
 * How far the log may grow before a write takes the snapshot itself, and how far again after a failed one:
 * 32 MiB or half the snapshot. Sizes in bytes.
 */
export function logStep(storeBytes: number): number {
  return Math.max(32 * MEBIBYTE, storeBytes / 2);
}

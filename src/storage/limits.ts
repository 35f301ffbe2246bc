/** Receipts kept: the newest ones, and none older than 30 days before the newest write that left one. */
export const RECEIPTS_KEPT = 10_000;
export const RECEIPT_SECONDS = 30 * 24 * 3600;

/** Calls kept in the ledger: among the last writes that left one, and none older than an hour before the newest. */
export const CALLS_KEPT = 5000;
export const CALL_SECONDS = 3600;

/** Size of one recall record with a question as the cap on recall text counts it, in bytes. */
export function recallBytes(query: string): number {
  return Buffer.byteLength(query) + RECALL_OVERHEAD;
}

/** Newest records of a project whose outcome is kept, whatever happens to their questions. */
export const OUTCOMES_KEPT = 100;

/** Numbers, ids and project of a record. */
export const RECALL_OVERHEAD = 120;

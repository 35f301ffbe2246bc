import type { Parts } from './parts.js';
import type { Call, LedgerRow } from './ports.js';

/**
 * The result of a call that was done before its sender lost the answer, or null where it has to be done.
 * Only a call that says it is repeated asks, and an older row does not count: clients number their requests as they
 * like and use numbers again, even for the same request, so that key and digest alone would answer a new one with an
 * old result.
 */
export async function resultOf<Result>(parts: Parts, call: Call | undefined): Promise<Result | null> {
  if (typeof call?.repeatedSince !== 'number') return null;
  const row = await parts.store.ledgerRow(call.key);
  // The digest covers the method: only the use-case that wrote the result reads it.
  if (row?.digest !== call.digest || row.at < call.repeatedSince) return null;
  return JSON.parse(row.result) as Result;
}

/** What the ledger is to say of a call that wrote. `at` is epoch seconds. */
export function ledgerRow(call: Call | undefined, result: unknown, at: number): LedgerRow | undefined {
  return call && { key: call.key, digest: call.digest, result: JSON.stringify(result), at };
}

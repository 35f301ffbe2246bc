import type { LedgerRow, Receipt, Results } from '../core/ports.js';
import { CALLS_KEPT, CALL_SECONDS, RECEIPTS_KEPT, RECEIPT_SECONDS } from './limits.js';
import { mentions } from './mentions.js';

/** Receipts and ledger, as the statements keep them in tables. */
export class InMemoryResults {
  private readonly receipts = new Map<string, Receipt>();
  /** By key, in order of writing; `seq` counts on from the newest one. */
  private readonly calls = new Map<string, LedgerRow & { readonly seq: number }>();

  receipt(key: string): Receipt | null {
    return this.receipts.get(key) ?? null;
  }

  ledgerRow(key: string): LedgerRow | null {
    const call = this.calls.get(key);
    return call ? { key, digest: call.digest, result: call.result, at: call.at } : null;
  }

  keep({ receipt, ledger }: Results): void {
    if (receipt) this.keepReceipt(receipt);
    if (ledger) this.keepCall(ledger);
  }

  /** Removes the results that name one of these rows. */
  forget(ids: ReadonlySet<string>): void {
    for (const { key, result } of this.receipts.values()) {
      if (mentions(result, ids)) this.receipts.delete(key);
    }
    for (const { key, result } of this.calls.values()) {
      if (mentions(result, ids)) this.calls.delete(key);
    }
  }

  private keepReceipt(receipt: Receipt): void {
    // A key written again moves to the end.
    this.receipts.delete(receipt.key);
    this.receipts.set(receipt.key, { ...receipt });
    for (const { key, at } of this.receipts.values()) {
      if (at < receipt.at - RECEIPT_SECONDS) this.receipts.delete(key);
    }
    for (const key of this.receipts.keys()) {
      if (this.receipts.size > RECEIPTS_KEPT) this.receipts.delete(key);
    }
  }

  private keepCall(call: LedgerRow): void {
    const seq = this.lastCall() + 1;
    this.calls.delete(call.key);
    this.calls.set(call.key, { ...call, seq });
    for (const other of this.calls.values()) {
      const isOld = other.at < call.at - CALL_SECONDS || other.seq <= seq - CALLS_KEPT;
      if (isOld) this.calls.delete(other.key);
    }
  }

  /** As SQLite counts: on from the highest number there is. */
  private lastCall(): number {
    let last = 0;
    for (const { seq } of this.calls.values()) last = seq;
    return last;
  }
}

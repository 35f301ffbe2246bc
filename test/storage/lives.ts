import type { MemoryStore } from '../../src/core/ports.js';
import { createInMemoryStore } from '../../src/storage/inMemoryStore.js';
import { contents, entry, ledgerRow, memory, receipt, vector } from './builders.js';
import type { Contents } from './builders.js';

export const NAMES = {
  ids: ['a', 'b', 'c', 'd', 'e', 'f', 'before e', 'g', 'again-1', 'again-2'],
  keys: ['k1', 'k2'],
};

export type Operation = (store: MemoryStore) => Promise<unknown>;

/** A life with every kind of durable write and several generations of files. */
export const LIFE: readonly Operation[] = [
  (store) => store.insert(entry('a', {}, vector(1)), { receipt: receipt('k1', 1, '{"id":"a"}') }),
  (store) => store.insert(entry('b', {}, vector(2)), { ledger: ledgerRow('k1', { result: '{"id":"b"}' }) }),
  (store) => store.snapshot(),
  (store) => store.insert(entry('c', {}, vector(3)), { supersedes: 'a' }),
  (store) => store.update(memory('b', { task: 'changed' }), { ledger: ledgerRow('k2') }),
  (store) => store.trash('c', 7, { ledger: ledgerRow('k1', { result: 'true' }) }),
  (store) => store.snapshot(),
  (store) => store.restore('c'),
  (store) => store.insert(entry('d'), { receipt: receipt('k2', 2) }),
  (store) => store.snapshot(),
  (store) => store.insert(entry('e', {}, vector(5)), { ledger: ledgerRow('k2', { result: '{"id":"d"}' }) }),
  (store) => store.purge(['a', 'd']),
  (store) => store.insert(entry('f')),
  (store) =>
    store.update(memory('e', { task: 'edited' }), {
      version: memory('before e', { supersededBy: 'e' }),
      ledger: ledgerRow('k1', { result: '{"previous":"before e"}' }),
    }),
  (store) => store.markReviewed('project-a', ['e', 'f'], 8),
  (store) => store.snapshot(),
  (store) => store.insert(entry('g')),
];

/** Runs operations until one fails; returns how many were acknowledged. */
export async function live(store: MemoryStore, operations: readonly Operation[]): Promise<number> {
  let acknowledged = 0;
  for (const operation of operations) {
    try {
      await operation(store);
    } catch {
      return acknowledged;
    }
    acknowledged += 1;
  }
  return acknowledged;
}

/** What a store holds after each number of operations, by the adapter that has no disk to lose. */
export async function expectations(operations: readonly Operation[]): Promise<Contents[]> {
  const store = createInMemoryStore();
  const states = [await contents(store, NAMES)];
  for (const operation of operations) {
    await operation(store);
    states.push(await contents(store, NAMES));
  }
  return states;
}

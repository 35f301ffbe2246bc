import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { MemoryStore } from '../../src/core/ports.js';
import { SqlDatabase } from '../../src/storage/database.js';
import { openSqlStore } from '../../src/storage/sqlStore.js';
import { entry, memory, temporaryDirectory, vector } from './builders.js';
import { conformance } from './conformance.js';
import { withoutSync } from './faults.js';

const opened: { store: MemoryStore; directory: string }[] = [];

conformance('sql store', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'store-'));
  const store = await openSqlStore(directory, { fs: withoutSync });
  opened.push({ store, directory });
  return store;
});

after(async () => {
  for (const { store, directory } of opened) {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
});

describe('sql store', () => {
  it('reads no answer only to see whether a row is there', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await openSqlStore(directory, { fs: withoutSync });
    await store.insert(entry('a', { answer: 'a long answer' }));
    const reads = t.mock.method(SqlDatabase.prototype, 'rows');
    await assert.rejects(store.insert(entry('a')), /exists already/);
    await store.setVectors([{ id: 'a', vector: vector(1) }]);
    await store.trash('a', 1);
    await store.restore('a');
    await store.update(memory('a', { answer: 'a long answer' }));
    await store.purge(['a']);
    const values = reads.mock.calls.flatMap((call) => call.result ?? []).flat();
    assert.ok(values.length >= 6);
    assert.ok(!values.includes('a long answer'));
  });
});

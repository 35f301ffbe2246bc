import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { MemoryStore } from '../../src/core/ports.js';
import { openSqlStore } from '../../src/storage/sqlStore.js';
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

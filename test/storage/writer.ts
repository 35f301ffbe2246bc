// Child process of processes.test.ts: stores rows until it is stopped and prints every id once it is acknowledged.
import { writeSync } from 'node:fs';
import { MemoryError } from '../../src/core/errors.js';
import { openSqlStore } from '../../src/storage/sqlStore.js';
import { collect, entry, vector } from './builders.js';

const [directory = '', mode = ''] = process.argv.slice(2);

function print(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Without end, with a snapshot now and then. */
async function fill(): Promise<void> {
  const store = await openSqlStore(directory);
  for (let n = 0; ; n += 1) {
    const id = `${process.pid}-${n}`;
    await store.insert(entry(id, { answer: 'x'.repeat(1000) }, vector(n, 'model-a', 384)));
    print(id);
    if (n % 20 === 19) await store.snapshot();
  }
}

/** Until a write is refused; then tells why and how many rows can still be read. */
async function fillUntilRefused(): Promise<void> {
  const store = await openSqlStore(directory);
  try {
    for (let n = 0; n < 1000; n += 1) {
      await store.insert(entry(`row-${n}`, { answer: 'x'.repeat(1000) }));
      print(`row-${n}`);
    }
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    print(`refused ${error.reason} ${error.message}`);
  }
  print(`readable ${(await collect(store.all('model-a'))).length}`);
  await store.close().catch((error: unknown) => {
    print(`closing ${String(error)}`);
  });
}

if (mode === 'fill') {
  await fill();
} else {
  // A directory's mode keeps out every user but root.
  if (process.getuid?.() === 0 && mode === 'as-other-user') process.setuid?.(65534);
  await fillUntilRefused();
}

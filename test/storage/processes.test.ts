import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { openSqlStore } from '../../src/storage/sqlStore.js';
import { program } from '../program.js';
import { collect, entry, listing, memory, temporaryDirectory } from './builders.js';

const WRITER = await program(join(import.meta.dirname, 'writer.ts'));

/** Starts the writer, through `prefix` in a shell; `onLine` may kill it. Resolves with its lines when it has ended. */
async function write(
  directory: string,
  mode: string,
  { prefix = '', onLine = () => false }: { prefix?: string; onLine?: (count: number) => boolean } = {},
): Promise<string[]> {
  const args = [WRITER, directory, mode];
  const child =
    prefix === ''
      ? spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      : spawn('sh', ['-c', `${prefix}; exec "$0" "$@"`, process.execPath, ...args], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (onLine(lines.length)) child.kill('SIGKILL');
  }
  return lines;
}

async function idsIn(directory: string): Promise<string[]> {
  const store = await openSqlStore(directory);
  const rows = await collect(store.all('model-a'));
  assert.deepEqual((await store.state()).notes, []);
  for (const row of rows) {
    assert.deepEqual(row.memory, memory(row.memory.id, { answer: row.memory.answer }));
    if (row.vector) assert.equal(row.vector.values.length, 384);
  }
  await store.close();
  return rows.map((row) => row.memory.id);
}

describe('a real process', () => {
  it('loses no acknowledged row when it is killed', async (t) => {
    const directory = temporaryDirectory(t);
    const acknowledged: string[] = [];
    let kills = 0;
    for (const rows of [1, 7, 20, 41, 63]) {
      acknowledged.push(...(await write(directory, 'fill', { onLine: (count) => count === rows })));
      const stored = await idsIn(directory);
      assert.deepEqual(
        stored.filter((id) => acknowledged.includes(id)),
        acknowledged,
      );
      // Each kill may have hit a write whose answer was still to come.
      kills += 1;
      assert.ok(stored.length <= acknowledged.length + kills);
    }
  });

  it('refuses writes when a file may not grow, reads on, and works again without the limit', async (t) => {
    const directory = temporaryDirectory(t);
    const lines = await write(directory, 'until-refused', { prefix: 'ulimit -f 64' });
    const rows = lines.filter((line) => line.startsWith('row-'));
    assert.ok(rows.length > 10 && rows.length < 100, `${rows.length} rows`);
    assert.match(lines[rows.length] ?? '', /^refused storage .*size limit.*stays readable/);
    assert.equal(lines[rows.length + 1], `readable ${rows.length}`);
    assert.deepEqual(await idsIn(directory), rows);
    const store = await openSqlStore(directory);
    await store.insert(entry('after'));
    await store.close();
    assert.deepEqual(await idsIn(directory), [...rows, 'after']);
  });

  it('reads a directory it may not write to, and leaves it as it is', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await openSqlStore(directory);
    await store.insert(entry('a'));
    await store.snapshot();
    await store.insert(entry('b'));
    for (const { name } of listing(directory)) chmodSync(`${directory}/${name}`, 0o444);
    chmodSync(directory, 0o555);
    const before = listing(directory);
    try {
      const lines = await write(directory, 'as-other-user');
      assert.match(lines[0] ?? '', /^refused storage .*permission denied.*stays readable/);
      assert.deepEqual(lines.slice(1), ['readable 2']);
      assert.deepEqual(listing(directory), before);
    } finally {
      chmodSync(directory, 0o700);
    }
  });
});

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from './sandbox.js';

/** Everything below a folder, the folder included, that others may do something with. */
function openToOthers(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return [folder, ...names.map((name) => join(folder, name))].filter((path) => {
    const found = statSync(path);
    return (found.mode & 0o777) !== (found.isDirectory() ? 0o700 : 0o600);
  });
}

test('only their owner can read the store, its lock and the log, under any umask', async (t) => {
  const box = new Sandbox(t);
  const server = await box.start({ env: WITHOUT_MODEL, prefix: ['sh', '-c', 'umask 000; exec "$@"', 'sh'] });
  await server.call('remember', { task: 'private', answer: 'x' });
  const everything = join(box.home, '.subconscious-mcp');
  assert.deepEqual(openToOthers(everything), []);
  await server.end();
  assert.ok(readdirSync(box.storage).includes('memory.db'), 'the end leaves a snapshot');
  assert.deepEqual(openToOthers(everything), []);
});

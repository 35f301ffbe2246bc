// Runs every test file under test/ with node's own runner, fast folders first, and fails when anything
// was skipped, left as a to-do, or not found: a suite that silently shrinks must not stay green.
// With --torture the tests of shared memory run in their long form.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const root = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const only = process.argv.slice(2).filter((word) => word !== '--torture');
if (process.argv.includes('--torture')) process.env['SUBCONSCIOUS_TORTURE'] = '1';
const slowFolders = ['server', 'shared', 'e2e'];

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => only.length === 0 || only.some((part) => file.includes(part)))
  .sort((a, b) => speed(a) - speed(b) || a.localeCompare(b))
  .map((file) => join(root, file));

/** @param {string} file */
function speed(file) {
  return slowFolders.some((folder) => file.startsWith(folder)) ? 1 : 0;
}

if (files.length === 0) {
  console.error(`no test file matches ${only.join(' ') || '*.test.ts'}`);
  process.exit(1);
}

/** A file without a test passes as one test that is called like the file. @type {string[]} */
const emptyFiles = [];
const counts = { passed: 0, failed: 0, skipped: 0 };
/** A file that hangs is a failure, not an endless run; in milliseconds. */
const timeout = process.env['SUBCONSCIOUS_TORTURE'] === '1' ? 900_000 : 150_000;
const stream = run({ files, concurrency: 2, timeout });
stream.on('test:pass', (event) => {
  if (event.skip !== undefined || event.todo !== undefined) counts.skipped += 1;
  else if (event.details.type === 'suite') return;
  else if (event.name === event.file) emptyFiles.push(relative(root, event.file));
  else counts.passed += 1;
});
stream.on('test:fail', (event) => {
  process.exitCode = 1;
  if (event.details.type === 'suite') return;
  counts.failed += 1;
  if (event.file) console.error(`failed in ${relative(root, event.file)}`);
});
process.on('exit', () => {
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  if (emptyFiles.length > 0) console.log(`without a test: ${emptyFiles.join(', ')}`);
  if (counts.skipped > 0 || counts.passed === 0 || emptyFiles.length > 0) process.exitCode = 1;
});
stream.compose(new spec()).pipe(process.stdout);

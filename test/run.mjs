// Runs every test file under test/ with node's own runner, fast folders first, and fails when anything
// was skipped, left as a to-do, or not found: a suite that silently shrinks must not stay green.
// With --torture the tests of shared memory run in their long form.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { bundleTests } from './bundleTests.mjs';
import { hastyProgram } from './hastyProgram.mjs';

const root = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const only = process.argv.slice(2).filter((word) => word !== '--torture');
const torture = process.argv.includes('--torture');
if (torture) process.env['SUBCONSCIOUS_TORTURE'] = '1';

/** Their files have a process each, because they start programs, load the model, or change what a process has once. */
const apart = [
  'cli',
  'config',
  'embedding',
  'examples',
  'front',
  'hooks',
  'host',
  'link',
  'packaging',
  'server',
  'shared',
  'storage',
];
const slowFolders = ['cli', 'server', 'shared'];

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => only.length === 0 || only.some((part) => file.includes(part)))
  .sort((a, b) => speed(a) - speed(b) || a.localeCompare(b));

/** @param {string} file */
function folderOf(file) {
  return file.split('/')[0] ?? '';
}

/** @param {string} file */
function speed(file) {
  return slowFolders.includes(folderOf(file)) ? 1 : 0;
}

if (files.length === 0) {
  console.error(`no test file matches ${only.join(' ') || '*.test.ts'}`);
  process.exit(1);
}

/** Files by the process that runs them. @type {Map<string, string[]>} */
const processes = new Map();
for (const file of files) {
  const name = apart.includes(folderOf(file)) ? file.replaceAll('/', '-') : folderOf(file);
  processes.set(name, [...(processes.get(name) ?? []), file]);
}

/** A file that hangs is a failure, not an endless run; in milliseconds. */
const timeout = torture ? 900_000 : 150_000;
const built = mkdtempSync(join(tmpdir(), 'subconscious-run-'));
process.on('exit', () => rmSync(built, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
if (!torture) {
  const program = join(built, 'program');
  mkdirSync(program);
  hastyProgram(join(root, '..'), program);
  process.env['SUBCONSCIOUS_TEST_PROGRAM'] = program;
}
const bundles = await bundleTests({ root, processes, timeout, outdir: built });

const counts = { passed: 0, failed: 0, skipped: 0 };
/** Each file is a suite of its name. @type {Set<string>} */
const endedFiles = new Set();
/** Tests that ended in the file whose turn it is. */
let inFile = 0;
/** Files without a test. @type {string[]} */
const emptyFiles = [];

// Bundles are to be read in terms of their sources, and need no loader.
process.execArgv = ['--enable-source-maps'];
// Files that share a process share its time; what hangs in one is stopped by the limit of its suite.
const stream = run({ files: bundles, concurrency: availableParallelism(), timeout: timeout * 4 });
stream.on('test:start', ({ nesting }) => {
  if (nesting === 0) inFile = 0;
});
stream.on('test:pass', (event) => {
  if (event.nesting === 0) endedFiles.add(event.name);
  if (event.skip !== undefined || event.todo !== undefined) counts.skipped += 1;
  else if (event.nesting === 0) {
    if (inFile === 0) emptyFiles.push(event.name);
  } else if (event.details.type !== 'suite') {
    counts.passed += 1;
    inFile += 1;
  }
});
stream.on('test:fail', (event) => {
  process.exitCode = 1;
  if (event.nesting === 0) {
    endedFiles.add(event.name);
    console.error(`failed in ${event.name.replace(join(built, '/'), '')}`);
  }
  if (event.details.type === 'suite') return;
  counts.failed += 1;
  inFile += 1;
});
process.on('exit', () => {
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  if (emptyFiles.length > 0) console.log(`without a test: ${emptyFiles.join(', ')}`);
  // Who ends the process that a file shares with others takes them along.
  const lostFiles = files.filter((file) => !endedFiles.has(file));
  if (lostFiles.length > 0) console.log(`not run to the end: ${lostFiles.join(', ')}`);
  if (counts.skipped > 0 || counts.passed === 0 || emptyFiles.length > 0 || lostFiles.length > 0)
    process.exitCode = 1;
});
stream.compose(new spec()).pipe(process.stdout);

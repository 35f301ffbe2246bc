// Runs the tests in real VS Code, two files at a time; `npm run test:vscode -- <part of a path>` only some.
// Installs the editor and packages the extension first. Fails when anything was skipped, left as a to-do, or not
// found. Leaves no processes.
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { packageExtension } from './harness/packaging.js';
import { HOME, SHOTS } from './harness/places.js';
import { killProcessesWith, onExit, removeFolder, RUN, RUN_VARIABLE } from './harness/processes.js';
import { install } from './install.js';

const ROOT = fileURLToPath(new URL('./', import.meta.url));

/** A file that hangs is a failure, not an endless run; in milliseconds. */
const FILE_TIME = 300_000;
/** An editor mostly waits: for its server, its windows, and for what has to stay as it is for a while. */
const FILES_AT_ONCE = 2;

const wanted = process.argv.slice(2);
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.e2e.ts'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()
  .map((file) => join(ROOT, file));
if (files.length === 0) {
  console.error(`no test file matches ${wanted.join(' ') || '*.e2e.ts'}`);
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'subconscious-vscode-run-'));
onExit(() => {
  killProcessesWith(RUN_VARIABLE, RUN);
  removeFolder(folder);
});
Object.assign(process.env, {
  SUBCONSCIOUS_E2E_HOME: HOME,
  SUBCONSCIOUS_E2E_SHOTS: SHOTS,
  // Whatever the tests leave in it, however they end, is removed with it.
  TMPDIR: folder,
});
const begin = performance.now();
const seconds = () => `${((performance.now() - begin) / 1000).toFixed(1)} s`;
install();
packageExtension(join(folder, 'subconscious.vsix'));
console.log(`ready after ${seconds()}`);

const counts = { passed: 0, failed: 0, skipped: 0 };
/** A file without a test passes as one test that is called like the file. */
const emptyFiles: string[] = [];
const stream = run({ files, concurrency: FILES_AT_ONCE, timeout: FILE_TIME });
stream.on('test:pass', ({ name, file, skip, todo, details }) => {
  if (skip !== undefined || todo !== undefined) counts.skipped += 1;
  else if (details.type === 'suite') return;
  else if (name === file) emptyFiles.push(relative(ROOT, file));
  else counts.passed += 1;
});
stream.on('test:fail', ({ file, details }) => {
  process.exitCode = 1;
  if (details.type !== 'suite') counts.failed += 1;
  if (file !== undefined) console.error(`failed in ${relative(ROOT, file)}`);
});
stream.on('end', () => {
  const { passed, failed, skipped } = counts;
  console.log(
    `${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds()}; screenshots: ${SHOTS}`,
  );
  if (emptyFiles.length > 0) console.log(`without a test: ${emptyFiles.join(', ')}`);
  if (skipped > 0 || passed === 0 || emptyFiles.length > 0) process.exitCode = 1;
});
stream.pipe(new spec()).pipe(process.stdout);

// The built program with one difference: SQLite's WebAssembly is not compiled a second time, for speed. That takes half
// of all processor time of a process that lives for some seconds, and tests start hundreds of them.
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The programs that have a store. */
const BUNDLES = ['host.js', 'standalone.js'];
const HASTY = `require('node:v8').setFlagsFromString('--liftoff-only');\n`;

/**
 * @param {string} root Folder of the repository.
 * @param {string} to Folder of the copy; it must exist.
 */
export function hastyProgram(root, to) {
  for (const part of ['dist', 'package.json']) cpSync(join(root, part), join(to, part), { recursive: true });
  for (const part of ['media', 'node_modules']) symlinkSync(join(root, part), join(to, part), 'junction');
  for (const name of BUNDLES) {
    const file = join(to, 'dist', name);
    writeFileSync(file, HASTY + readFileSync(file, 'utf8'));
  }
}

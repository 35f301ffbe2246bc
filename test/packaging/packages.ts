import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unzip } from './unzip.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const HERE = `${process.platform}-${process.arch}`;

/** A package that was made, unpacked into a folder. */
export interface Package {
  /** What the program said. */
  readonly output: string;
  readonly bytes: number;
  /** By name in the archive. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** The extension, as an editor installs it. */
  readonly folder: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** The program that packs what is built. Rejects with `code` and `stderr` where it fails. */
export function pack(...words: string[]) {
  return promisify(execFile)(process.execPath, [join(ROOT, 'vsix.mjs'), '--no-build', ...words]);
}

/** Makes a package in a folder, for one platform or for all of them. */
export async function makePackage(root: string, target: string | null): Promise<Package> {
  const out = join(root, 'made.vsix');
  const { stdout, stderr } = await pack('--out', out, ...(target === null ? [] : ['--target', target]));
  const zip = readFileSync(out);
  const files = unzip(zip);
  for (const [name, content] of files) {
    mkdirSync(dirname(join(root, 'unpacked', name)), { recursive: true });
    writeFileSync(join(root, 'unpacked', name), content);
  }
  const folder = join(root, 'unpacked', 'extension');
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return {
    output: stdout + stderr,
    bytes: zip.length,
    files,
    folder,
    manifest: Object(manifest) as Record<string, unknown>,
  };
}

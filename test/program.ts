import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleProgram } from './bundleTests.mjs';

/** A program of the tests, ready to be started often: Node reads one file and compiles no TypeScript. */
export async function program(source: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'subconscious-program-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return bundleProgram(source, folder);
}

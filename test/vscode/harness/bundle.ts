import { buildSync } from 'esbuild';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('bridge/', import.meta.url));

/** Puts the bridge among the extensions of a profile that has not been used yet. */
export function placeBridge(extensions: string): void {
  const folder = join(extensions, 'test.bridge-0.0.1');
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(SOURCE, 'manifest.json'), join(folder, 'package.json'));
  bundle(join(SOURCE, 'extension.ts'), join(folder, 'extension.js'));
}

/** One file that the editor's Node can load. */
export function bundle(source: string, target: string): void {
  buildSync({
    entryPoints: [source],
    outfile: target,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    logLevel: 'error',
  });
}

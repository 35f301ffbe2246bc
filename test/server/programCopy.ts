import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Sandbox } from './sandbox.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MODEL = join('media', 'models', 'Xenova', 'all-MiniLM-L6-v2');

/** The built program as it is installed, in a place of its own: to be damaged, or read by another user. */
export function copyProgram(box: Sandbox): { readonly server: string; readonly model: string } {
  const root = box.folder('program');
  for (const part of ['dist', 'package.json', MODEL])
    cpSync(join(ROOT, part), join(root, part), { recursive: true });
  for (const name of ['onnxruntime-node', 'onnxruntime-common']) copyPackage(name, root);
  return { server: join(root, 'dist', 'server.js'), model: join(root, MODEL) };
}

/** Without the binaries of other platforms, which are most of its size. */
function copyPackage(name: string, root: string): void {
  const from = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const other = /[/\\]bin[/\\]napi-v\d+[/\\](\w+)(?:[/\\](\w+))?/;
  cpSync(from, join(root, 'node_modules', name), {
    recursive: true,
    filter(source) {
      const [, platform, arch] = other.exec(source) ?? [];
      return (platform ?? process.platform) === process.platform && (arch ?? process.arch) === process.arch;
    },
  });
}

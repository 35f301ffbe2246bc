import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'onnxruntime-node';
const BINDING = 'onnxruntime_binding.node';

/**
 * Where the native runtime for this machine may lie, the nearest first: beside the bundle, as an extension for one
 * platform has it, and in its package. Neither has to exist.
 */
export function nativeFiles(): string[] {
  const { platform, arch } = process;
  const beside = fileURLToPath(new URL(`native/${platform}-${arch}/${BINDING}`, import.meta.url));
  const folder = packageFolder();
  return folder === null ? [beside] : [beside, join(folder, 'bin', 'napi-v3', platform, arch, BINDING)];
}

function packageFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`));
  } catch {
    // An extension has no packages.
    return null;
  }
}

import { existsSync } from 'node:fs';
import { MemoryError } from '../core/errors.js';
import type { Runtime } from './inference.js';
import { nativeFiles } from './nativeFiles.js';
import { wasmFile } from './wasmFile.js';
import { wording } from './wording.js';

/** Both packages have this version: a model must give the same vectors whichever runs it. */
const VERSION = '1.14.0';

/** A way to have a runtime here. */
export interface RuntimeChoice {
  /** e.g. `onnxruntime-node 1.14.0`. */
  readonly name: string;
  /** Whether its files are there, without loading them. */
  readonly isInstalled: () => boolean;
  /** Rejects where it is missing or this machine cannot load it. */
  readonly load: () => Promise<{ readonly runtime: Runtime }>;
}

/** The fastest first. Each is a bundle of its own, so that only what is used is read. */
export const RUNTIMES: readonly RuntimeChoice[] = [
  {
    name: `onnxruntime-node ${VERSION}`,
    isInstalled: () => nativeFiles().some((file) => existsSync(file)),
    load: () => import('./nativeRuntime.js'),
  },
  {
    name: `onnxruntime-web ${VERSION} (wasm)`,
    isInstalled: () => existsSync(wasmFile()),
    load: () => import('./wasmRuntime.js'),
  },
];

/**
 * Loads the first runtime that this machine can load.
 *
 * @throws MemoryError (`no_model`) where none can be loaded, with the reason of each.
 */
export async function loadRuntime(
  choices: readonly RuntimeChoice[] = RUNTIMES,
): Promise<Runtime & { readonly name: string }> {
  const reasons: string[] = [];
  for (const { name, load } of choices) {
    try {
      const { runtime } = await load();
      return { ...runtime, name };
    } catch (cause) {
      // The first line is the reason, what follows are stacks of `require`.
      reasons.push(`${name}: ${wording(cause).split('\n', 1).join('')}`);
    }
  }
  throw new MemoryError(
    'no_model',
    `No embedding runtime can be loaded on ${process.platform}-${process.arch} (${reasons.join('; ')}). ` +
      'Search by words still works. Install the package anew on this machine.',
  );
}

/** Name and version of the runtime that is tried first, without loading it. Which one it became is known only then. */
export function runtimeName(choices: readonly RuntimeChoice[] = RUNTIMES): string {
  // Said in the name, because people read it; the error itself comes from loadRuntime.
  return choices.find((choice) => choice.isInstalled())?.name ?? 'not installed';
}

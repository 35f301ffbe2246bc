import { createRequire } from 'node:module';
import type * as OnnxRuntime from 'onnxruntime-node';
import { MemoryError } from '../core/errors.js';
import { wording } from './wording.js';

const PACKAGE = 'onnxruntime-node';

/**
 * Loads the native runtime. A `require` made here is not followed by the bundler, so the package is found in
 * its own folder at run time, and not having it is an error like any other.
 *
 * @throws MemoryError (`no_model`) where the package or its binary for this platform is missing or unloadable.
 */
export function loadRuntime(): typeof OnnxRuntime {
  try {
    // `require` is untyped; the package's own types describe what it returns.
    return createRequire(import.meta.url)(PACKAGE) as typeof OnnxRuntime;
  } catch (cause) {
    const why = wording(cause).split('\n', 1).join('');
    throw new MemoryError(
      'no_model',
      `The embedding runtime ${PACKAGE} cannot be loaded on ${process.platform}-${process.arch}: ${why}. ` +
        'Search by words still works. Install the package anew on this machine; the runtime exists for ' +
        'Linux with glibc, macOS and Windows, on x64 and arm64.',
      { cause },
    );
  }
}

/** Name and version of the runtime, e.g. `onnxruntime-node 1.14.0`, without loading it. */
export function runtimeName(): string {
  try {
    const manifest: unknown = createRequire(import.meta.url)(`${PACKAGE}/package.json`);
    const version =
      typeof manifest === 'object' && manifest !== null && 'version' in manifest
        ? manifest.version
        : undefined;
    return typeof version === 'string' ? `${PACKAGE} ${version}` : PACKAGE;
  } catch {
    // Said in the name, because people read it; the error itself comes from loadRuntime.
    return `${PACKAGE} (not installed)`;
  }
}

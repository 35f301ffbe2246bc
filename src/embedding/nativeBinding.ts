// In the bundle, stands in for the file of onnxruntime-node that loads the native code from within its package.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { nativeFiles } from './nativeFiles.js';

/** @throws Error as `require` words it, for the last file that is there. */
function load(): unknown {
  let failure: unknown = new Error(`it is not installed for ${process.platform}-${process.arch}`);
  for (const file of nativeFiles().filter((path) => existsSync(path))) {
    try {
      return createRequire(import.meta.url)(file);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

export const binding = load();

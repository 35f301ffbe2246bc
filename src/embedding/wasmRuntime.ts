import { accessSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import onnx from 'onnxruntime-web';
import type { Runtime } from './inference.js';
import { wasmFile } from './wasmFile.js';

/** Events that the WebAssembly's start code listens to, as if the process were its own. */
const TAKEN = ['uncaughtException', 'unhandledRejection'];

accessSync(wasmFile());
onnx.env.wasm.wasmPaths = dirname(wasmFile()) + sep;
// Neither worker threads nor SharedArrayBuffer.
onnx.env.wasm.numThreads = 1;

export const runtime: Runtime = {
  Tensor: onnx.Tensor,
  async open(file) {
    // Given a path it would ask the network.
    const model = await readFile(file);
    const known = TAKEN.map((event) => process.rawListeners(event));
    try {
      return await onnx.InferenceSession.create(model, { executionProviders: ['wasm'] });
    } finally {
      TAKEN.forEach((event, index) => {
        for (const listener of process.rawListeners(event))
          if (known[index]?.includes(listener) !== true) process.off(event, listener as () => void);
      });
    }
  },
};

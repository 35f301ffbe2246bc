import { fileURLToPath } from 'node:url';

/** The WebAssembly of the runtime, which the build puts beside the bundles. Every Node since 16 can run its SIMD. */
export function wasmFile(): string {
  const folder = import.meta.url.endsWith('.ts') ? '../../dist' : '.';
  return fileURLToPath(new URL(`${folder}/ort-wasm-simd.wasm`, import.meta.url));
}

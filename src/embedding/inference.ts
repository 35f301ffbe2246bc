import type { InferenceSession, Tensor } from 'onnxruntime-node';

/** ONNX Runtime, as native code or as WebAssembly. */
export interface Runtime {
  readonly Tensor: typeof Tensor;
  /** Loads the model in `file` for one thread. On a busy machine several wait for each other, and short texts gain nothing. */
  readonly open: (file: string) => Promise<InferenceSession>;
}

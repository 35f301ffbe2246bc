import onnx from 'onnxruntime-node';
import type { Runtime } from './inference.js';

export const runtime: Runtime = {
  Tensor: onnx.Tensor,
  open: (file) =>
    onnx.InferenceSession.create(file, {
      executionProviders: ['cpu'],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
    }),
};

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PreTrainedTokenizer } from '@xenova/transformers/src/tokenizers.js';
import { verifyModel } from './modelFiles.js';
import { combine, excerpt, normalize, splitPieces } from './pieces.js';
import { loadRuntime, type RuntimeChoice } from './runtime.js';

/** A loaded model. */
export interface EmbeddingSession {
  /** Name and version of what runs the model. */
  readonly runtime: string;
  /** Unit vectors, one per text, in order. `onPiece` is called after every step of at most 0.2 s. */
  embed(texts: readonly string[], onPiece?: () => void): Promise<Float32Array[]>;
}

/**
 * Checks and loads the model in `folder`; takes about a third of a second and 100 MB.
 *
 * @throws MemoryError (`no_model`) where a file is damaged or no runtime can be loaded.
 */
export async function loadSession(
  folder: string,
  choices?: readonly RuntimeChoice[],
): Promise<EmbeddingSession> {
  const { Tensor, open, name } = await loadRuntime(choices);
  await verifyModel(folder);
  const [tokenizerJson, tokenizerConfig] = await Promise.all(
    ['tokenizer.json', 'tokenizer_config.json'].map((file) => readFile(join(folder, file), 'utf8')),
  );
  const tokenizer = new PreTrainedTokenizer(
    JSON.parse(tokenizerJson ?? ''),
    JSON.parse(tokenizerConfig ?? ''),
  );
  const marks = tokenizer.encode('');
  const model = await open(join(folder, 'onnx/model_quantized.onnx'));

  /** Mean of the model's output over all word pieces, scaled to length 1. */
  async function embedPiece(content: readonly number[]): Promise<Float32Array> {
    const ids = [...marks.slice(0, 1), ...content, ...marks.slice(1)];
    const tensor = (value: (id: number) => number) =>
      new Tensor(
        'int64',
        BigInt64Array.from(ids, (id) => BigInt(value(id))),
        [1, ids.length],
      );
    const output = await model.run({
      input_ids: tensor((id) => id),
      attention_mask: tensor(() => 1),
      // Models descended from RoBERTa, most multilingual ones among them, do not have it.
      ...(model.inputNames.includes('token_type_ids') && { token_type_ids: tensor(() => 0) }),
    });
    const states = output['last_hidden_state']?.data;
    if (!(states instanceof Float32Array))
      throw new Error('the model has no float output "last_hidden_state"');
    const sum = new Float32Array(states.length / ids.length);
    states.forEach((value, at) => (sum[at % sum.length] = (sum[at % sum.length] ?? 0) + value));
    return normalize(sum);
  }

  async function embedText(text: string, onPiece: () => void): Promise<Float32Array> {
    // A lone surrogate, from a cut inside a character, becomes U+FFFD, which the tokenizer drops.
    const ids = tokenizer.encode(excerpt(text).toWellFormed(), null, { add_special_tokens: false });
    const pieces = splitPieces(ids);
    const vectors: Float32Array[] = [];
    for (const piece of pieces) {
      vectors.push(await embedPiece(piece));
      onPiece();
      // The runtime works on this thread: let messages, or a host without a child, have their turn.
      await nextTurn();
    }
    return combine(
      vectors,
      pieces.map((piece) => Math.max(1, piece.length)),
    );
  }

  return {
    runtime: name,
    // One by one, never as a padded batch: the model scales its 8-bit activations over the whole input, so in
    // a batch a text's vector depends on its neighbours (cosine .988 to .993), and on one thread it is no faster.
    async embed(texts, onPiece = () => undefined) {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(await embedText(text, onPiece));
      return vectors;
    },
  };
}

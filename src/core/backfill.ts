import { MemoryError } from './errors.js';
import type { Memory } from './memory.js';
import type { Parts } from './parts.js';

const BATCH = 32;
/** Failures on one text after which it is left alone until a restart: the cause is the text, not a bad moment. */
const ENOUGH = 2;

export interface Filling {
  readonly stopped: () => boolean;
  /** How often the model failed on the text of a row, by id. */
  readonly failures: Map<string, number>;
}

/**
 * Gives a vector to every row that has none, a batch at a time, in the background.
 * Stops where there is no model: the rows stay listed, and the next call goes on.
 */
export async function fillVectors(parts: Parts, { stopped, failures }: Filling): Promise<void> {
  const { index, store, embedder } = parts;
  for (;;) {
    const ids = index.withoutVector(BATCH, (id) => (failures.get(id) ?? 0) >= ENOUGH);
    if (ids.length === 0 || stopped()) return;
    const memories = (await Promise.all(ids.map((id) => store.get(id)))).filter((memory) => memory !== null);
    if (memories.length === 0) return;
    const vectors = await embedAll(parts, memories, stopped);
    if (stopped()) return;
    const filled = memories.flatMap(({ id }, at) => {
      const values = vectors[at];
      if (!values) failures.set(id, (failures.get(id) ?? 0) + 1);
      return values ? [{ id, vector: { model: embedder.model, values } }] : [];
    });
    await store.setVectors(filled);
    for (const { id, vector } of filled) index.setVector(id, vector.values);
  }
}

/** One vector a row, null for a text the model fails on: it must not keep the others from theirs. */
async function embedAll(
  parts: Parts,
  memories: readonly Memory[],
  stopped: () => boolean,
): Promise<(Float32Array | null)[]> {
  const { embedder } = parts;
  try {
    const texts = memories.map((memory) => memory.task);
    return await embedder.embed(texts, 'bulk');
  } catch (error) {
    const expected = error instanceof MemoryError && error.reason === 'no_model';
    if (!expected || embedder.state.status === 'unavailable' || stopped()) throw error;
    if (memories.length === 1) return [null];
  }
  const each: (Float32Array | null)[] = [];
  for (const memory of memories) each.push(...(await embedAll(parts, [memory], stopped)));
  return each;
}

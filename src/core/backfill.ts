import type { Parts } from './parts.js';

const BATCH = 32;

/**
 * Gives a vector to every row that has none, a batch at a time, in the background.
 * Stops at the first failure: the rows stay listed, and the next call goes on.
 */
export async function fillVectors(parts: Parts, stopped: () => boolean): Promise<void> {
  const { index, store, embedder } = parts;
  for (;;) {
    const ids = index.withoutVector(BATCH);
    if (ids.length === 0 || stopped()) return;
    const memories = (await Promise.all(ids.map((id) => store.get(id)))).filter((memory) => memory !== null);
    if (memories.length === 0) return;
    const vectors = await embedder.embed(
      memories.map((memory) => memory.task),
      'bulk',
    );
    if (stopped()) return;
    const filled = memories.flatMap(({ id }, at) => {
      const values = vectors[at];
      return values ? [{ id, vector: { model: embedder.model, values } }] : [];
    });
    if (filled.length === 0) return;
    await store.setVectors(filled);
    for (const { id, vector } of filled) index.setVector(id, vector.values);
  }
}

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
export async function fillVectors(parts: Parts, filling: Filling): Promise<void> {
  const { index, store } = parts;
  const { stopped, failures } = filling;
  for (;;) {
    const ids = index.withoutVector(BATCH, (id) => (failures.get(id) ?? 0) >= ENOUGH);
    if (ids.length === 0 || stopped()) return;
    const memories = (await Promise.all(ids.map((id) => store.get(id)))).filter((memory) => memory !== null);
    if (memories.length === 0) return;
    await fill(parts, memories, filling);
  }
}

/** Where the model fails on these texts, each is tried alone: one must not keep the others from their vectors. */
async function fill(parts: Parts, memories: readonly Memory[], filling: Filling): Promise<void> {
  const { index, store, embedder } = parts;
  const { stopped, failures } = filling;
  const vectors = await embedTasks(parts, memories, stopped);
  if (stopped()) return;
  if (vectors === null && memories.length > 1) {
    for (const memory of memories) await fill(parts, [memory], filling);
    return;
  }
  const filled = memories.flatMap(({ id }, at) => {
    const values = vectors?.[at];
    // One of another length cannot be searched, and would be asked for again for ever.
    if (values?.length === embedder.dimension) return [{ id, vector: { model: embedder.model, values } }];
    failures.set(id, (failures.get(id) ?? 0) + 1);
    return [];
  });
  await store.setVectors(filled);
  for (const { id, vector } of filled) index.setVector(id, vector.values);
}

/** Null where the model works, and fails on a text among these. */
async function embedTasks(
  { embedder }: Parts,
  memories: readonly Memory[],
  stopped: () => boolean,
): Promise<Float32Array[] | null> {
  try {
    const tasks = memories.map((memory) => memory.task);
    return await embedder.embed(tasks, 'bulk');
  } catch (error) {
    const expected = error instanceof MemoryError && error.reason === 'no_model';
    if (!expected || embedder.state.status === 'unavailable' || stopped()) throw error;
    return null;
  }
}

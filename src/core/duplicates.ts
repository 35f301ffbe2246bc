import type { Memory } from './memory.js';
import { visibleTo } from './memoryIndex.js';
import { fourDecimals, memoryAt, similarityOf, type Parts } from './parts.js';
import { foldSpace } from './text.js';

/** What is about to be stored. */
interface NewEntry {
  readonly task: string;
  readonly answer: string;
  readonly project: string;
  readonly supersedes?: string | undefined;
}

export interface NearDuplicate {
  readonly nearest_task: string;
  readonly nearest_similarity: number;
  readonly nearest_entry_id: string;
}

/** Cosines in which a neighbour is neither the same task nor another one. */
const NEAR_DUPLICATE = { from: 0.75, to: 0.92 };

/** The row that holds this very task and answer already, if any. */
export async function exactDuplicate(
  parts: Parts,
  request: NewEntry,
  project: string,
): Promise<Memory | null> {
  for (const row of parts.index.identical(request.task, { projects: [project], kind: 'memory' })) {
    const memory = await parts.store.get(row.id);
    if (memory?.answer !== request.answer) continue;
    if (foldSpace(memory.task) === foldSpace(request.task)) return memory;
  }
  return null;
}

/** The nearest entry, where it is near enough to be said: perhaps the same task, or almost certainly. */
export async function nearestEntry(
  parts: Parts,
  request: NewEntry,
  vector: Float32Array | null,
): Promise<{ kind: 'near_duplicate' | 'same_task'; found: NearDuplicate } | null> {
  if (!vector) return null;
  const filter = {
    projects: visibleTo(request.project),
    kind: 'memory',
    except: request.supersedes,
  } as const;
  const [nearest] = parts.index.nearest(vector, 1, filter);
  if (!nearest) return null;
  // Rounded, since a vector of 32-bit floats that lies at .92 measures a little more.
  const similarity = similarityOf(nearest.score);
  if (similarity < NEAR_DUPLICATE.from) return null;
  const memory = await memoryAt(parts, nearest.slot);
  if (!memory) return null;
  const found = {
    nearest_task: memory.task,
    nearest_similarity: fourDecimals(similarity),
    nearest_entry_id: memory.id,
  };
  return { kind: similarity > NEAR_DUPLICATE.to ? 'same_task' : 'near_duplicate', found };
}

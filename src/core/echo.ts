import type { MemoryKind } from './memory.js';
import { visibleTo } from './memoryIndex.js';
import { embedOrNull, similarityOf, type Parts } from './parts.js';

export interface EchoRequest {
  readonly task: string;
  readonly project: string;
  readonly topK: number;
  readonly tags?: readonly string[] | undefined;
}

export interface Echo {
  readonly entry_id: string;
  readonly similarity: number;
  readonly task_text: string;
  readonly stored_at: number;
  readonly tags: readonly string[];
  readonly kind: MemoryKind;
}

export interface EchoResult {
  /** Rows this project can see, expired ones and episodes included. */
  readonly count: number;
  readonly echoes: readonly Echo[];
  readonly degraded?: 'no_model';
}

/** What lies near a task, without any answer. Records nothing. */
export async function echo(parts: Parts, request: EchoRequest): Promise<EchoResult> {
  const projects = visibleTo(request.project);
  const count = countVisible(parts, projects);
  if (count === 0) return { count, echoes: [] };
  const filter = { projects, tags: request.tags, now: parts.sources.now() };
  const vector = await embedOrNull(parts, request.task);
  const same = parts.index.identical(request.task, filter).map((row) => ({ slot: row.slot, score: 1 }));
  const near = vector ? parts.index.nearest(vector, request.topK, filter) : [];
  const ranked = [...same, ...near.filter((found) => !same.some((row) => row.slot === found.slot))];
  const echoes: Echo[] = [];
  for (const { slot, score } of ranked.slice(0, request.topK)) {
    const memory = await parts.store.get(parts.index.at(slot)?.id ?? '');
    if (!memory) continue;
    const { id, task, storedAt, tags, kind } = memory;
    echoes.push({
      entry_id: id,
      similarity: similarityOf(score),
      task_text: task,
      stored_at: storedAt,
      tags,
      kind,
    });
  }
  return { count, echoes, ...(vector ? {} : { degraded: 'no_model' as const }) };
}

/** Current rows of these projects (null: of all), whatever their kind or expiry. */
export function countVisible(parts: Parts, projects: readonly string[] | null): number {
  let count = 0;
  for (const row of parts.index.values()) {
    if (!row.superseded && (projects === null || projects.includes(row.project))) count += 1;
  }
  return count;
}

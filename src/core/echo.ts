import type { MemoryKind } from './memory.js';
import { maskedTask } from './maskSecrets.js';
import { visibleTo } from './memoryIndex.js';
import { embedOrNull, type Hurry, type Parts } from './parts.js';
import { nearestRows } from './similarity.js';

export interface EchoRequest {
  readonly task: string;
  readonly project: string;
  readonly topK: number;
  readonly tags?: readonly string[] | undefined;
  readonly hurry?: Hurry | undefined;
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
export async function echo(parts: Parts, asked: EchoRequest): Promise<EchoResult> {
  const request = { ...asked, task: maskedTask(parts.redact, asked.task) };
  const projects = visibleTo(request.project);
  const count = parts.index.count(projects);
  if (count === 0) return { count, echoes: [] };
  const filter = { projects, tags: request.tags, now: parts.sources.now() };
  const vector = await embedOrNull(parts, request.task, request.hurry);
  const same = parts.index.identical(request.task, filter).map((row) => ({ row, similarity: 1 }));
  const near = vector ? nearestRows(parts, request.task, vector, request.topK, filter) : [];
  const found = [...same, ...near.filter(({ row }) => !same.some((twin) => twin.row.slot === row.slot))];
  const echoes: Echo[] = [];
  for (const { row, similarity } of found.slice(0, request.topK)) {
    const memory = await parts.store.get(row.id);
    if (!memory) continue;
    const { id, task, storedAt, tags, kind } = memory;
    echoes.push({ entry_id: id, similarity, task_text: task, stored_at: storedAt, tags, kind });
  }
  return { count, echoes, ...(vector ? {} : { degraded: 'no_model' as const }) };
}

import type { Memory, MemoryKind, RecallRecord, Vector } from '../core/memory.js';
import type { SqlValue } from './logPayload.js';

/** Columns of a memory, in the order of {@link memoryOf} and {@link memoryValues}. */
const MEMORY = [
  'id',
  'kind',
  'project',
  'task',
  'answer',
  'tags',
  'source',
  'stored_at',
  'expires_at',
  'superseded_by',
  'deleted_at',
];
export const MEMORY_COLUMNS = MEMORY.join(', ');

/** The same columns to select, of the table under this name. */
export function selectedMemory(table = 'memories'): string {
  return MEMORY.map((column) =>
    AS_WRITTEN.includes(column) ? asWritten(`${table}.${column}`) : `${table}.${column}`,
  ).join(', ');
}

/** Texts of people. Read as bytes: sql.js drops a byte order mark at the start of what it reads as text. */
const AS_WRITTEN = ['task', 'answer', 'tags', 'source'];
export function asWritten(column: string): string {
  return `CAST(${column} AS BLOB)`;
}

export function memoryValues(memory: Memory): SqlValue[] {
  return [
    memory.id,
    memory.kind,
    memory.project,
    memory.task,
    memory.answer,
    JSON.stringify(memory.tags),
    memory.source,
    memory.storedAt,
    memory.expiresAt,
    memory.supersededBy,
    memory.deletedAt,
  ];
}

export function memoryOf(row: readonly SqlValue[]): Memory {
  const [id, kind, project, task, answer, tags, source, storedAt, expiresAt, supersededBy, deletedAt] = row;
  return {
    id: text(id),
    // Only memoryValues writes this column.
    kind: text(kind) as MemoryKind,
    project: text(project),
    task: text(task),
    answer: text(answer),
    tags: JSON.parse(text(tags)) as string[],
    source: text(source),
    storedAt: Number(storedAt),
    expiresAt: numberOrNull(expiresAt),
    supersededBy: textOrNull(supersededBy),
    deletedAt: numberOrNull(deletedAt),
  };
}

/** Columns of a recall record, in the order of {@link recallOf} and {@link recallValues}. */
export const RECALL_COLUMNS = 'at, project, query, entry_id, similarity, hit, threshold';
/** The same columns to select. */
export const SELECTED_RECALL = RECALL_COLUMNS.replace('query', asWritten('query'));

export function recallValues(record: RecallRecord): SqlValue[] {
  const { at, project, query, entryId, similarity, hit, threshold } = record;
  return [at, project, query, entryId, similarity, hit ? 1 : 0, threshold];
}

export function recallOf(row: readonly SqlValue[]): RecallRecord {
  const [at, project, query, entryId, similarity, hit, threshold] = row;
  return {
    at: Number(at),
    project: text(project),
    query: textOrNull(query),
    entryId: textOrNull(entryId),
    similarity: Number(similarity),
    hit: hit === 1,
    threshold: Number(threshold),
  };
}

/** Float32, little-endian: the byte order of every machine the program runs on. */
export function vectorBytes({ values }: Vector): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice();
}

export function vectorOf(model: string, data: SqlValue | undefined): Vector | null {
  if (!(data instanceof Uint8Array)) return null;
  const bytes = data.slice();
  return { model, values: new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4)) };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function text(value: SqlValue | undefined): string {
  return textOrNull(value) ?? '';
}

export function textOrNull(value: SqlValue | undefined): string | null {
  if (value instanceof Uint8Array) return decoder.decode(value);
  return typeof value === 'string' ? value : null;
}

export function numberOrNull(value: SqlValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

import { maskedTask } from './maskSecrets.js';
import { visibleTo, type Filter, type Row } from './memoryIndex.js';
import { embedOrNull, similarityOf, type Hurry, type Parts, type Settings } from './parts.js';
import { nearestRows, type Found } from './similarity.js';

export interface RecallRequest {
  readonly task: string;
  readonly project: string;
  readonly settings: Settings;
  readonly threshold?: number | undefined;
  /** Nearest rows considered. */
  readonly topK: number;
  readonly tags?: readonly string[] | undefined;
  readonly hurry?: Hurry | undefined;
}

/** `busy`: there is a model, but it had too much to do to answer in time. */
export type MissReason = 'empty' | 'filtered' | 'below_threshold' | 'no_model' | 'busy';

export interface NearestEntry {
  readonly entry_id: string;
  /** null where words, not vectors, found it. */
  readonly similarity: number | null;
  readonly task_text: string;
}

export interface RecallResult {
  readonly hit: boolean;
  readonly similarity: number;
  readonly answer: string | null;
  readonly task_text: string | null;
  readonly entry_id: string | null;
  readonly stored_at: number | null;
  readonly tags: readonly string[];
  readonly reason?: MissReason;
  readonly nearest?: NearestEntry;
  readonly degraded?: 'no_model';
}

/** A miss this close to the threshold names the entry it missed. */
const NEAR_MISS = 0.15;
/** Has this been done before? A hit carries the stored answer; a miss says why. Every call is recorded. */
export async function recall(parts: Parts, asked: RecallRequest): Promise<RecallResult> {
  // As it would have been stored, so that it finds itself, and as it is written down.
  const request = { ...asked, task: maskedTask(parts.redact, asked.task) };
  const threshold = request.threshold ?? request.settings.defaultThreshold;
  const filter: Filter = {
    projects: visibleTo(request.project),
    kind: 'memory',
    tags: request.tags,
    now: parts.sources.now(),
  };
  const { result, nearest } = await decide(parts, request, filter, threshold);
  await record(parts, request, result, nearest, threshold);
  return result;
}

interface Decision {
  readonly result: RecallResult;
  readonly nearest: string | null;
}

async function decide(
  parts: Parts,
  request: RecallRequest,
  filter: Filter,
  threshold: number,
): Promise<Decision> {
  const { index, embedder } = parts;
  const [same] = index.identical(request.task, filter);
  if (same) {
    const degraded = embedder.state.status === 'unavailable';
    return { result: await hit(parts, { row: same, similarity: 1 }, degraded), nearest: same.id };
  }
  const reason = whyEmpty(parts, filter);
  if (reason) return { result: miss(0, reason), nearest: null };

  const vector = await embedOrNull(parts, request.task, request.hurry);
  if (!vector) return missByWords(parts, request, filter);
  const [best] = nearestRows(parts, request.task, vector, request.topK, filter);
  // None of the rows has a vector of this model yet.
  if (!best) return missByWords(parts, request, filter);
  if (best.similarity >= threshold) return { result: await hit(parts, best, false), nearest: best.row.id };
  const near =
    best.similarity >= similarityOf(threshold - NEAR_MISS)
      ? await entry(parts, best.row, best.similarity)
      : undefined;
  return { result: miss(best.similarity, 'below_threshold', near), nearest: best.row.id };
}

function whyEmpty(parts: Parts, filter: Filter): MissReason | null {
  const accept = parts.index.accept(filter);
  const visible = parts.index.accept({ projects: filter.projects, kind: 'memory', now: filter.now });
  let any = false;
  for (const row of parts.index.values()) {
    if (accept(row.slot)) return null;
    any ||= visible(row.slot);
  }
  return any ? 'filtered' : 'empty';
}

async function missByWords(parts: Parts, request: RecallRequest, filter: Filter): Promise<Decision> {
  const [ranked] = parts.index.byWords(request.task, 1, filter);
  const row = ranked && parts.index.at(ranked.slot);
  const near = row && (await entry(parts, row, null));
  const reason = parts.embedder.state.status === 'ready' ? 'busy' : 'no_model';
  return { result: { ...miss(0, reason, near), degraded: 'no_model' }, nearest: row?.id ?? null };
}

async function entry(parts: Parts, row: Row, similarity: number | null): Promise<NearestEntry | undefined> {
  const memory = await parts.store.get(row.id);
  return memory ? { entry_id: row.id, similarity, task_text: memory.task } : undefined;
}

async function hit(parts: Parts, found: Found, degraded: boolean): Promise<RecallResult> {
  const memory = await parts.store.get(found.row.id);
  // Forgotten while the question was being embedded.
  if (!memory || memory.deletedAt !== null) return miss(0, 'below_threshold');
  return {
    hit: true,
    similarity: found.similarity,
    answer: memory.answer,
    task_text: memory.task,
    entry_id: memory.id,
    stored_at: memory.storedAt,
    tags: memory.tags,
    ...(degraded ? { degraded: 'no_model' as const } : {}),
  };
}

function miss(similarity: number, reason: MissReason, nearest?: NearestEntry): RecallResult {
  const nothing = { answer: null, task_text: null, entry_id: null, stored_at: null, tags: [] };
  return { hit: false, similarity, ...nothing, reason, ...(nearest ? { nearest } : {}) };
}

async function record(
  parts: Parts,
  request: RecallRequest,
  result: RecallResult,
  nearest: string | null,
  threshold: number,
): Promise<void> {
  const { recallLogEnabled, recallLogMaxBytes } = request.settings;
  const outcome = {
    at: parts.sources.now(),
    project: request.project,
    query: recallLogEnabled ? request.task : null,
    entryId: recallLogEnabled ? nearest : null,
    similarity: result.similarity,
    hit: result.hit,
    threshold,
  };
  // An answer is worth more than its log line: a full disk must not turn a hit into an error.
  const recorded = await parts.store.appendRecall(outcome, recallLogMaxBytes).then(
    () => true,
    () => false,
  );
  const found = recorded && result.hit && nearest !== null ? await parts.store.get(nearest) : null;
  if (found) parts.changes.tell([found], { bookkeeping: true });
}

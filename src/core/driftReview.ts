import { findDrift, foldQuestion, type DriftCandidate, type DriftRequest } from './drift.js';
import type { Memory, RecallRecord } from './memory.js';
import { fourDecimals, type Parts } from './parts.js';
import { shorten, TASK_LENGTH } from './text.js';

export interface DriftReviewRequest extends DriftRequest {
  /** Also what somebody has looked at since there was news of it. */
  readonly reviewed: boolean;
}

/** The same question, however often and with which white space and case it was asked. */
export interface AskedQuestion {
  /** As it was asked last; cut off at {@link TASK_LENGTH}. */
  readonly text: string;
  readonly similarity_min: number;
  readonly similarity_max: number;
  readonly count: number;
  /** Epoch seconds. */
  readonly last_at: number;
}

export interface ReviewCandidate extends Omit<DriftCandidate, 'task_text' | 'still_stored'> {
  /** Cut off at {@link TASK_LENGTH}. */
  readonly task_text: string;
  readonly reviewed: boolean;
  /** Least similar first, at most {@link MOST_QUESTIONS}. */
  readonly questions: readonly AskedQuestion[];
}

export interface DriftReview {
  readonly analyzed_recalls: number;
  /** Widest spread first, at most {@link MOST_CANDIDATES}. */
  readonly candidates: readonly ReviewCandidate[];
  /** Candidates beyond these, where there are any. */
  readonly more?: number;
}

const MOST_QUESTIONS = 50;
const MOST_CANDIDATES = 200;

/** What the drift report says of stored entries, with the evidence, for people who look at one after the other. */
export async function reviewDrift(parts: Parts, request: DriftReviewRequest): Promise<DriftReview> {
  const { analyzed_recalls, drifting } = await findDrift(parts, request);
  const marks = await parts.store.reviews(request.project);
  const candidates: ReviewCandidate[] = [];
  let more = 0;
  for (const { id, memory, hits, measured } of drifting) {
    if (memory === null) continue;
    const mark = marks.get(id);
    const reviewed = mark !== undefined && !hasNews(hits, mark);
    if (reviewed && !request.reviewed) continue;
    if (candidates.length === MOST_CANDIDATES) more += 1;
    else candidates.push(candidate(memory, measured, reviewed, hits));
    await parts.sources.turn();
  }
  return { analyzed_recalls, candidates, ...(more > 0 ? { more } : {}) };
}

function candidate(
  memory: Memory,
  measured: Omit<ReviewCandidate, 'entry_id' | 'task_text' | 'reviewed' | 'questions'>,
  reviewed: boolean,
  hits: readonly RecallRecord[],
): ReviewCandidate {
  const task_text = shorten(memory.task, TASK_LENGTH);
  return { entry_id: memory.id, task_text, ...measured, reviewed, questions: questionsOf(hits) };
}

/** Whether a question was asked after the mark that had not been asked before it. */
function hasNews(hits: readonly RecallRecord[], mark: number): boolean {
  const known = new Set(hits.filter(({ at }) => at <= mark).map(({ query }) => foldQuestion(query)));
  return hits.some(({ at, query }) => at > mark && !known.has(foldQuestion(query)));
}

function questionsOf(hits: readonly RecallRecord[]): AskedQuestion[] {
  const asked = new Map<string, AskedQuestion>();
  for (const { query, similarity, at } of hits) {
    const fold = foldQuestion(query);
    const before = asked.get(fold);
    asked.set(fold, {
      text: shorten(query ?? '', TASK_LENGTH),
      similarity_min: Math.min(before?.similarity_min ?? similarity, similarity),
      similarity_max: Math.max(before?.similarity_max ?? similarity, similarity),
      count: (before?.count ?? 0) + 1,
      last_at: Math.max(before?.last_at ?? at, at),
    });
  }
  return [...asked.values()]
    .sort((a, b) => a.similarity_min - b.similarity_min || b.last_at - a.last_at)
    .slice(0, MOST_QUESTIONS)
    .map((question) => ({
      ...question,
      similarity_min: fourDecimals(question.similarity_min),
      similarity_max: fourDecimals(question.similarity_max),
    }));
}

/**
 * Notes that somebody has looked at these entries: they are no candidates any more until there is news of them.
 * Returns those that are stored.
 */
export function markReviewed(parts: Parts, ids: readonly string[], project: string): Promise<string[]> {
  const { store, sources, changes } = parts;
  return parts.exclusive(async () => {
    const rows: Memory[] = [];
    for (const id of new Set(ids)) {
      const memory = await store.get(id);
      if (memory?.deletedAt === null) rows.push(memory);
    }
    const marked = rows.map(({ id }) => id);
    if (marked.length === 0) return [];
    await store.markReviewed(project, marked, sources.now());
    changes.tell(rows, { bookkeeping: true });
    return marked;
  });
}

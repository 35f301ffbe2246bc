import type { Memory, RecallRecord } from './memory.js';
import { fourDecimals, type Parts } from './parts.js';

export interface DriftRequest {
  readonly project: string;
  readonly minHits: number;
  readonly minSpread: number;
}

export interface DriftCandidate {
  readonly entry_id: string;
  readonly task_text: string | null;
  readonly still_stored: boolean;
  readonly hits: number;
  readonly distinct_queries: number;
  readonly similarity_min: number;
  readonly similarity_max: number;
  readonly similarity_spread: number;
}

export interface DriftReport {
  readonly analyzed_recalls: number;
  readonly entries_with_hits: number;
  readonly candidates: readonly DriftCandidate[];
}

/** Entries that answer questions of very different closeness: often one answer serving several tasks. */
export async function driftReport(parts: Parts, request: DriftRequest): Promise<DriftReport> {
  const { drifting, ...counts } = await findDrift(parts, request);
  const candidates = drifting.map(({ id, memory, measured }) => ({
    entry_id: id,
    task_text: memory?.task ?? null,
    still_stored: memory !== null,
    ...measured,
  }));
  return { ...counts, candidates };
}

export interface Drifting {
  readonly id: string;
  /** Null where it is not stored any more. */
  readonly memory: Memory | null;
  /** Oldest first, each with its question. */
  readonly hits: readonly RecallRecord[];
  readonly measured: ReturnType<typeof measure>;
}

/** What both reports are made of; the widest spread first. */
export async function findDrift(
  parts: Parts,
  request: DriftRequest,
): Promise<Pick<DriftReport, 'analyzed_recalls' | 'entries_with_hits'> & { readonly drifting: Drifting[] }> {
  const records = (await parts.store.recalls(request.project)).filter((record) => record.query !== null);
  const groups = groupHits(records);
  const drifting: Drifting[] = [];
  let looked = 0;
  for (const [id, hits] of groups) {
    looked += hits.length;
    if (looked > SLICE) {
      looked = 0;
      await parts.sources.turn();
    }
    const measured = measure(hits);
    if (hits.length < Math.max(1, request.minHits) || measured.distinct_queries < 2) continue;
    if (measured.similarity_spread < request.minSpread) continue;
    const memory = await parts.store.get(id);
    drifting.push({ id, memory: memory?.deletedAt === null ? memory : null, hits, measured });
  }
  drifting.sort((a, b) => b.measured.similarity_spread - a.measured.similarity_spread);
  return { analyzed_recalls: records.length, entries_with_hits: groups.size, drifting };
}

/** Hits looked at before others have a turn. */
const SLICE = 1000;

function groupHits(records: readonly RecallRecord[]): Map<string, RecallRecord[]> {
  const groups = new Map<string, RecallRecord[]>();
  for (const record of records) {
    if (!record.hit || record.entryId === null) continue;
    const group = groups.get(record.entryId);
    if (group) group.push(record);
    else groups.set(record.entryId, [record]);
  }
  return groups;
}

function measure(hits: readonly RecallRecord[]) {
  let min = 1;
  let max = 0;
  const queries = new Set<string>();
  for (const { similarity, query } of hits) {
    min = Math.min(min, similarity);
    max = Math.max(max, similarity);
    queries.add(foldQuestion(query));
  }
  return {
    hits: hits.length,
    distinct_queries: queries.size,
    similarity_min: fourDecimals(min),
    similarity_max: fourDecimals(max),
    // Rounded before it is compared, so that the report never contradicts the limit it was asked for.
    similarity_spread: fourDecimals(max - min),
  };
}

/** Two questions are the same one when their folds are equal. */
export function foldQuestion(query: string | null): string {
  return (query ?? '').toLowerCase().replace(/\s+/gu, ' ').trim();
}

import type { RecallRecord } from './memory.js';
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
  const records = (await parts.store.recalls(request.project)).filter((record) => record.query !== null);
  const groups = groupHits(records);
  const candidates: DriftCandidate[] = [];
  for (const [id, hits] of groups) {
    const measured = measure(hits);
    if (hits.length < Math.max(1, request.minHits) || measured.distinct_queries < 2) continue;
    if (measured.similarity_spread < request.minSpread) continue;
    const memory = await parts.store.get(id);
    const live = memory?.deletedAt === null;
    candidates.push({ entry_id: id, task_text: live ? memory.task : null, still_stored: live, ...measured });
  }
  candidates.sort((a, b) => b.similarity_spread - a.similarity_spread);
  return { analyzed_recalls: records.length, entries_with_hits: groups.size, candidates };
}

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
    queries.add((query ?? '').toLowerCase().replace(/\s+/gu, ' ').trim());
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

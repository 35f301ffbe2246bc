import { latinShare } from '../search/latin.js';
import { sharedPairs } from '../search/letterPairs.js';
import type { Filter, Row } from './memoryIndex.js';
import { similarityOf, type Parts } from './parts.js';
import { foldIdentity } from './text.js';

export interface Found {
  readonly row: Row;
  readonly similarity: number;
}

/** Rows looked at, at least: the same task is often stored with several answers, all equally near. */
const LEAST_LOOKED_AT = 32;
/** Similarity that letter pairs allow without a single one in common; half of them in common allow a hit. */
const WITHOUT_PAIRS = 0.35;
/** Characters of a text whose letters are compared. */
const COMPARED = 2000;

/**
 * The rows nearest to a task, most similar first; of equally similar ones the newest, as the latest knowledge.
 * Similarity is the cosine. Only where one of the texts is mostly in a script the model does not read, in which
 * it finds unrelated texts equal, it is at most {@link WITHOUT_PAIRS} plus the share of letter pairs in common.
 */
export function nearestRows(
  parts: Parts,
  task: string,
  vector: Float32Array,
  limit: number,
  filter: Filter,
): Found[] {
  const { index } = parts;
  const many = Math.max(limit, LEAST_LOOKED_AT);
  const asked = foldIdentity(task).slice(0, COMPARED);
  const foreign = isForeign(asked);
  const near = index.nearest(vector, many, filter);
  // Thousands of rows may be as near as can be: the words know which of them is meant.
  const ranked = foreign ? [...near, ...index.byWords(task, many, filter)] : near;
  const found = [...new Set(ranked.map(({ slot }) => slot))].flatMap((slot): Found[] => {
    const row = index.at(slot);
    const cosine = index.cosine(slot, vector);
    if (!row || cosine === undefined) return [];
    const text = row.text.slice(0, COMPARED);
    const most = foreign || isForeign(text) ? WITHOUT_PAIRS + sharedPairs(asked, text) : 1;
    return [{ row, similarity: similarityOf(Math.min(cosine, most)) }];
  });
  found.sort((a, b) => b.similarity - a.similarity || b.row.storedAt - a.row.storedAt);
  return found.slice(0, limit);
}

function isForeign(text: string): boolean {
  return latinShare(text) < 0.5;
}

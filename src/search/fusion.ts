import { latinShare } from './latin.js';
import { TopRanked } from './ranked.js';
import type { Ranked } from './ranked.js';

/** Weight of the vectors for a query in Latin script, and the least they get: enough to order, not to overrule. */
const DENSE_WEIGHT = 0.5;
const LEAST_DENSE_WEIGHT = 0.001;

/**
 * One ranking out of two, each given best first: the weighted sum of scores divided by the best of their list.
 * Scores go up to 1. (Reciprocal ranks lost first places to words alone on English conversations and Japanese
 * paragraphs: they throw away by how much a word match wins.)
 *
 * `query` sets the weight: the embedding model reads English, so the less of the query is Latin script, the
 * more the words decide. Without it the weights are those of Latin script.
 */
export function fuse(
  dense: readonly Ranked[],
  words: readonly Ranked[],
  limit: number,
  options: { readonly query?: string | undefined } = {},
): Ranked[] {
  const weight = words.length === 0 ? 1 : denseWeight(options.query ?? '');
  const bestDense = scale(dense);
  const bestWords = scale(words);
  // A list is cut somewhere: whoever is not in it may be as near as its last, and losing all would be too much.
  const missing = (weight * (dense.at(-1)?.score ?? 0)) / bestDense;
  const scores = new Map<number, number>();
  for (const { slot, score } of dense) scores.set(slot, (weight * score) / bestDense);
  for (const { slot, score } of words) {
    scores.set(slot, (scores.get(slot) ?? missing) + ((1 - weight) * score) / bestWords);
  }
  const best = new TopRanked(limit, scores.size);
  for (const [slot, score] of scores) best.offer(slot, score);
  return best.take();
}

function denseWeight(query: string): number {
  return Math.max(LEAST_DENSE_WEIGHT, DENSE_WEIGHT * latinShare(query) ** 2);
}

function scale(ranked: readonly Ranked[]): number {
  return Math.abs(ranked[0]?.score ?? 0) || 1;
}

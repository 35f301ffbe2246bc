import { fuse } from '../search/fusion.js';
import type { Ranked } from '../search/ranked.js';
import { tokenize } from '../search/tokens.js';
import { GLOBAL_PROJECT, type Memory, type MemoryKind } from './memory.js';
import { visibleTo, type Filter } from './memoryIndex.js';
import { embedOrNull, fourDecimals, type Parts } from './parts.js';
import { estimateTokens, shorten, snippet } from './text.js';

export type SearchScope = 'project' | 'global' | 'all';

export interface SearchRequest {
  readonly query: string;
  readonly project: string;
  readonly limit: number;
  /** Upper bound of the whole result, in estimated tokens. */
  readonly maxTokens: number;
  readonly tags?: readonly string[] | undefined;
  readonly kind?: MemoryKind | undefined;
  /** `project` looks in this project and the global memories. */
  readonly scope: SearchScope;
}

export interface SearchHit {
  readonly entry_id: string;
  readonly score: number;
  readonly task_text: string;
  readonly snippet: string;
  readonly tags: readonly string[];
  readonly kind: MemoryKind;
  readonly stored_at: number;
}

export interface SearchResult {
  readonly results: readonly SearchHit[];
  /** Further matches that were left out, for the limit or for the token budget. */
  readonly more: number;
  readonly degraded?: 'no_model';
}

/** Matches looked at before `more` stops counting. */
const DEPTH = 1000;
/** Cosines below this are noise: strangers of the model often reach .2. */
const RELATED = 0.3;
const TASK_LENGTH = 300;
const SNIPPET_LENGTH = 240;
/** Shares of these lengths that are tried where the budget has no room for even one hit. */
const CUTS = [1, 0.5, 0.2, 0.1, 0.05];

/** Ranks by meaning and by words together, over task and answer. Records nothing. */
export async function search(parts: Parts, request: SearchRequest): Promise<SearchResult> {
  const filter: Filter = {
    projects: projectsOf(request),
    kind: request.kind,
    tags: request.tags,
    now: parts.sources.now(),
  };
  const vector = await embedOrNull(parts, request.query);
  const dense = vector ? parts.index.nearest(vector, DEPTH, filter) : [];
  const words = parts.index.byWords(request.query, DEPTH, filter);
  // Cut after the fusion: a weak cosine says nothing alone, but still orders what words have found.
  const related = new Set(
    [...dense.filter(({ score }) => score >= RELATED), ...words].map(({ slot }) => slot),
  );
  const ranked = fuse(dense, words, DEPTH * 2, { query: request.query }).filter(({ slot }) =>
    related.has(slot),
  );
  return fill(parts, request, ranked, vector ? {} : { degraded: 'no_model' });
}

function projectsOf(request: SearchRequest): readonly string[] | null {
  if (request.scope === 'all') return null;
  return request.scope === 'global' ? [GLOBAL_PROJECT] : visibleTo(request.project);
}

/**
 * Adds hits, best first, while the whole result as JSON text stays within the budget. A budget too small for
 * the first one gets it with shorter texts; one that fits in no form (its tags may be long) is passed over.
 */
async function fill(
  parts: Parts,
  request: SearchRequest,
  ranked: readonly Ranked[],
  extra: Pick<SearchResult, 'degraded'>,
): Promise<SearchResult> {
  const words = tokenize(request.query);
  const results: SearchHit[] = [];
  for (const { slot, score } of ranked) {
    if (results.length >= request.limit) break;
    const memory = await parts.store.get(parts.index.at(slot)?.id ?? '');
    if (!memory) continue;
    const full = toHit(memory, score, words);
    const fits = (next: SearchHit) => {
      const text = JSON.stringify({ results: [...results, next], more: ranked.length, ...extra });
      return estimateTokens(text) <= request.maxTokens;
    };
    const fitting = (results.length > 0 ? [full] : CUTS.map((share) => cut(full, share))).find(fits);
    if (fitting) results.push(fitting);
    else if (results.length > 0) break;
  }
  return { results, more: ranked.length - results.length, ...extra };
}

function toHit(memory: Memory, score: number, words: readonly string[]): SearchHit {
  return {
    entry_id: memory.id,
    score: fourDecimals(score),
    task_text: shorten(memory.task, TASK_LENGTH),
    snippet: snippet(memory.answer, words, SNIPPET_LENGTH),
    tags: memory.tags,
    kind: memory.kind,
    stored_at: memory.storedAt,
  };
}

function cut(hit: SearchHit, share: number): SearchHit {
  return {
    ...hit,
    task_text: shorten(hit.task_text, TASK_LENGTH * share),
    snippet: shorten(hit.snippet, SNIPPET_LENGTH * share),
  };
}

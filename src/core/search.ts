import { fuse } from '../search/fusion.js';
import type { Ranked } from '../search/ranked.js';
import { tokenize } from '../search/tokens.js';
import { GLOBAL_PROJECT, type Memory, type MemoryKind } from './memory.js';
import { visibleTo, type Filter } from './memoryIndex.js';
import { embedOrNull, fourDecimals, memoryAt, type Hurry, type Parts } from './parts.js';
import { estimateTokens, shorten, snippet, TASK_LENGTH } from './text.js';

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
  readonly hurry?: Hurry | undefined;
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

/** Matches that are ranked. */
const DEPTH = 1000;
/** Cosines below this are noise: strangers of the model often reach .2. */
const RELATED = 0.3;
const SNIPPET_LENGTH = 240;
/** Shares of these lengths that are tried where the budget has no room for even one hit. */
const CUTS = [1, 0.5, 0.2, 0.1, 0.05];
/** Hits without room after which the budget counts as used up. */
const MOST_PASSED = 10;

/** Ranks by meaning and by words together, over task and answer. Records nothing. */
export async function search(parts: Parts, request: SearchRequest): Promise<SearchResult> {
  // Of what is global a project sees the memories; sessions are those of the home folder alone.
  const memoriesOnly = request.scope === 'global' && request.project !== GLOBAL_PROJECT;
  if (memoriesOnly && request.kind === 'episode') return { results: [], more: 0 };
  const filter: Filter = {
    projects: projectsOf(request),
    kind: memoriesOnly ? 'memory' : request.kind,
    tags: request.tags,
    now: parts.sources.now(),
  };
  const vector = await embedOrNull(parts, request.query, request.hurry);
  const found = find(parts, request.query, vector, filter, DEPTH);
  // More than were ranked: they are only counted.
  const total = found.full
    ? find(parts, request.query, vector, filter, Infinity).related.size
    : found.related.size;
  const ranked = fuse(found.dense, found.words, DEPTH * 2, { query: request.query }).filter(({ slot }) =>
    found.related.has(slot),
  );
  return fill(parts, request, ranked, total, vector ? {} : { degraded: 'no_model' });
}

function find(parts: Parts, query: string, vector: Float32Array | null, filter: Filter, depth: number) {
  const dense = vector ? parts.index.nearest(vector, depth, filter) : [];
  const words = parts.index.byWords(query, depth, filter);
  // A weak cosine says nothing alone, but still orders what words have found.
  const near = dense.filter(({ score }) => score >= RELATED);
  const related = new Set([...near, ...words].map(({ slot }) => slot));
  return { dense, words, related, full: near.length === depth || words.length === depth };
}

function projectsOf(request: SearchRequest): readonly string[] | null {
  if (request.scope === 'all') return null;
  return request.scope === 'global' ? [GLOBAL_PROJECT] : visibleTo(request.project);
}

/**
 * Adds hits, best first, while the whole result as JSON text stays within the budget. The first one that finds no
 * room is tried with shorter texts and fewer tags; some that do not fit (their tags may be long) are passed over.
 */
async function fill(
  parts: Parts,
  request: SearchRequest,
  ranked: readonly Ranked[],
  total: number,
  extra: Pick<SearchResult, 'degraded'>,
): Promise<SearchResult> {
  const words = tokenize(request.query);
  const results: SearchHit[] = [];
  let passed = 0;
  for (const { slot, score } of ranked) {
    if (results.length >= request.limit || passed > MOST_PASSED) break;
    const memory = await memoryAt(parts, slot);
    if (!memory) continue;
    const full = toHit(parts, memory, score, words);
    const fits = (next: SearchHit) => {
      const text = JSON.stringify({ results: [...results, next], more: total, ...extra });
      return estimateTokens(text) <= request.maxTokens;
    };
    const fitting = (results.length > 0 ? [full] : CUTS.map((share) => cut(full, share))).find(fits);
    if (fitting) results.push(fitting);
    else passed += 1;
  }
  return { results, more: total - results.length, ...extra };
}

/** Masked once more: rows of older stores may hold what would be masked today. */
function toHit({ redact }: Parts, memory: Memory, score: number, words: readonly string[]): SearchHit {
  return {
    entry_id: memory.id,
    score: fourDecimals(score),
    task_text: shorten(redact(memory.task.slice(0, TASK_LENGTH * 5)).text, TASK_LENGTH),
    snippet: snippet(redact(snippet(memory.answer, words, SNIPPET_LENGTH * 5)).text, words, SNIPPET_LENGTH),
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
    tags: share === 1 ? hit.tags : hit.tags.slice(0, 10 * share),
  };
}

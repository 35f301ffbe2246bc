import { TopRanked } from '../search/ranked.js';
import { BRIEF_TOKENS, type Brief, type BriefItem } from './brief.js';
import { GLOBAL_PROJECT, isExpired, type Memory } from './memory.js';
import type { Row } from './memoryIndex.js';
import type { Parts } from './parts.js';
import { estimateTokens, shorten } from './text.js';

/** Newest episodes shown. */
const EPISODES = 3;
/** Memories considered of each sort: the most often recalled ones, then the newest. */
const MEMORIES = 30;
/** Entries asked for: many of those recalled most often may be expired or forgotten by now. */
const RECALLED = 1000;
/** UTF-16 units of each text: an outcome must not disappear behind a long task. */
const TASK = 200;
const OUTCOME = 400;
/** For the heading, the fence and the line about what else there is. */
const AROUND = 250;
/** For the kind and age of an item. */
const LABEL = 20;

/**
 * The newest episodes of a project and its most useful memories, those every project shares included. An episode of
 * the home folder, which is no project, is shown there alone.
 */
export async function makeBrief(parts: Parts, project: string): Promise<Brief> {
  const now = parts.sources.now();
  const newest = { episode: new TopRanked(EPISODES, EPISODES), memory: new TopRanked(MEMORIES, MEMORIES) };
  const counts = { episode: 0, memory: 0 };
  const shown = (row: Row) =>
    !row.superseded &&
    !isExpired(row, now) &&
    (row.project === project || (row.kind === 'memory' && row.project === GLOBAL_PROJECT));
  for (const row of parts.index.values()) {
    if (!shown(row)) continue;
    counts[row.kind] += 1;
    newest[row.kind].offer(row.slot, row.storedAt);
  }
  const recalled = (await parts.store.mostRecalled(project, RECALLED))
    .flatMap(({ entryId }) => parts.index.row(entryId) ?? [])
    .filter(shown)
    .slice(0, MEMORIES);
  const rowsOf = (top: TopRanked) => top.take().flatMap(({ slot }) => parts.index.at(slot) ?? []);
  const useful = [...recalled, ...rowsOf(newest.memory)];
  const chosen = [...rowsOf(newest.episode), ...useful].map(({ id }) => id);
  const items = await fitting(parts, [...new Set(chosen)]);
  return { project, memories: counts.memory, episodes: counts.episode, items };
}

/** What there is room for. A long one is passed over for shorter ones. */
async function fitting(parts: Parts, ids: readonly string[]): Promise<BriefItem[]> {
  const items: BriefItem[] = [];
  let room = BRIEF_TOKENS - AROUND;
  for (const id of ids) {
    const item = await briefItem(parts, id);
    const size = item ? estimateTokens(item.text) + LABEL : 0;
    if (!item || size > room) continue;
    room -= size;
    items.push(item);
  }
  return items;
}

async function briefItem(parts: Parts, id: string): Promise<BriefItem | null> {
  const memory = await parts.store.get(id);
  if (memory?.deletedAt !== null) return null;
  const text = memory.kind === 'episode' ? await episodeLines(parts, memory) : memoryLines(parts, memory);
  const { kind, storedAt, expiresAt } = memory;
  return { kind, text, storedAt, expiresAt };
}

function memoryLines(parts: Parts, { task, answer }: Memory): string {
  return `Task: ${line(parts, task, TASK)}\nAnswer: ${line(parts, answer, OUTCOME)}`;
}

/** What the session was about and what it came to last. */
async function episodeLines(parts: Parts, { id, task }: Memory): Promise<string> {
  const turns = (await parts.store.episode(id))?.record.turns ?? [];
  const last = turns.at(-1);
  if (!last) return `Task: ${line(parts, task, TASK)}`;
  const begun = last.task === task ? [] : [`Session: ${line(parts, task, TASK)}`];
  return [
    ...begun,
    `Task: ${line(parts, last.task, TASK)}`,
    `Outcome: ${line(parts, last.outcome, OUTCOME)}`,
  ].join('\n');
}

/** Masked before it is cut, of a piece that is not too long to look at. */
function line({ redact }: Parts, text: string, limit: number): string {
  const masked = redact(text.slice(0, limit * 5)).text;
  return shorten(masked.replace(/\s+/gu, ' ').trim(), limit);
}

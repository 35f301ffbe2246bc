import { cursorParts } from './cursor.js';
import { statusOf, type EpisodeStatus, type StoredEpisode } from './episode.js';
import { MemoryError } from './errors.js';
import type { Parts } from './parts.js';
import { shorten, TASK_LENGTH } from './text.js';

export interface EpisodesRequest {
  /** Key of the project; null for all. */
  readonly project: string | null;
  readonly status?: EpisodeStatus | undefined;
  /** Episodes on a page, at least 1. */
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
}

export interface ListedEpisode {
  readonly entry_id: string;
  readonly project: string;
  readonly directory: string;
  readonly session_id: string;
  readonly status: EpisodeStatus;
  readonly stored_at: number;
  readonly turns: number;
  readonly task_text: string;
  /** What the last turn came to, shortened. */
  readonly outcome: string;
}

export interface EpisodeListing {
  /** Of the projects asked for, whatever the status; `pending` are not taken in yet, and of all projects. */
  readonly counts: Readonly<Record<EpisodeStatus | 'pending', number>>;
  readonly episodes: readonly ListedEpisode[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: string;
}

export interface Episode extends Omit<ListedEpisode, 'turns' | 'outcome'> {
  readonly turns: readonly { readonly task: string; readonly outcome: string; readonly at: number }[];
  /** The memory that was made of it, or null. */
  readonly kept_as: string | null;
}

const OUTCOME_LENGTH = 300;

/** Episodes, newest first. Rejects with a `MemoryError` (reason `invalid`) where the cursor is none. */
export async function listEpisodes(parts: Parts, request: EpisodesRequest): Promise<EpisodeListing> {
  const { project, status, limit, cursor } = request;
  const projects = project === null ? null : [project];
  const after = cursor === undefined ? undefined : placeOf(cursor);
  const found = await parts.store.episodes({ projects, status, limit: limit + 1, after });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const next = last && JSON.stringify([last.memory.storedAt, last.record.number]);
  return {
    counts: { pending: parts.pending(), ...(await parts.store.episodeCounts(projects)) },
    episodes: page.map((episode) => {
      const { turns } = episode.record;
      const outcome = shorten(turns.at(-1)?.outcome ?? '', OUTCOME_LENGTH);
      const { memory } = episode;
      return {
        ...described(episode),
        task_text: shorten(memory.task, TASK_LENGTH),
        turns: turns.length,
        outcome,
      };
    }),
    ...(next === undefined ? {} : { next }),
  };
}

/** A whole episode, in whatever state. `project` as in {@link EpisodesRequest}. */
export async function getEpisode(parts: Parts, id: string, project: string | null): Promise<Episode> {
  const episode = await requireEpisode(parts, id, project);
  const { memory, record } = episode;
  const turns = record.turns.map(({ task, outcome, at }) => ({ task, outcome, at }));
  return { ...described(episode), task_text: memory.task, turns, kept_as: memory.supersededBy };
}

/** Rejects with a `MemoryError` (reason `not_found`). `project` as in {@link EpisodesRequest}. */
export async function requireEpisode(
  parts: Parts,
  id: string,
  project: string | null,
): Promise<StoredEpisode> {
  const episode = await parts.store.episode(id);
  if (episode && (project === null || episode.memory.project === project)) return episode;
  const advice = episode
    ? 'Pass any_project to reach one of another project.'
    : 'Take an entry_id from the list of episodes.';
  throw new MemoryError('not_found', `No episode ${id}${episode ? ' in this project' : ''}. ${advice}`);
}

function described({ memory, record }: StoredEpisode) {
  return {
    entry_id: memory.id,
    project: record.project.name,
    directory: record.directory,
    session_id: record.sessionId,
    status: statusOf(memory),
    stored_at: memory.storedAt,
  };
}

function placeOf(cursor: string): { storedAt: number; number: number } {
  const [storedAt, number, ...rest] = cursorParts(cursor);
  if (typeof storedAt === 'number' && typeof number === 'number' && rest.length === 0)
    return { storedAt, number };
  throw new MemoryError(
    'invalid',
    'cursor: this is none that a list of episodes gave. Leave it out to begin with the newest ones.',
  );
}

import type { EpisodeRecord, StoredEpisode, Turn } from '../../src/core/episode.js';
import type { Memory } from '../../src/core/memory.js';
import type { MemoryStore } from '../../src/core/ports.js';
import { memory } from './builders.js';

/** The n-th turn of a session. */
export function turn(n: number, over: Partial<Turn> = {}): Turn {
  const at = 1_700_000_000.25 + n;
  const texts = { task: `task ${n}`, outcome: `outcome ${n}` };
  return { id: `turn-${n}`, ...texts, at, revisedAt: at + 0.5, final: n % 2 === 0, ...over };
}

/** The episode of this number; its row belongs to the project of its record. */
export function episode(
  number: number,
  row: Partial<Memory> = {},
  over: Partial<EpisodeRecord> = {},
): StoredEpisode {
  const record = {
    number,
    project: { key: 'project-a', name: 'Project A' },
    directory: `/home/me/project of ${number}`,
    sessionId: `session-${number}`,
    turns: [turn(1), turn(2)],
    ...over,
  };
  const project = record.project.key;
  return { memory: memory(`episode-${number}`, { kind: 'episode', project, ...row }), record };
}

export async function insertEpisodes(
  store: MemoryStore,
  ...episodes: readonly StoredEpisode[]
): Promise<void> {
  for (const { memory: row, record } of episodes)
    await store.insert({ memory: row, vector: null }, { episode: record });
}

/** Everything a store tells about the episodes of these ids, projects and sessions, and about recalls that hit. */
export async function episodeContents(
  store: MemoryStore,
  names: {
    readonly ids: readonly string[];
    readonly projects: readonly string[];
    readonly sessions: readonly string[];
  },
): Promise<unknown> {
  const { ids, projects, sessions } = names;
  const scopes = [null, [], projects, ...projects.map((project) => [project])];
  const idsOf = (episodes: readonly StoredEpisode[]) => episodes.map(({ record }) => record.number);
  return {
    episodes: await Promise.all(ids.map((id) => store.episode(id))),
    sessions: await Promise.all(
      projects.flatMap((project) =>
        sessions.map((session) => store.episodesOf(project, session).then(idsOf)),
      ),
    ),
    lists: await Promise.all(
      scopes.map((scope) => store.episodes({ projects: scope, limit: 100 }).then(idsOf)),
    ),
    counts: await Promise.all(scopes.map((scope) => store.episodeCounts(scope))),
    next: await store.nextEpisode(),
    recalled: await Promise.all(projects.map((project) => store.mostRecalled(project, 3))),
    surplus: [await store.surplusEpisodes(5e9, 100), await store.surplusEpisodes(0, 1)],
  };
}

import {
  boundedTurn,
  episodeText,
  mergeTurns,
  notAfter,
  sameTurns,
  statusOf,
  TURNS_LIMIT,
  type CapturedSession,
  type StoredEpisode,
  type Turn,
} from './episode.js';
import type { Memory } from './memory.js';
import type { Parts } from './parts.js';

/**
 * Takes what a hook saw of a session into memory; false where nothing of it is new. A session has one episode, which
 * grows. What comes after somebody kept or discarded it is an episode of its own. Doing it again changes nothing.
 */
export function ingest(parts: Parts, session: CapturedSession): Promise<boolean> {
  return parts.exclusive(async () => {
    const { store } = parts;
    const episodes = await store.episodesOf(session.project.key, session.sessionId);
    const open = episodes.findLast(({ memory }) => statusOf(memory) === 'ingested');
    const closed = episodes.filter((episode) => episode !== open).map(({ record }) => record.turns);
    const judged = new Set(closed.flat().map(({ id }) => id));
    const outgrown = Math.max(...closed.map(beginOf));
    const added = notAfter(session.turns, parts.sources.now())
      .map((turn) => cleaned(parts, turn))
      .filter(
        ({ id, at, task, outcome }) => !judged.has(id) && at >= outgrown && task !== '' && outcome !== '',
      );
    const turns = mergeTurns(open?.record.turns ?? [], added);
    if (sameTurns(turns, open?.record.turns ?? [])) return false;
    if (open) await grow(parts, open, session, turns);
    else await begin(parts, session, turns);
    return true;
  });
}

/** Whoever wrote the file should have masked it already; what reaches the disk does not depend on it. */
function cleaned({ redact }: Parts, turn: Turn): Turn {
  return boundedTurn({ ...turn, task: redact(turn.task).text, outcome: redact(turn.outcome).text });
}

/** Of a full record the time of its first turn: older ones have grown out of it. */
function beginOf(turns: readonly Turn[]): number {
  return turns.length < TURNS_LIMIT ? -Infinity : (turns[0]?.at ?? -Infinity);
}

async function begin(parts: Parts, session: CapturedSession, turns: readonly Turn[]): Promise<void> {
  const number = await parts.store.nextEpisode();
  const memory: Memory = {
    id: `episode-${number}`,
    kind: 'episode',
    project: session.project.key,
    task: turns[0]?.task ?? '',
    answer: episodeText(turns),
    tags: ['episode'],
    source: 'stop_hook',
    storedAt: lastTime(parts, turns),
    expiresAt: null,
    supersededBy: null,
    deletedAt: null,
  };
  await parts.store.insert({ memory, vector: null }, { episode: { ...session, number, turns } });
  parts.index.add(memory, null);
  parts.changes.tell([memory]);
}

/** Its task stays what the session began with, also when that turn has grown out of the record. */
async function grow(
  parts: Parts,
  { memory: old, record }: StoredEpisode,
  session: CapturedSession,
  turns: readonly Turn[],
): Promise<void> {
  const memory = { ...old, answer: episodeText(turns), storedAt: lastTime(parts, turns) };
  const { project, directory } = session;
  await parts.store.update(memory, { episode: { ...record, project, directory, turns } });
  parts.index.replace(old, memory);
  parts.changes.tell([memory]);
}

/** A clock that was wrong when the hook ran must not keep an episode on top for ever. */
function lastTime({ sources }: Parts, turns: readonly Turn[]): number {
  return Math.min(sources.now(), Math.max(...turns.map(({ revisedAt }) => revisedAt)));
}

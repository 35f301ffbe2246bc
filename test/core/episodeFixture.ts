import type { Change } from '../../src/core/changes.js';
import type { CapturedSession, EpisodeStatus, Turn } from '../../src/core/episode.js';
import type { ListedEpisode } from '../../src/core/episodes.js';
import type { Redact } from '../../src/core/ports.js';
import type { KeepRequest } from '../../src/core/review.js';
import { PROJECT, SETTINGS, type Bench } from './fixture.js';

/** When the turns of the sessions here began, epoch seconds: long before the bench's own time. */
const BEGUN = 1_600_000_000;

/** The n-th turn of a session, a second after the one before. */
export function aTurn(n: number, given: Partial<Turn> = {}): Turn {
  const at = BEGUN + n;
  return {
    id: `turn-${n}`,
    task: `task ${n}`,
    outcome: `outcome ${n}`,
    at,
    revisedAt: at,
    final: true,
    ...given,
  };
}

export function someTurns(from: number, to: number): Turn[] {
  return Array.from({ length: to - from + 1 }, (_, n) => aTurn(from + n));
}

export function aSession(
  turns: readonly Turn[] = [aTurn(1)],
  given: Partial<CapturedSession> = {},
): CapturedSession {
  const project = { key: PROJECT, name: 'Project A' };
  return { project, directory: '/home/me/project', sessionId: 'session-1', turns, ...given };
}

export function ofProject(key: string, name = key): Pick<CapturedSession, 'project'> {
  return { project: { key, name } };
}

export function keeping(id: string, given: Partial<KeepRequest> = {}): KeepRequest {
  return { id, project: null, tags: [], ttlSeconds: null, scope: 'project', settings: SETTINGS, ...given };
}

/** All episodes there are, newest first. */
export async function allEpisodes(
  { engine }: Bench,
  status?: EpisodeStatus,
): Promise<readonly ListedEpisode[]> {
  return (await engine.episodes({ project: null, status, limit: 1000 })).episodes;
}

export async function statusesOf(bench: Bench): Promise<Record<string, EpisodeStatus>> {
  return Object.fromEntries((await allEpisodes(bench)).map(({ entry_id, status }) => [entry_id, status]));
}

/** The tasks of the turns of one episode, oldest first. */
export async function tasksOf({ engine }: Bench, id: string): Promise<string[]> {
  return (await engine.episode(id)).turns.map(({ task }) => task);
}

/** What the engine tells of rows that look different, from now on. */
export function listening({ engine }: Bench): Change[] {
  const heard: Change[] = [];
  engine.onChange((change) => {
    if (!change.bookkeeping) heard.push(change);
  });
  return heard;
}

const SECRET = /<private>.*?<\/private>|secret-\w+/gsu;

/** Masks `secret-<word>` by the rule `token`, and what stands between the marks of private parts. */
export const redactWords: Redact = (text) => {
  const findings = [...text.matchAll(SECRET)].map(({ 0: found, index }) => ({
    rule: found.startsWith('<') ? 'private' : 'token',
    start: index,
    end: index + found.length,
  }));
  const masked = text.replaceAll(
    SECRET,
    (found) => `[REDACTED:${found.startsWith('<') ? 'private' : 'token'}]`,
  );
  return { text: masked, findings };
};

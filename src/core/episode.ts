import type { Memory } from './memory.js';
import { shorten } from './text.js';

/** One question of a session and what came of it. */
export interface Turn {
  /** The same for the same prompt, however often it is captured. */
  readonly id: string;
  /** At most {@link TASK_LIMIT} UTF-16 units, redacted. */
  readonly task: string;
  /** At most {@link OUTCOME_LIMIT} UTF-16 units, redacted. */
  readonly outcome: string;
  /** When it was captured first, epoch seconds. */
  readonly at: number;
  /** When it was captured last, epoch seconds. */
  readonly revisedAt: number;
  /** Whether the outcome is the agent's last word on the task; else it was found in an unfinished transcript. */
  readonly final: boolean;
}

/** What a hook saw of one session of an agent. */
export interface CapturedSession {
  readonly project: { readonly key: string; readonly name: string };
  /** Where the session works: an absolute path, for people. */
  readonly directory: string;
  readonly sessionId: string;
  /** Oldest first, at most {@link TURNS_LIMIT}. */
  readonly turns: readonly Turn[];
}

/** `ingested`: waits for somebody to look at it; `kept`: a memory was made of it; `discarded`: in the trash. */
export type EpisodeStatus = 'ingested' | 'kept' | 'discarded';

/** What an episode has beside its row. */
export interface EpisodeRecord extends CapturedSession {
  /** The n of its id `episode-<n>`. */
  readonly number: number;
}

export interface StoredEpisode {
  readonly memory: Memory;
  readonly record: EpisodeRecord;
}

/** An episode that became a memory is history of that memory; one nobody wants is a forgotten row. */
export function statusOf({ deletedAt, supersededBy }: Memory): EpisodeStatus {
  if (deletedAt !== null) return 'discarded';
  return supersededBy === null ? 'ingested' : 'kept';
}

export const TASK_LIMIT = 1000;
export const OUTCOME_LIMIT = 2000;
export const TURNS_LIMIT = 20;

/** A turn within its limits. The texts are redacted before: a cut could make a secret unrecognisable. */
export function boundedTurn(turn: Turn): Turn {
  return {
    ...turn,
    task: shorten(turn.task.trim(), TASK_LIMIT),
    outcome: shorten(turn.outcome.trim(), OUTCOME_LIMIT),
  };
}

/**
 * The turns of a session that grows: each once, oldest first, the newest {@link TURNS_LIMIT}. Of two captures of the
 * same turn a final one counts before one that is not, then the later one; its place is that of the first.
 */
export function mergeTurns(known: readonly Turn[], added: readonly Turn[]): Turn[] {
  const turns = new Map(known.map((turn) => [turn.id, turn]));
  for (const turn of added) {
    const before = turns.get(turn.id);
    turns.set(turn.id, before ? later(before, turn) : turn);
  }
  return [...turns.values()].sort((a, b) => a.at - b.at).slice(-TURNS_LIMIT);
}

function later(before: Turn, turn: Turn): Turn {
  const newer = before.final === turn.final ? turn.revisedAt > before.revisedAt : turn.final;
  return { ...(newer ? turn : before), at: Math.min(before.at, turn.at) };
}

/** Whether both say the same; when it was captured does not count. */
export function sameTurns(some: readonly Turn[], others: readonly Turn[]): boolean {
  const said = (turns: readonly Turn[]) =>
    turns.map(({ id, task, outcome, final }) => [id, task, outcome, final]);
  return JSON.stringify(said(some)) === JSON.stringify(said(others));
}

/** No later than `time`, epoch seconds: a clock that was ahead must not make turns the newest for ever. */
export function notAfter(turns: readonly Turn[], time: number): Turn[] {
  return turns.map((turn) => ({
    ...turn,
    at: Math.min(turn.at, time),
    revisedAt: Math.min(turn.revisedAt, time),
  }));
}

/** The turns as people and search read them. */
export function episodeText(turns: readonly Turn[]): string {
  return turns.map(({ task, outcome }) => `TASK: ${task}\nOUTCOME: ${outcome}`).join('\n\n');
}

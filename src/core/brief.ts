import type { MemoryKind } from './memory.js';

/** What a session of an agent is told at its start. */
export interface Brief {
  /** Key of the project it is for. */
  readonly project: string;
  /** Entries this project has, expired and replaced ones aside. */
  readonly memories: number;
  readonly episodes: number;
  /** Most useful first; together at most {@link BRIEF_TOKENS}, with room left for what is said around them. */
  readonly items: readonly BriefItem[];
}

export interface BriefItem {
  readonly kind: MemoryKind;
  /** Redacted and short; may hold line breaks. */
  readonly text: string;
  /** Epoch seconds. */
  readonly storedAt: number;
  /** Epoch seconds; null: never. */
  readonly expiresAt: number | null;
}

/** Longest brief as it is printed, in estimated tokens. */
export const BRIEF_TOKENS = 1500;

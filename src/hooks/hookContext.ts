import type { Config } from '../config/config.js';
import type { HookEvent } from './hookArguments.js';
import type { HookInput } from './hookInput.js';

/** What a hook knows when it sets to work. */
export interface HookContext {
  readonly event: HookEvent;
  readonly payload: HookInput['payload'];
  readonly config: Config;
  /** The folder the client works in, absolute. */
  readonly directory: string;
  /** The user's home folder, or empty. */
  readonly home: string;
  /** Epoch seconds. */
  readonly now: number;
}

/** What is left to do after a hook's work. */
export interface HookOutcome {
  /** For stdout; empty: nothing. */
  readonly text: string;
  /** To be called when the text was taken. May throw the system's error. */
  readonly delivered: () => void;
}

export const NOTHING_TO_SAY: HookOutcome = { text: '', delivered: () => undefined };

/** A field of the payload that is text; empty where it is absent or something else. */
export function textField(payload: HookInput['payload'], name: string): string {
  const value = payload[name];
  return typeof value === 'string' ? value : '';
}

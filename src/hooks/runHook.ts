import { noteFailure, noteRun, UNKNOWN_EVENT } from '../capture/hookLog.js';
import { knownConfig, readConfig } from '../config/config.js';
import { clientDirectory } from '../project/person.js';
import { captureTurn } from './captureTurn.js';
import { HOOK_EVENTS, isHookEvent, readHookArguments, type HookEvent } from './hookArguments.js';
import { NOTHING_TO_SAY, textField, type HookContext, type HookOutcome } from './hookContext.js';
import type { HookInput } from './hookInput.js';
import { keepSample } from './keepSample.js';
import { sessionStart } from './sessionStart.js';

export interface HookCall {
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The user's home folder, or empty. */
  readonly home: string;
  readonly input: HookInput;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What is to be printed, and whom to tell how that went. */
export interface HookResult {
  readonly text: string;
  /** With why the text was not taken, or null. Never throws. */
  readonly printed: (fault: string | null) => void;
}

const ACTIONS: Readonly<Record<HookEvent, (context: HookContext) => HookOutcome>> = {
  'session-start': sessionStart,
  stop: quietly(captureTurn),
  'session-end': quietly(captureTurn),
  'pre-compact': quietly(captureTurn),
  'log-only': quietly(keepSample),
};

/** Does what the event asks for. Never throws: what goes wrong is a line in the hook log. */
export function runHook({ words, env, home, input, now }: HookCall): HookResult {
  const { event, configPath } = readHookArguments(words);
  const at = new Date(now).toISOString();
  let { storageDir, captureEnabled } = knownConfig({ env, home });
  let hasFailed = false;
  const failed = (message: string) => {
    hasFailed = true;
    // Who switched it off shall find nothing of it, not even a log.
    if (storageDir === null || captureEnabled === false) return;
    noteFailure(storageDir, { at, event: isHookEvent(event) ? event : UNKNOWN_EVENT, message });
  };
  const attempt = (act: () => HookOutcome): HookOutcome => {
    try {
      return act();
    } catch (error) {
      failed(error instanceof Error ? error.message : String(error));
      return NOTHING_TO_SAY;
    }
  };

  const { text, delivered } = attempt(() => {
    const config = readConfig({ env, home, configPath });
    ({ storageDir, captureEnabled } = config);
    if (event !== 'session-start' && !captureEnabled) return NOTHING_TO_SAY;
    if (!isHookEvent(event)) throw new Error(unknownEvent(event));
    if (input.fault !== null) failed(`The event's data was not used: ${input.fault}.`);
    const directory = clientDirectory(env, home, textField(input.payload, 'cwd'));
    const context = { event, payload: input.payload, config, directory, home, now: now / 1000 };
    const outcome = attempt(() => ACTIONS[event](context));
    if (captureEnabled && !hasFailed) noteRun(storageDir, event, at);
    return outcome;
  });
  return {
    text,
    printed: (fault) => {
      if (fault === null) attempt(quietly(delivered));
      else failed(`The session was not told what is known: stdout cannot be written (${fault}).`);
    },
  };
}

function quietly<T extends readonly unknown[]>(act: (...given: T) => void): (...given: T) => HookOutcome {
  return (...given) => {
    act(...given);
    return NOTHING_TO_SAY;
  };
}

function unknownEvent(event: string | null): string {
  const what = event === null ? 'No event is named' : `There is no event "${event.slice(0, 80)}"`;
  return `${what}. Use --event with one of ${HOOK_EVENTS.join(', ')}; install-hooks registers them rightly.`;
}

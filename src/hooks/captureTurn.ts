import { codeOf, pause } from '../capture/folders.js';
import { lastTurn } from '../capture/lastTurn.js';
import { privateSpans } from '../capture/redact/privateSpans.js';
import { redact } from '../capture/redact/redact.js';
import { mask, maskOf } from '../capture/redact/spans.js';
import { inboxOf } from '../capture/spool.js';
import { spoolTurns } from '../capture/spoolTurns.js';
import type { FoundTurn } from '../capture/turn.js';
import { boundedTurn, OUTCOME_LIMIT, TASK_LIMIT, type Turn } from '../core/episode.js';
import { captureSwitchedOff } from '../project/captureSwitch.js';
import { sha256 } from '../project/digest.js';
import { identifyProject } from '../project/project.js';
import { textField, type HookContext } from './hookContext.js';

/** How long a transcript that lags behind its Stop event is waited for, once, in milliseconds. */
const LAG = 15;
/** UTF-16 units behind those kept, for secrets that begin there to be known by; a private key in PEM form has 7,000. */
const MARGIN = 30_000;

/**
 * Keeps the last turn of the session in the inbox. Throws what went wrong, in words for the hook log. Nothing that
 * was found reaches the disk before it is redacted.
 */
export function captureTurn(context: HookContext): void {
  const { payload, config, directory, home } = context;
  const transcript = textField(payload, 'transcript_path');
  if (transcript === '' || isNotOurs(payload)) return;
  const sessionId = textField(payload, 'session_id');
  if (sessionId === '') throw new Error('The event named no session_id, so nothing of it was kept.');
  const off = captureSwitchedOff({ directory, home });
  if (off?.fault) {
    throw new Error(
      `${off.file} cannot be understood: ${off.fault}. Nothing is captured here until it is a JSON object like ` +
        '{"capture": false}, or removed.',
    );
  }
  if (off) return;
  const found = findTurn(transcript, sessionId, context);
  const turn = found && cleanTurn(found, context.now);
  if (!turn) return;
  const project = identifyProject({ namespace: config.namespace, directory, home });
  spoolTurns(inboxOf(config.storageDir), { project, directory, sessionId, turns: [turn] });
}

/** Subagents report to their session, which is captured; an agent that a hook sent on says it all once more. */
function isNotOurs(payload: HookContext['payload']): boolean {
  return (
    payload['stop_hook_active'] === true ||
    payload['hook_event_name'] === 'SubagentStop' ||
    (payload['agent_id'] ?? null) !== null
  );
}

function findTurn(transcript: string, sessionId: string, { event, payload }: HookContext): FoundTurn | null {
  if (event !== 'stop') {
    const last = lastTurnIfAny(transcript);
    // A fork that ends without a question has its parent's last turn, which its parent keeps.
    return (last?.sessionId ?? sessionId) === sessionId ? last : null;
  }
  const promptId = textField(payload, 'prompt_id');
  const end = { promptId, lastMessage: textField(payload, 'last_assistant_message') };
  const found = lastTurn(transcript, end);
  if (found || promptId === '') return found;
  pause(LAG);
  return lastTurn(transcript, end);
}

/** A session that ends before anything was asked has no transcript. */
function lastTurnIfAny(transcript: string): FoundTurn | null {
  try {
    return lastTurn(transcript, {});
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Null where nothing is left of the question or the answer that is not private. */
function cleanTurn(found: FoundTurn, now: number): Turn | null {
  const [task, outcome] = [clean(found.task, TASK_LIMIT), clean(found.outcome, OUTCOME_LIMIT)];
  if (isNothing(task) || isNothing(outcome)) return null;
  return boundedTurn({
    id: found.turnId ?? sha256(task).slice(0, 32),
    task,
    outcome,
    at: now,
    revisedAt: now,
    final: found.final,
  });
}

/** Of long texts only the beginning is kept, so rules look at little more. What is private may end anywhere. */
function clean(text: string, limit: number): string {
  const open = mask(text, privateSpans(text));
  return redact(open.slice(0, limit + MARGIN).toWellFormed()).text;
}

function isNothing(text: string): boolean {
  return text.replaceAll(maskOf('private'), '').trim() === '';
}

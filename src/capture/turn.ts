import { activeBranch } from './transcriptBranch.js';
import { entryOf, type Answer, type Entry, type Prompt } from './transcriptEntry.js';

/** A question of the user and the answer to it, as they stand in the transcript: neither redacted nor cut. */
export interface FoundTurn {
  /** The same each time this turn is found, unlike that of any other; null where lines have no ids. */
  readonly turnId: string | null;
  /** The session its question was asked in; null where lines name none. A session that goes on begins with a copy. */
  readonly sessionId: string | null;
  readonly task: string;
  readonly outcome: string;
  /** Whether the answer is the turn's last word, not what was said before more work. */
  readonly final: boolean;
}

/** What the client said of the turn that has just ended. Empty is the same as absent. */
export interface EndOfTurn {
  readonly promptId?: string | undefined;
  /** The answer. The transcript may not have it yet. */
  readonly lastMessage?: string | undefined;
}

/**
 * The last complete pair of question and answer in the lines of a transcript, newest first, or null.
 * With `lastMessage` it is the turn that message ends, or null where its question is not there: the newest question,
 * or the one with this `promptId`, since the next may have been asked by now.
 */
export function turnIn(lines: Iterable<Buffer>, end: EndOfTurn): FoundTurn | null {
  const pair = isBlank(end.lastMessage) ? answeredTurn : endedTurn;
  let found: FoundTurn | null = null;
  let since: Entry[] = [];
  let waiting: Waiting[] = [];
  let newest = true;
  for (const line of activeBranch(lines)) {
    const entry = entryOf(line);
    if (entry === null) continue;
    if (found !== null) {
      const whole = withEarlierLine(found, entry);
      if (whole === null) break;
      found = whole;
    } else if (entry.kind !== 'prompt') {
      since.push(entry);
    } else if (entry.queued) {
      waiting.push({ prompt: entry, since: [...since] });
    } else {
      const [alone] = waiting;
      const asked = pair === answeredTurn || isQuestionOf(end, entry, newest);
      if (alone && (!asked || wasAnswered(since.slice(alone.since.length)))) {
        found = pair(alone.prompt, alone.since, end);
      } else if (asked) {
        found = pair(withQueued(entry, waiting), since, end);
      }
      if (found === null && pair === endedTurn && (asked || alone)) return null;
      newest = false;
      since = [];
      waiting = [];
    }
  }
  const [alone] = waiting;
  return found ?? (alone ? pair(alone.prompt, alone.since, end) : null);
}

/** A prompt that was said while the model was working, and what came after it, newest first. */
interface Waiting {
  readonly prompt: Prompt;
  readonly since: readonly Entry[];
}

/** Whether a turn ended among these: what was said later began another one. */
function wasAnswered(entries: readonly Entry[]): boolean {
  return entries.some((entry) => entry.kind === 'answer' && entry.ended);
}

/** What was added to a question while the model was at it belongs to it. `waiting` is newest first. */
function withQueued(prompt: Prompt, waiting: readonly Waiting[]): Prompt {
  const added = waiting.map(({ prompt: { text } }) => text).reverse();
  return { ...prompt, text: [prompt.text, ...added].join('\n\n') };
}

/** What was typed in one go can stand in several lines, each with the id of the whole; null where this is none. */
function withEarlierLine(turn: FoundTurn, entry: Entry): FoundTurn | null {
  if (entry.kind !== 'prompt' || entry.promptId === null || entry.promptId !== turn.turnId) return null;
  return { ...turn, task: `${entry.text}\n\n${turn.task}` };
}

/** Some lines have no id: such a question is taken for this one where none was asked after it. */
function isQuestionOf({ promptId }: EndOfTurn, prompt: Prompt, newest: boolean): boolean {
  return isBlank(promptId) || prompt.promptId === null ? newest : prompt.promptId === promptId;
}

/** `since` is what came after the prompt, newest first. */
function endedTurn(prompt: Prompt, since: readonly Entry[], end: EndOfTurn): FoundTurn | null {
  const { promptId, lastMessage = '' } = end;
  const isOther = isBlank(promptId) && since.some((entry) => isOfOtherTurn(entry, prompt));
  if (isOther || since.some(isInterrupted)) return null;
  return { ...questionOf(prompt), outcome: lastMessage, final: true };
}

/** Null where the prompt has no answer, or the turn was broken off. */
function answeredTurn(prompt: Prompt, since: readonly Entry[]): FoundTurn | null {
  if (since.some(isInterrupted)) return null;
  const own = since.slice(since.findLastIndex((entry) => isOfOtherTurn(entry, prompt)) + 1);
  const answers = own.filter((entry) => entry.kind === 'answer');
  const last = answers[0];
  if (last === undefined) return null;
  const message = answers.filter((answer) => answer === last || isOfSameMessage(answer, last)).reverse();
  return {
    ...questionOf(prompt),
    outcome: message.map(({ text }) => text).join('\n\n'),
    final: message.some(({ ended }) => ended),
  };
}

function questionOf({ id, sessionId, text }: Prompt): Pick<FoundTurn, 'turnId' | 'sessionId' | 'task'> {
  return { turnId: id, sessionId, task: text };
}

function isOfSameMessage(one: Answer, other: Answer): boolean {
  return one.messageId !== null && one.messageId === other.messageId;
}

/** The user's lines of one turn share an id: a command of another one was answered by itself. */
function isOfOtherTurn(entry: Entry, { promptId }: Prompt): boolean {
  return (
    entry.kind === 'wordless' && promptId !== null && entry.promptId !== null && entry.promptId !== promptId
  );
}

function isInterrupted(entry: Entry): boolean {
  return entry.kind === 'interruption';
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === '';
}

import { isInterruption, promptText, textsOf } from './promptText.js';
import { asObject } from './smallFile.js';
import { filled, type JsonObject } from './transcriptLine.js';

/** What the user said. `id` is the prompt's, else the line's, else null. */
export interface Prompt {
  readonly kind: 'prompt';
  readonly promptId: string | null;
  readonly id: string | null;
  readonly sessionId: string | null;
  readonly text: string;
  /** Whether it was said while the model was working. */
  readonly queued: boolean;
}

/** One line of what the model said; a message has a line for each of its blocks. */
export interface Answer {
  readonly kind: 'answer';
  readonly messageId: string | null;
  readonly text: string;
  /** Whether the model had nothing more to do. */
  readonly ended: boolean;
}

/** A user's line without words of the user, such as a command or an image; the model may have answered it. */
export interface Wordless {
  readonly kind: 'wordless';
  readonly promptId: string | null;
}

export type Entry = Prompt | Answer | Wordless | { readonly kind: 'interruption' };

/** Lines that a client wrote for itself or for another conversation, under the flag that says so. */
const NOT_SAID = [
  'isMeta',
  'isSidechain',
  'isCompactSummary',
  'isVisibleInTranscriptOnly',
  'isApiErrorMessage',
];

/** What a line of the transcript adds to the conversation, or null where it adds nothing. */
export function entryOf(line: JsonObject): Entry | null {
  if (NOT_SAID.some((flag) => line[flag] === true)) return null;
  switch (line['type']) {
    case 'user':
      return userEntry(line);
    case 'assistant':
      return answer(asObject(line['message']));
    case 'attachment':
      return queuedPrompt(line);
    default:
      return null;
  }
}

function userEntry(line: JsonObject): Entry | null {
  const content = asObject(line['message'])?.['content'];
  const text = promptText(content);
  if (isInterruption(text)) return { kind: 'interruption' };
  if (Array.isArray(content) && content.some(isToolResult)) return null;
  return prompt(line, text) ?? { kind: 'wordless', promptId: filled(line['promptId']) };
}

/** What the user said while the model was working is written as an attachment, and nowhere else. */
function queuedPrompt(line: JsonObject): Prompt | null {
  const attachment = asObject(line['attachment']);
  if (attachment?.['type'] !== 'queued_command' || attachment['isMeta'] === true) return null;
  // In the same way commands of a shell and notices of background work are queued.
  if ((attachment['commandMode'] ?? 'prompt') !== 'prompt') return null;
  return prompt(line, promptText(attachment['prompt']), true);
}

function prompt(line: JsonObject, text: string, queued = false): Prompt | null {
  if (text === '') return null;
  const promptId = filled(line['promptId']);
  const sessionId = filled(line['sessionId']);
  return { kind: 'prompt', promptId, id: promptId ?? filled(line['uuid']), sessionId, text, queued };
}

function answer(message: JsonObject | null): Answer | null {
  if (message === null || message['model'] === '<synthetic>') return null;
  const text = textsOf(message['content']).join('\n\n');
  if (text === '') return null;
  const reason = message['stop_reason'];
  const ended = reason === 'end_turn' || reason === 'stop_sequence';
  return { kind: 'answer', messageId: filled(message['id']), text, ended };
}

function isToolResult(block: unknown): boolean {
  return asObject(block)?.['type'] === 'tool_result';
}

import { REPEATED, REPEATING } from '../../src/link/hello.js';
import { Conversation } from '../../src/server/conversation.js';

export const FRONT = 'front-0001';
export const INITIALIZE =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}';
export const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
export const REINITIALIZE = `{"jsonrpc":"2.0","id":"${FRONT}:initialize","method":"initialize","params":{"protocolVersion":"2025-06-18"}}`;

type Message = Record<string, unknown>;
export const asking = (id: unknown, method = 'tools/call', params: Message = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
export const telling = (method: string, params?: Message) =>
  JSON.stringify({ jsonrpc: '2.0', method, params });
export const result = (id: unknown): Message => ({ jsonrpc: '2.0', id, result: {} });
export const complaint = (id: unknown): Message => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32600, message: 'no' },
});
export const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Message);

const mark = (method: string) => JSON.stringify({ jsonrpc: '2.0', method });
const MARKS: readonly string[] = [REPEATING, REPEATED].map(mark);

/** Lines without the times that marks carry. */
export const untimed = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/,"params":{"since":{.*}}}$/, '}'));

/** As lines that are repeated are sent. */
export const repeated = (...lines: readonly string[]) => [mark(REPEATING), ...lines, mark(REPEATED)];

/** What the next host is told, without the marks around what is repeated. */
export const retold = (conversation: Conversation) =>
  untimed(conversation.resume()).filter((line) => !MARKS.includes(line));

/** Milliseconds that go on only when a test says so. */
export class Clock {
  milliseconds = 0;
  readonly now = () => this.milliseconds;
}

/** A conversation in which a connected host was sent these lines. */
export function after(...lines: readonly string[]): Conversation {
  return heard(new Conversation(FRONT), ...lines);
}

/** A conversation past its handshake. */
export function opened(...lines: readonly string[]): Conversation {
  return openedAt(undefined, ...lines);
}

/** The same by another clock. */
export function openedAt(now: (() => number) | undefined, ...lines: readonly string[]): Conversation {
  const conversation = heard(new Conversation(FRONT, now), INITIALIZE);
  conversation.fromHost(result(0));
  return heard(conversation, INITIALIZED, ...lines);
}

function heard(conversation: Conversation, ...lines: readonly string[]): Conversation {
  for (const line of lines) conversation.fromClient(line, true);
  return conversation;
}

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

/** A conversation in which a connected host was sent these lines. */
export function after(...lines: readonly string[]): Conversation {
  const conversation = new Conversation(FRONT);
  for (const line of lines) conversation.fromClient(line, true);
  return conversation;
}

/** A conversation past its handshake. */
export function opened(...lines: readonly string[]): Conversation {
  const conversation = after(INITIALIZE);
  conversation.fromHost(result(0));
  for (const line of [INITIALIZED, ...lines]) conversation.fromClient(line, true);
  return conversation;
}

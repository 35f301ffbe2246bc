import assert from 'node:assert/strict';
import type { CallResult, Results, ServerProcess } from '../server/serverProcess.js';

/** Calls a tool that is expected to answer. */
export type Ask = <Name extends keyof Results>(name: Name, args: object) => Promise<Results[Name]>;

/** As the protocol has it: every request under an id of its own. */
export function numbered(server: ServerProcess): Ask {
  return (name, args) => server.call(name, args);
}

/** As simple clients do: one request after the other, all under the same id. */
export function underOneId(server: ServerProcess): Ask {
  return async <Name extends keyof Results>(name: Name, args: object) => {
    const answer = server.answerTo(1);
    server.write(toolCall(1, name, args));
    const result = (await answer).result as CallResult | undefined; // The protocol's type of this method's result.
    assert.ok(result && result.isError !== true, `${name}: ${JSON.stringify(await answer).slice(0, 500)}`);
    return result.structuredContent as Results[Name];
  };
}

/** The line that calls a tool, with its newline. */
export function toolCall(id: string | number, name: keyof Results, args: object, extra: object = {}): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, ...extra } })}\n`;
}

/** Answers that came although nobody waited for them, or a second time. */
export function unexpected(servers: readonly ServerProcess[]): unknown[] {
  return servers.flatMap(({ unclaimed }) => unclaimed.filter(({ id }) => id !== undefined));
}

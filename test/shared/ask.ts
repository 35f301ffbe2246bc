import assert from 'node:assert/strict';
import type { CallResult, Results, ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';

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

/**
 * Waits for so many answers that nobody has claimed; each must come once. They are taken away as they come: this
 * process has no room for thousands of big ones either.
 */
export async function takeAnswers(
  server: ServerProcess,
  count: number,
  check: (id: string, content: unknown) => void,
): Promise<void> {
  const seen = new Set<unknown>();
  const take = () => {
    for (const { id, result } of server.unclaimed.splice(0)) {
      assert.ok(!seen.has(id), `a second answer to ${String(id)}`);
      seen.add(id);
      check(String(id), (result as CallResult).structuredContent); // The protocol's type for this method.
    }
    return seen.size === count;
  };
  await until('everything has come', take, 120);
}

/** Answers that came although nobody waited for them, or a second time. */
export function unexpected(servers: readonly ServerProcess[]): unknown[] {
  return servers.flatMap(({ unclaimed }) => unclaimed.filter(({ id }) => id !== undefined));
}

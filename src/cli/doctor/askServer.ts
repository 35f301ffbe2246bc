import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../../link/systemError.js';
import { readStats, type ServerStats } from './serverStats.js';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the program that asks. */
  readonly version: string;
}

/** What the server said of itself, or why it could not be asked, in its own words where it has some. */
export type Answer =
  | {
      readonly reached: true;
      /** Of the process that answered, which another version may have started. */
      readonly version: string;
      readonly tools: number;
      readonly stats: ServerStats;
      /** Why a search, which needs the model, was not answered; null where it was. */
      readonly searchFailure: string | null;
    }
  | { readonly reached: false; readonly reason: string };

/** How long a server and its model are waited for, in milliseconds. */
export const PATIENCE = 20_000;
/** Between two looks at the model, in milliseconds. */
const PAUSE = 200;
/** The library ends a server in three steps of two seconds. */
const LONGEST_END = 5000;
/** UTF-16 units of what a server says on stderr. */
const LONGEST_WORDS = 2000;
const REQUEST_TIMEOUT: number = ErrorCode.RequestTimeout;
const CONNECTION_CLOSED: number = ErrorCode.ConnectionClosed;
/** Any will do: nothing of a search is written down. */
const QUERY = 'hello';

/**
 * Starts the server as every client does, asks how it is and leaves. A model is given the time to load. Never
 * rejects, and takes 20 seconds at most, and a few more where the server does not end.
 */
export async function askServer(server: ServerCommand, patience = PATIENCE): Promise<Answer> {
  const { command, args, env, version } = server;
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => !!entry[1])),
    stderr: 'pipe',
  });
  let heard = '';
  transport.stderr?.on('data', (piece: Buffer) => (heard = (heard + piece.toString()).slice(-LONGEST_WORDS)));
  const ended = new AbortController();
  transport.onclose = () => ended.abort();
  const client = new Client({ name: 'subconscious-doctor', version });
  const deadline = performance.now() + patience;
  const left = () => ({ timeout: Math.max(1, deadline - performance.now()) });
  try {
    await client.connect(transport, left());
    const { tools } = await client.listTools({}, left());
    for (;;) {
      const searchFailure = await call(client, 'search', { query: QUERY }, left()).then(
        () => null,
        (error: unknown) => inWords(error, patience),
      );
      const stats = readStats(await call(client, 'stats', {}, left()));
      const settled = stats.model.state === 'ready' || stats.model.state === 'unavailable';
      if (settled || searchFailure !== null || left().timeout < 2 * PAUSE) {
        const found = client.getServerVersion()?.version ?? '';
        return { reached: true, version: found, tools: tools.length, stats, searchFailure };
      }
      await sleep(PAUSE);
    }
  } catch (error) {
    // A server that cannot even start says why on stderr.
    const isGone = error instanceof McpError && error.code === CONNECTION_CLOSED;
    return { reached: false, reason: (isGone && heard.trim()) || inWords(error, patience) };
  } finally {
    await client.close().catch(() => undefined);
    // A handshake that failed has begun to end the server already, and nothing has waited for it yet.
    await sleep(LONGEST_END, undefined, { signal: ended.signal }).catch(() => undefined);
  }
}

/** The structured result of a tool; rejects with what the tool says where it refuses. */
async function call(client: Client, name: string, args: object, options: { timeout: number }) {
  const result = await client.callTool({ name, arguments: { ...args } }, undefined, options);
  if (result.isError !== true) return result.structuredContent;
  const [first] = Array.isArray(result.content) ? (result.content as unknown[]) : [];
  throw new Error(isText(first) ? first.text : `${name} was refused without a reason.`);
}

function isText(content: unknown): content is { readonly text: string } {
  return (
    typeof content === 'object' && content !== null && 'text' in content && typeof content.text === 'string'
  );
}

/** Without what the protocol's library puts in front. */
function inWords(error: unknown, patience: number): string {
  if (error instanceof McpError && error.code === REQUEST_TIMEOUT) {
    return `It did not answer within ${Math.round(patience / 1000)} seconds.`;
  }
  return messageOf(error).replace(/^MCP error -?\d+: /, '');
}

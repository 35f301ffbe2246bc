import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { isClosed, isTimeout, plainWords } from './failures.js';

/** What a client starts, and who it says it is. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder it is started in; without it that of this process. */
  readonly cwd?: string;
  /** Of the program that asks. */
  readonly version: string;
}

export interface Unreached {
  readonly reached: false;
  /** Why the server could not be asked, in its own words where it has some. */
  readonly reason: string;
}

/** A server that is being asked. */
export interface Asking {
  /** Of the process that answered, which another version may have started. */
  readonly version: string;
  readonly tools: number;
  /** The structured result of a tool; rejects with what the tool says where it refuses. */
  readonly call: (name: string, args: object) => Promise<unknown>;
  /** Milliseconds until it has waited long enough. */
  readonly left: () => number;
  /** A failure without what the protocol's library puts in front. */
  readonly inWords: (error: unknown) => string;
}

/** How long a server and its model are waited for, in milliseconds. */
export const PATIENCE = 20_000;
/** The library ends a server in three steps of two seconds. */
const LONGEST_END = 5000;
/** UTF-16 units of what a server says on stderr. */
const LONGEST_WORDS = 2000;

/**
 * Starts a server as every client does, asks what `ask` asks, and ends it. Never rejects, and takes `patience`
 * milliseconds at most, and a few seconds more where the server does not end.
 */
export async function withServer<T>(
  { command, args, env, cwd, version }: ServerCommand,
  patience: number,
  ask: (server: Asking) => Promise<T>,
): Promise<T | Unreached> {
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => !!entry[1])),
    ...(cwd !== undefined && { cwd }),
    stderr: 'pipe',
  });
  const decoder = new TextDecoder();
  let heard = '';
  transport.stderr?.on('data', (piece: Buffer) => {
    heard = (heard + decoder.decode(piece, { stream: true })).slice(-LONGEST_WORDS);
  });
  const ended = new AbortController();
  transport.onclose = () => ended.abort();
  const client = new Client({ name: 'subconscious-doctor', version });
  const deadline = performance.now() + patience;
  const left = () => Math.max(1, deadline - performance.now());
  try {
    await client.connect(transport, { timeout: left() });
    const { tools } = await client.listTools({}, { timeout: left() });
    return await ask({
      version: client.getServerVersion()?.version ?? '',
      tools: tools.length,
      call: (name, input) => call(client, name, input, left()),
      left,
      inWords: (error) => inWords(error, patience),
    });
  } catch (error) {
    // A server that cannot even start says why on stderr.
    return { reached: false, reason: (isClosed(error) && heard.trim()) || inWords(error, patience) };
  } finally {
    await client.close().catch(() => undefined);
    // A handshake that failed has begun to end the server already, and nothing has waited for it yet.
    await sleep(LONGEST_END, undefined, { signal: ended.signal }).catch(() => undefined);
  }
}

async function call(client: Client, name: string, args: object, timeout: number): Promise<unknown> {
  const result = await client.callTool({ name, arguments: { ...args } }, undefined, { timeout });
  if (result.isError !== true) return result.structuredContent;
  const [first] = Array.isArray(result.content) ? (result.content as unknown[]) : [];
  throw new Error(isText(first) ? first.text : `${name} was refused without a reason.`);
}

function isText(content: unknown): content is { readonly text: string } {
  return (
    typeof content === 'object' && content !== null && 'text' in content && typeof content.text === 'string'
  );
}

function inWords(error: unknown, patience: number): string {
  return isTimeout(error)
    ? `It did not answer within ${Math.round(patience / 1000)} seconds.`
    : plainWords(error);
}

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { McpError, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { isClosed, isTimeout, plainWords, ToolFailure } from './failures.js';
import { linesIn } from './lines.js';

/** What to start, and how to call oneself. */
export interface SessionOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment; what is undefined is left out. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path. */
  readonly cwd: string;
  readonly name: string;
  readonly version: string;
  /** Resources to hear of; each has to exist. */
  readonly watched: readonly string[];
  readonly onUpdated: (uri: string) => void;
  /** The server has gone, unasked. */
  readonly onClosed: () => void;
  /** A line the server said on stderr. */
  readonly onWords: (line: string) => void;
}

/** A server that is used for as long as somebody needs it. */
export interface Session {
  /**
   * Calls a tool and gives its structured result. Rejects with a {@link ToolFailure} in the server's own words, with an
   * `AbortError` where the signal says so, or with an error that says to people why the server did not answer.
   */
  call(tool: string, args: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

/** A first start reads the whole store and may wait for an older host to leave. In milliseconds. */
const PATIENCE = 60_000;

/** Starts a server, says hello and subscribes. Rejects where any of that fails; then nothing is left running. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const transport = new StdioClientTransport({
    command: options.command,
    args: [...options.args],
    env: Object.fromEntries(
      Object.entries(options.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    cwd: options.cwd,
    stderr: 'pipe',
  });
  const words = linesIn(transport.stderr, options.onWords);
  const client = new Client({ name: options.name, version: options.version });
  const timeout = { timeout: PATIENCE };
  let closing = false;
  try {
    await client.connect(transport, timeout);
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      options.onUpdated(params.uri);
    });
    for (const uri of options.watched) await client.subscribeResource({ uri }, timeout);
  } catch (error) {
    await client.close();
    words.end();
    throw inWords(error);
  }
  client.onclose = () => {
    words.end();
    if (!closing) options.onClosed();
  };
  return {
    call: async (tool, args, signal) => {
      const request = { name: tool, arguments: { ...args } };
      const limits = { ...timeout, ...(signal && { signal }) };
      const result = await client.callTool(request, undefined, limits).catch((error: unknown) => {
        // The library calls that a timeout.
        signal?.throwIfAborted();
        throw inWords(error);
      });
      const [first] = result.content as { readonly type: string; readonly text?: string }[];
      if (result.isError === true) throw new ToolFailure(first?.text ?? `${tool} failed.`);
      return result.structuredContent;
    },
    close: async () => {
      closing = true;
      await client.close();
    },
  };
}

/** For people, where it is the protocol that speaks. */
function inWords(error: unknown): unknown {
  if (isClosed(error)) return new Error('The memory server ended before it answered.', { cause: error });
  if (isTimeout(error)) {
    const seconds = Math.round(PATIENCE / 1000);
    return new Error(`The memory server did not answer within ${seconds} seconds.`, { cause: error });
  }
  return error instanceof McpError ? new Error(plainWords(error), { cause: error }) : error;
}

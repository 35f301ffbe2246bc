import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

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
   * Calls a tool and gives its structured result. Rejects with a {@link ToolFailure} in the server's own words, or
   * with an `AbortError` where the signal says so.
   */
  call(tool: string, args: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

/** A tool that said why it could not do what was asked. */
export class ToolFailure extends Error {}

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
  transport.stderr?.on('data', (piece: Buffer) => {
    for (const line of piece.toString().split('\n')) if (line.trim() !== '') options.onWords(line);
  });
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
    throw error;
  }
  client.onclose = () => {
    if (!closing) options.onClosed();
  };
  return {
    call: async (tool, args, signal) => {
      const request = { name: tool, arguments: { ...args } };
      const result = await client.callTool(request, undefined, { ...timeout, ...(signal && { signal }) });
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

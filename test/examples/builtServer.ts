import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

export const serverFile = fileURLToPath(new URL('../../dist/server.js', import.meta.url));

/** A JSON object as it came over the wire. */
export type Json = Record<string, unknown>;

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A folder that is gone when the test is over. What `first` does comes before that: a program still running would
 * write into it again.
 */
export async function temporaryFolder(t: TestContext, first: () => unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'subconscious-examples-'));
  t.after(async () => {
    await first();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  return folder;
}

/** A server started as a client's configuration says, with an empty home and store; stopped after the test. */
export async function startServer(
  t: TestContext,
  entry: { command: string; args: string[]; env?: Record<string, string> },
) {
  const running: { transport?: StdioClientTransport } = {};
  const folder = await temporaryFolder(t, () => running.transport?.close());
  const project = join(folder, 'project');
  await mkdir(project);
  const places = { HOME: folder, USERPROFILE: folder, SUBCONSCIOUS_STORAGE_DIR: join(folder, 'store') };
  const transport = new StdioClientTransport({
    command: entry.command,
    args: entry.args,
    env: { ...entry.env, ...places },
    cwd: project,
    stderr: 'ignore',
  });
  running.transport = transport;
  await transport.start();
  return {
    notify: (message: Json) => transport.send(message as JSONRPCMessage), // sent as it stands in a file
    /** The message with the request's id. */
    exchange: (request: Json) =>
      new Promise<Json>((resolve, reject) => {
        transport.onmessage = (message) => {
          if ('id' in message && message.id === request.id) resolve({ ...message });
        };
        transport.onclose = () => {
          reject(new Error(`the server ended before it answered ${JSON.stringify(request)}`));
        };
        transport.send(request as JSONRPCMessage).catch(reject); // as above
      }),
  };
}

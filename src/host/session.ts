import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  type Implementation,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { createDispatcher } from '../tools/dispatcher.js';
import type { Caller } from '../tools/tool.js';
import { INSTRUCTIONS } from './instructions.js';
import { checkRequestShapes } from './requestShape.js';
import { createTurns } from './turns.js';

export interface SessionOptions {
  readonly version: string;
  readonly dispatcher: ReturnType<typeof createDispatcher>;
  readonly caller: Caller;
  /** The client is there and listens: a good moment to open what it will need. */
  readonly onInitialized: () => void;
  /** Told of what the client sent that could not be used; the client has been answered. */
  readonly onError: (error: Error) => void;
}

export interface Session {
  /** Resolves when no call is under way. */
  settled(): Promise<void>;
}

/** Serves one client: an MCP server over one transport, handing its calls to the shared dispatcher. */
export async function serve(transport: Transport, options: SessionOptions): Promise<Session> {
  const { dispatcher, caller } = options;
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- McpServer drops unknown parameters silently and knows no subscriptions.
  const server = new Server(
    { name: 'subconscious-mcp', title: 'Subconscious', version: options.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const running = new Set<Promise<unknown>>();
  const turn = createTurns();

  server.setRequestHandler(ListToolsRequestSchema, () => {
    requireInitialize(server.getClientVersion());
    return { tools: dispatcher.list() };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    requireInitialize(server.getClientVersion());
    const call = turn().then(() => dispatcher.call(params.name, params.arguments, caller));
    running.add(call);
    try {
      return await call;
    } finally {
      running.delete(call);
    }
  });
  server.oninitialized = options.onInitialized;
  server.onerror = options.onError;
  await server.connect(transport);
  checkRequestShapes(transport);
  return {
    settled: async () => {
      await Promise.allSettled(running);
    },
  };
}

function requireInitialize(client: Implementation | undefined): void {
  if (client) return;
  throw new McpError(
    ErrorCode.InvalidRequest,
    'Not initialized: send initialize first, then repeat the request.',
  );
}

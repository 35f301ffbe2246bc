import { createHash } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  ErrorCode,
  type Implementation,
  ListToolsRequestSchema,
  McpError,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Change } from '../core/changes.js';
import type { Engine } from '../core/engine.js';
import type { Hurry } from '../core/parts.js';
import type { Call } from '../core/ports.js';
import { LEAVING } from '../link/hello.js';
import type { createDispatcher } from '../tools/dispatcher.js';
import type { Caller } from '../tools/tool.js';
import { INSTRUCTIONS } from './instructions.js';
import type { LineTransport } from './lineTransport.js';
import { checkRequestShapes } from './requestShape.js';
import { markRepeated, repeatedSince } from './repeats.js';
import { ResourceSession } from './resourceSession.js';
import { createTurns } from './turns.js';

const leavingSchema = z.object({ method: z.literal(LEAVING) });

export interface SessionOptions {
  readonly version: string;
  readonly dispatcher: ReturnType<typeof createDispatcher>;
  readonly engine: () => Promise<Engine>;
  readonly caller: Caller;
  /** Names this client's requests across hosts; absent where there is nobody who would repeat one. */
  readonly frontId?: string;
  /** The client is there and listens: a good moment to open what it will need. */
  readonly onInitialized: () => void;
  /** Told of what the client sent that could not be used; the client has been answered. */
  readonly onError: (error: Error) => void;
  /** Told of failures nobody expected; the client has been answered. */
  readonly onFailure: (error: unknown) => void;
}

export interface Session {
  /** Resolves when the transport has closed. */
  readonly closed: Promise<void>;
  /** To be told of every change of memory. */
  changed(change: Change): void;
  /** Resolves when no call is under way. */
  settled(): Promise<void>;
}

/** Serves one client: an MCP server over one transport, handing its calls to the shared dispatcher. */
export async function serve(transport: LineTransport, options: SessionOptions): Promise<Session> {
  const { dispatcher } = options;
  const leaving = new AbortController();
  const caller: Caller = { ...options.caller, hurry: whenAborted(leaving.signal) };
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- McpServer drops unknown parameters silently and knows no subscriptions.
  const server = new Server(
    { name: 'subconscious-mcp', title: 'Subconscious', version: options.version },
    { capabilities: { tools: {}, resources: { subscribe: true } }, instructions: INSTRUCTIONS },
  );
  const running = new Set<Promise<unknown>>();
  const turn = createTurns(() => transport.hasRoom());
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    requireInitialize(server.getClientVersion());
    const request = turn().then(work);
    running.add(request);
    try {
      return await request;
    } catch (error) {
      if (!(error instanceof McpError)) options.onFailure(error);
      throw error;
    } finally {
      running.delete(request);
    }
  };

  server.setRequestHandler(ListToolsRequestSchema, () => {
    requireInitialize(server.getClientVersion());
    return { tools: dispatcher.list(caller) };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
    const call = identify(options.frontId, extra.requestId, params, repeatedSince(extra));
    return run(() => dispatcher.call(params.name, params.arguments, caller, call));
  });
  const resources = new ResourceSession(server, { engine: options.engine, caller, run });
  server.setNotificationHandler(leavingSchema, () => leaving.abort());
  server.oninitialized = options.onInitialized;
  server.onerror = options.onError;
  const closed = new Promise<void>((resolve) => (server.onclose = resolve));
  await server.connect(transport);
  markRepeated(transport);
  checkRequestShapes(transport);
  return {
    closed,
    changed: (change) => resources.changed(change),
    settled: async () => {
      await Promise.allSettled(running);
    },
  };
}

/** Under which name the result of a call is kept, for fronts that send it again when this host has died. */
function identify(
  frontId: string | undefined,
  id: RequestId,
  params: CallToolRequest['params'],
  since: number | null,
): Call | undefined {
  if (frontId === undefined) return undefined;
  const digest = createHash('sha256').update(JSON.stringify(params)).digest('base64');
  return { key: JSON.stringify([frontId, id]), digest, repeatedSince: since };
}

function whenAborted(signal: AbortSignal): Hurry {
  return (act) => {
    if (signal.aborted) act();
    else signal.addEventListener('abort', act);
    return () => signal.removeEventListener('abort', act);
  };
}

function requireInitialize(client: Implementation | undefined): void {
  if (client) return;
  throw new McpError(
    ErrorCode.InvalidRequest,
    'Not initialized: send initialize first, then repeat the request.',
  );
}

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  type JSONRPCMessage,
  ListResourcesRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const SHAPES = [
  {
    method: 'tools/call',
    schema: CallToolRequestSchema,
    takes: 'tools/call takes params with "name", a string, and "arguments", an object.',
  },
  {
    method: 'initialize',
    schema: InitializeRequestSchema,
    takes:
      'initialize takes params with "protocolVersion", a string, "capabilities", an object, and "clientInfo" with ' +
      '"name" and "version".',
  },
  {
    method: 'resources/list',
    schema: ListResourcesRequestSchema,
    takes: 'resources/list takes params with "cursor", a string, or none.',
  },
  ...[ReadResourceRequestSchema, SubscribeRequestSchema, UnsubscribeRequestSchema].map((schema) => {
    const method = schema.shape.method.value;
    return { method, schema, takes: `${method} takes params with "uri", a string.` };
  }),
];

/**
 * Answers requests whose params have the wrong shape with a sentence, before the SDK sees them: it would answer
 * with a dump of its schema. To be called when the SDK has connected to the transport.
 */
export function checkRequestShapes(transport: Transport): void {
  const handle = transport.onmessage;
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    const complaint = complaintOf(message);
    if (complaint === null || !('id' in message) || message.id === undefined) {
      handle?.(message, extra);
      return;
    }
    const error = { code: ErrorCode.InvalidParams, message: `${complaint} Mend the request and repeat it.` };
    void transport.send({ jsonrpc: '2.0', id: message.id, error });
  };
}

function complaintOf(message: JSONRPCMessage): string | null {
  const shape = 'method' in message ? SHAPES.find(({ method }) => method === message.method) : undefined;
  return !shape || shape.schema.safeParse(message).success ? null : shape.takes;
}

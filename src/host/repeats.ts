import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestInfo } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { REPEATED, REPEATING } from '../link/hello.js';

/** The SDK hands the headers of a message's transport on to whoever handles it, untouched. */
const HEADER = 'subconscious-repeated-since';

const repeatingSchema = z.object({
  method: z.literal(REPEATING),
  params: z.object({ since: z.record(z.string(), z.number()) }),
});

/**
 * Marks each request that a front says it sent to a host before. To be called when the SDK has connected to the
 * transport. Notifications would not do: the SDK handles messages side by side, in no certain order.
 */
export function markRepeated(transport: Transport): void {
  const handle = transport.onmessage;
  let since: Readonly<Record<string, number>> = {};
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    const method = 'method' in message ? message.method : '';
    if (method === REPEATING) since = repeatingSchema.safeParse(message).data?.params.since ?? {};
    else if (method === REPEATED) since = {};
    else {
      const at = 'id' in message ? since[JSON.stringify(message.id)] : undefined;
      const marked = { ...extra, requestInfo: { headers: { [HEADER]: String(at) } } };
      handle?.(message, at === undefined ? extra : marked);
    }
  };
}

/** Since when the front has a request that it repeats, in epoch seconds; null for one that is new. */
export function repeatedSince(extra: { readonly requestInfo?: RequestInfo | undefined }): number | null {
  const at = extra.requestInfo?.headers[HEADER];
  return typeof at === 'string' ? Number(at) : null;
}

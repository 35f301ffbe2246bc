import type { Socket } from 'node:net';
import { z } from 'zod';
import { sameToken } from '../link/hostFile.js';
import { MAX_HELLO, PROTOCOL, SCHEMA, type Hello, type Refusal } from '../link/hello.js';
import { isNewer } from '../link/version.js';

/** How long a connection may take to say who it is, in milliseconds. */
const HELLO_WAIT = 10_000;
const NEWLINE = 0x0a;

const helloSchema: z.ZodType<Hello> = z.object({
  subconscious: z.literal('hello'),
  protocol: z.number(),
  version: z.string().max(100),
  schema: z.number(),
  token: z.string(),
  frontId: z.string().min(8).max(100),
  store: z.string().nullable(),
  directory: z.string(),
  home: z.string(),
  settings: z.object({
    namespace: z.string().nullable(),
    defaultThreshold: z.number().min(0).max(1),
    defaultTtlSeconds: z.number().nullable(),
    echoLogEnabled: z.boolean(),
    echoLogMaxBytes: z.number(),
    captureEnabled: z.boolean(),
    embeddingModel: z.string(),
    warnings: z.array(z.string()),
  }),
  repeated: z.array(z.union([z.string(), z.number()])),
});

/** What a host knows of itself when somebody knocks. */
export interface Self {
  readonly version: string;
  readonly token: string;
  readonly store: string | null;
  readonly retiring: boolean;
}

export type Judgement =
  | { readonly kind: 'welcome' }
  /** `retire`: the front is of a newer version, and starts a host of its own once this one is gone. */
  | { readonly kind: 'refused'; readonly why: Refusal; readonly message: string; readonly retire?: true };

/** Whether a front is let in. */
export function judgeHello(hello: Hello, self: Self): Judgement {
  if (!sameToken(hello.token, self.token)) {
    return refused('token', 'the token is not the one in host.json of the storage directory.');
  }
  if (hello.protocol !== PROTOCOL) {
    return refused(
      'protocol',
      `this client speaks version ${hello.protocol} of the protocol between clients and the memory process, and ` +
        `the running memory process (subconscious-mcp ${self.version}) speaks ${PROTOCOL}. Update subconscious-mcp ` +
        'everywhere, and restart the clients.',
    );
  }
  // host.json lies in the directory and is copied with it, token and all.
  if (hello.store !== null && self.store !== null && hello.store !== self.store) {
    return refused('store', 'it serves another storage directory, of which this one is a copy.');
  }
  if (self.retiring) return refused('retiring', 'it is about to end.');
  // A host that reads a newer schema is left alone: the store would be of no use to an older one.
  if (isNewer(hello.version, self.version) && hello.schema >= SCHEMA) {
    return { ...refused('retiring', 'it makes room for a newer version.'), retire: true };
  }
  return { kind: 'welcome' };
}

function refused(why: Refusal, message: string) {
  return { kind: 'refused', why, message } as const;
}

/**
 * The hello of a connection, or null where it sends something else, too much, or nothing in time. What follows the
 * hello is left in the socket, which is paused then.
 * @param milliseconds to wait for it
 */
export function readHello(socket: Socket, milliseconds = HELLO_WAIT): Promise<Hello | null> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    const settle = (hello: Hello | null) => {
      clearTimeout(timer);
      socket.off('data', take).off('close', gone).off('end', gone);
      resolve(hello);
    };
    const gone = () => settle(null);
    const take = (chunk: Buffer) => {
      const end = chunk.indexOf(NEWLINE);
      parts.push(end < 0 ? chunk : chunk.subarray(0, end));
      length += parts.at(-1)?.length ?? 0;
      if (length > MAX_HELLO) settle(null);
      else if (end >= 0) {
        socket.pause();
        if (end + 1 < chunk.length) socket.unshift(chunk.subarray(end + 1));
        settle(parse(Buffer.concat(parts).toString()));
      }
    };
    const timer = setTimeout(gone, milliseconds);
    timer.unref();
    socket.on('data', take).on('close', gone).on('end', gone);
  });
}

function parse(line: string): Hello | null {
  try {
    return helloSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

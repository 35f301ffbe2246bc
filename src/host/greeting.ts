import type { Socket } from 'node:net';
import { z } from 'zod';
import { sameToken } from '../link/hostFile.js';
import { MAX_HELLO, PROTOCOL, SCHEMA, type Hello, type Refusal } from '../link/hello.js';
import { isNewer } from '../link/version.js';

/** How long a connection may take to say who it is, in milliseconds. */
const HELLO_WAIT = 10_000;
const NEWLINE = 0x0a;

/** What every version of the protocol begins with, so that fronts of a later one are told more than nothing. */
const knockSchema = z.object({
  subconscious: z.literal('hello'),
  protocol: z.number(),
  version: z.string().regex(/^[\w.+-]{1,100}$/),
  schema: z.number(),
  token: z.string(),
  store: z.string().nullable(),
});

const helloSchema: z.ZodType<Hello> = knockSchema.extend({
  frontId: z.string().min(8).max(100),
  project: z.object({ key: z.string(), name: z.string() }),
  settings: z.object({
    defaultThreshold: z.number().min(0).max(1),
    defaultTtlSeconds: z.number().nullable(),
    echoLogEnabled: z.boolean(),
    echoLogMaxBytes: z.number(),
    captureEnabled: z.boolean(),
    embeddingModel: z.string(),
    // Fronts before it was there had the one; later ones may know more.
    toolsets: z.array(z.string()).default(['core']),
    warnings: z.array(z.string()),
  }),
});

/** What a host knows of itself when somebody knocks. */
export interface Self {
  readonly version: string;
  readonly token: string;
  readonly store: string | null;
  readonly retiring: boolean;
  /** Whether it retires for a front that starts the next one. */
  readonly succeeded: boolean;
  /** Whether nobody would miss this host. */
  readonly unused: boolean;
  readonly model: string;
}

export type Judgement =
  | { readonly kind: 'welcome'; readonly hello: Hello }
  /** `yours`: the host is to end, if it does not already, and the front that was refused starts the next one. */
  | { readonly kind: 'refused'; readonly why: Refusal; readonly message: string; readonly yours?: boolean };

/** First line of a front; `hello` is null where it is of another version of the protocol. */
export type Knock = z.infer<typeof knockSchema> & { readonly hello: Hello | null };

/** Whether a front is let in. */
export function judgeKnock({ hello, ...knock }: Knock, self: Self): Judgement {
  if (!sameToken(knock.token, self.token)) {
    return refused('token', 'the token is not the one in host.json of the storage directory.');
  }
  // host.json lies in the directory and is copied with it, token and all.
  if (knock.store !== null && self.store !== null && knock.store !== self.store) {
    return refused('store', 'it serves another storage directory, of which this one is a copy.');
  }
  if (self.retiring) return { ...refused('retiring', 'it is about to end.'), yours: !self.succeeded };
  // A host that reads a newer schema is left alone: the store would be of no use to an older one.
  if (knock.schema > SCHEMA || (isNewer(knock.version, self.version) && knock.schema === SCHEMA)) {
    return { ...refused('retiring', 'it makes room for a newer version.'), yours: true };
  }
  if (hello && self.unused && hello.settings.embeddingModel !== self.model) {
    return { ...refused('retiring', 'it makes room for one with another embedding model.'), yours: true };
  }
  if (hello) return { kind: 'welcome', hello };
  return refused(
    'protocol',
    `this client speaks version ${knock.protocol} of the protocol between clients and the memory process, and ` +
      `the running memory process (subconscious-mcp ${self.version}) speaks ${PROTOCOL}. Update subconscious-mcp ` +
      'everywhere, and restart the clients.',
  );
}

function refused(why: Refusal, message: string) {
  return { kind: 'refused', why, message } as const;
}

/**
 * The hello of a connection, or null where it sends something else, too much, or nothing in time. What follows the
 * hello is left in the socket, which is paused then.
 * @param milliseconds to wait for it
 */
export function readKnock(socket: Socket, milliseconds = HELLO_WAIT): Promise<Knock | null> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    const settle = (knock: Knock | null) => {
      clearTimeout(timer);
      socket.off('data', take).off('close', gone).off('end', gone);
      resolve(knock);
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

function parse(line: string): Knock | null {
  try {
    const value: unknown = JSON.parse(line);
    const knock = knockSchema.parse(value);
    return { ...knock, hello: knock.protocol === PROTOCOL ? helloSchema.parse(value) : null };
  } catch {
    return null;
  }
}

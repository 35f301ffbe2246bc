import { REPEATED, REPEATING } from '../link/hello.js';

/** A request of the client that has no answer yet. */
interface Pending {
  readonly key: string;
  readonly line: string;
  readonly method: string | null;
  /** Subject of a resource subscription. */
  readonly uri: string | null;
  /** How many hosts it has been sent to. */
  sent: number;
  /** When it came, in milliseconds since 1970. */
  readonly since: number;
}

/** Hosts that may die over one request before it is taken for the cause. */
const MAX_SENT = 10;
/** Before that it may only have been there when they died; milliseconds. */
const LONG_ENOUGH = 20_000;

/** Code of errors that are about the front's way to the host; from the range JSON-RPC leaves to servers. */
const UNREACHABLE = -32000;

/**
 * What client and host have said to each other, as far as the next host must know it when this one dies: the
 * handshake, the subscriptions and every request without an answer. Decides also what the client gets to see, so
 * that no answer comes twice. Lines are without their newline.
 */
export class Conversation {
  private pending: Pending[] = [];
  private characters = 0;
  private readonly subscriptions = new Set<string>();
  /** As the client sent it, once a host has agreed. */
  private initialize: string | null = null;
  private initialized: string | null = null;

  constructor(
    private readonly frontId: string,
    private readonly now: () => number = () => performance.timeOrigin + performance.now(),
  ) {}

  /** Whether somebody waits for something only a host can give. */
  get needsHost(): boolean {
    return this.waiting || this.subscriptions.size > 0;
  }

  get waiting(): boolean {
    return this.pending.length > 0;
  }

  /** Characters of the requests that wait. */
  get size(): number {
    return this.characters;
  }

  /** Takes note of a line of the client. @param sent whether a host gets it right now */
  fromClient(line: string, sent: boolean): void {
    const message = parse(line);
    const method = text(message?.['method']);
    const isNotification = method !== null && message?.['id'] === undefined;
    if (isNotification && message?.['jsonrpc'] === '2.0') {
      this.notified(method, line, message);
      return;
    }
    // An answer of the client to its server asks for nothing.
    if (message && isAnswer(message)) return;
    this.pending.push({
      key: keyOf(message?.['id']),
      line,
      method,
      uri: text(member(message?.['params'], 'uri')),
      sent: sent ? 1 : 0,
      since: this.now(),
    });
    this.characters += line.length;
  }

  /** Takes note of a line of the host; whether the client shall see it. */
  fromHost(message: Readonly<Record<string, unknown>>): boolean {
    if ('method' in message) return true;
    const key = keyOf(message['id']);
    const at = this.pending.findIndex((entry) => entry.key === key);
    // What nobody waits for: answered already, cancelled, or asked by this front itself. Complaints about lines
    // without an id are always news.
    if (at < 0) return message['id'] === null;
    const entry = this.take(at);
    if (entry) this.answered(entry, !('error' in message));
    return true;
  }

  /** The lines a host that knows nothing must be sent, in order; they count as sent. */
  resume(): string[] {
    const linesOf = (entries: readonly Pending[]) => entries.map(({ line }) => line);
    const handshakes = this.pending.filter(({ method }) => method === 'initialize');
    const requests = this.pending.filter(({ method }) => method !== 'initialize');
    const repeated = requests.filter(({ sent }) => sent > 0);
    const since = Object.fromEntries(repeated.map((entry) => [entry.key, entry.since / 1000]));
    const lines = [
      ...(this.initialize === null ? [] : [withId(this.initialize, `${this.frontId}:initialize`)]),
      ...linesOf(handshakes),
      ...(this.initialized === null ? [] : [this.initialized]),
      ...[...this.subscriptions].map((uri) => subscription(uri, `${this.frontId}:${uri}`)),
      ...(repeated.length > 0
        ? [notification(REPEATING, { since }), ...linesOf(repeated), notification(REPEATED)]
        : []),
      ...linesOf(requests.filter(({ sent }) => sent === 0)),
    ];
    for (const entry of this.pending) entry.sent += 1;
    return lines;
  }

  /** For the client after a change of hosts: what it watches may have changed while nobody told. */
  updates(): string[] {
    return [...this.subscriptions].map((uri) =>
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }),
    );
  }

  /** Answers for requests that have outlived too many hosts; they are not sent again. */
  giveUp(): string[] {
    return this.settle(
      ({ sent, since }) => sent >= MAX_SENT && this.now() - since >= LONG_ENOUGH,
      `The memory process ended ${MAX_SENT} times or more while it worked on this request, so the request was given up. ` +
        'It may or may not have been carried out. The log of the server has the details.',
    );
  }

  /** Answers every open request with this sentence. */
  fail(message: string): string[] {
    return this.settle(() => true, message);
  }

  private settle(which: (entry: Pending) => boolean, message: string): string[] {
    const failed = this.pending.filter(which);
    this.pending = this.pending.filter((entry) => !which(entry));
    this.characters = this.pending.reduce((sum, { line }) => sum + line.length, 0);
    return failed.map(({ key }) => {
      const id = JSON.parse(key) as unknown;
      return JSON.stringify({ jsonrpc: '2.0', id, error: { code: UNREACHABLE, message } });
    });
  }

  private take(at: number): Pending | undefined {
    const [entry] = this.pending.splice(at, 1);
    this.characters -= entry?.line.length ?? 0;
    return entry;
  }

  private notified(method: string, line: string, message: Readonly<Record<string, unknown>>): void {
    if (method === 'notifications/initialized') this.initialized = line;
    if (method !== 'notifications/cancelled') return;
    const key = keyOf(member(message['params'], 'requestId'));
    // The protocol forbids to cancel `initialize`, and its answer cannot be done without.
    const at = this.pending.findIndex((entry) => entry.key === key && entry.method !== 'initialize');
    if (at >= 0 && key !== 'null') this.take(at);
  }

  private answered({ method, line, uri }: Pending, well: boolean): void {
    if (!well) return;
    if (method === 'initialize') this.initialize = line;
    if (uri === null) return;
    if (method === 'resources/subscribe') this.subscriptions.add(uri);
    if (method === 'resources/unsubscribe') this.subscriptions.delete(uri);
  }
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null; // The host says what is wrong with it.
  }
}

/** Of anything else without a method the host says what is wrong with it. */
function isAnswer(message: Readonly<Record<string, unknown>>): boolean {
  if (message['jsonrpc'] !== '2.0' || 'method' in message) return false;
  return isObject(message['result']) || isObject(message['error']);
}

/** An id as text that tells 1 from "1"; `null` where a host would answer without an id. */
function keyOf(id: unknown): string {
  return typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : 'null';
}

function subscription(uri: string, id: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'resources/subscribe', params: { uri } });
}

function notification(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

function withId(line: string, id: string): string {
  return JSON.stringify({ ...parse(line), id });
}

function member(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

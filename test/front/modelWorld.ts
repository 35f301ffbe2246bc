import assert from 'node:assert/strict';
import { REPEATED, REPEATING } from '../../src/link/hello.js';
import { Conversation } from '../../src/server/conversation.js';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly token?: number; readonly uri?: string };
  readonly result?: { readonly token?: number | undefined; readonly uri?: string | undefined };
}

/** Deaths that no request is given up over. */
const MAX_DEATHS = 9;

/** What outlives every host: which request was carried out, by id and content. */
type Ledger = Map<string, Message>;

/** A host as simple as can be: does what it is told in order, and a write that was done before not again. */
class ModelHost {
  readonly told: string[] = [];
  readonly says: Message[] = [];
  readonly subscriptions = new Set<string>();
  private knowsClient = false;
  private initialized = false;
  private repeating = false;

  constructor(private readonly ledger: Ledger) {}

  work(): void {
    const line = this.told.shift();
    if (line === undefined) return;
    const message = line.startsWith('{') ? (JSON.parse(line) as Message) : null;
    if (message === null) this.says.push({ id: null });
    else if (message.method === REPEATING) this.repeating = true;
    else if (message.method === REPEATED) this.repeating = false;
    else if (message.id !== undefined) this.says.push(this.answer(message));
    else if (message.method === 'notifications/initialized') {
      assert.ok(this.knowsClient);
      this.initialized = true;
    }
  }

  private answer({ id, method, params }: Message): Message {
    if (method === 'initialize') this.knowsClient = true;
    else assert.ok(this.initialized, 'a request came ahead of the handshake');
    const uri = params?.uri ?? '';
    if (method === 'resources/subscribe') this.subscriptions.add(uri);
    if (method === 'resources/unsubscribe') this.subscriptions.delete(uri);
    return method === 'tools/call' ? this.carryOut(id, params?.token) : { id, result: { uri: params?.uri } };
  }

  private carryOut(id: unknown, token: number | undefined): Message {
    const key = JSON.stringify([id, token]);
    const stored = this.ledger.get(key);
    if (this.repeating && stored) return stored;
    assert.equal(stored, undefined, 'a request was carried out twice');
    const answer = { id, result: { token } };
    this.ledger.set(key, answer);
    return answer;
  }
}

/** A client that talks to hosts which die at any time, by way of a conversation, and checks all it gets to see. */
export class World {
  private readonly conversation = new Conversation('front-0001');
  private readonly ledger: Ledger = new Map();
  private host: ModelHost | null = null;
  private deaths = 0;
  private tokens = 0;
  private ids = 0;
  /** What the client waits for, by id. */
  private readonly open = new Map<unknown, Message>();
  private readonly free: number[] = [];
  private garbageOpen = 0;
  private readonly watched = new Set<string>();

  constructor() {
    this.ask('initialize', {});
    this.tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  call(): void {
    this.tokens += 1;
    this.ask('tools/call', { token: this.tokens });
  }

  subscribe(uri: string): void {
    this.ask('resources/subscribe', { uri });
  }

  unsubscribe(uri: string): void {
    this.ask('resources/unsubscribe', { uri });
  }

  garbage(): void {
    this.garbageOpen += 1;
    this.say('not JSON');
  }

  cancel(which: number): void {
    const calls = [...this.open.values()].filter(({ method }) => method === 'tools/call');
    const call = calls[which % calls.length];
    if (!call) return;
    this.open.delete(call.id);
    this.tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: call.id } });
  }

  connect(): void {
    if (this.host) return;
    const { conversation } = this;
    this.host = new ModelHost(this.ledger);
    assert.deepEqual(conversation.giveUp(), []);
    this.host.told.push(...conversation.resume());
    assert.equal(conversation.updates().length, this.watched.size);
  }

  work(): void {
    this.host?.work();
  }

  /** One answer of the host arrives. Calls run side by side, the rest is answered in order. */
  deliver(which = 0): void {
    const { host } = this;
    if (!host) return;
    const picked = which % (host.says.length || 1);
    const isCall = host.says[picked]?.result?.token !== undefined;
    const at = isCall ? picked : host.says.findIndex(({ result }) => result?.token === undefined);
    const [message] = host.says.splice(at, 1);
    if (message && this.conversation.fromHost({ ...message })) this.see(message);
  }

  die(): void {
    if (!this.host || this.deaths === MAX_DEATHS) return;
    this.deaths += 1;
    this.host = null;
  }

  /** A last host that lives until everything is done. */
  calmDown(): void {
    this.connect();
    while (this.host?.told.length) this.work();
    while (this.host?.says.length) this.deliver();
    assert.equal(this.conversation.waiting, false);
  }

  unanswered(): unknown[] {
    return [...this.open.values(), ...Array.from({ length: this.garbageOpen }, () => 'garbage')];
  }

  subscribed(): string[] {
    return [...(this.host?.subscriptions ?? [])].sort();
  }

  wanted(): string[] {
    return [...this.watched].sort();
  }

  private ask(method: string, params: Message['params']): void {
    // Ids that were answered are used again.
    const id = this.free.shift() ?? this.ids++;
    const request = { jsonrpc: '2.0', id, method, params: params ?? {} };
    this.open.set(id, request);
    this.tell(request);
  }

  private tell(message: object): void {
    this.say(JSON.stringify(message));
  }

  private say(line: string): void {
    this.conversation.fromClient(line, this.host !== null);
    this.host?.told.push(line);
  }

  private see({ id, result }: Message): void {
    if (id === null) {
      this.garbageOpen -= 1;
      assert.ok(this.garbageOpen >= 0, 'a complaint too many');
      return;
    }
    const request = this.open.get(id);
    assert.ok(request, `the client does not wait for ${JSON.stringify(id)}`);
    this.open.delete(id);
    this.free.push(Number(id));
    assert.equal(result?.token, request.params?.token);
    assert.equal(result?.uri, request.params?.uri);
    if (request.method === 'resources/subscribe') this.watched.add(request.params?.uri ?? '');
    if (request.method === 'resources/unsubscribe') this.watched.delete(request.params?.uri ?? '');
  }
}

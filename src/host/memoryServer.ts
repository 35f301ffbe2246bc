import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { adminTools } from '../tools/adminTools.js';
import { coreTools } from '../tools/coreTools.js';
import { createDispatcher } from '../tools/dispatcher.js';
import type { Caller } from '../tools/tool.js';
import { idleTimer } from './idle.js';
import type { LineTransport } from './lineTransport.js';
import { describeError, type Log } from './log.js';
import type { OpenEngine } from './openEngine.js';
import { reopening } from './reopening.js';
import { serve, type Session } from './session.js';

export interface MemoryServerOptions {
  readonly version: string;
  readonly log: Log;
  /** Opens the store and everything over it, which calls back when it could not write; asked again after a failure. */
  readonly open: (storeFailed: () => void) => Promise<OpenEngine>;
  readonly beforeCall: () => void;
  /** The store refuses every write from now on, until it is opened anew. */
  readonly onRefusingStore: () => void;
}

/** Who is served. */
export interface Client {
  readonly caller: Caller;
  /** Names this client's requests across hosts; absent where there is nobody who would repeat one. */
  readonly frontId?: string;
}

/** Calls still running when the clients leave may use the model for so long, in milliseconds. */
const LAST_EMBEDDING = 1100;
/** After that their answers may take so long to be read, in milliseconds. */
const LAST_ANSWERS = 400;
/** Without a call for this long the store is tidied, in milliseconds. */
const TIDY_AFTER = 20_000;

/** One memory, and the MCP sessions over it. */
export class MemoryServer {
  private readonly memory;
  private readonly idle;
  private readonly engine;
  private readonly dispatcher;
  private readonly sessions = new Map<Session, LineTransport>();

  constructor(private readonly options: MemoryServerOptions) {
    const { log, open, beforeCall } = options;
    const memory = reopening(async () => {
      const opened = await open(() => void this.checkStore());
      opened.engine.onChange((change) => {
        for (const session of this.sessions.keys()) session.changed(change);
      });
      return opened;
    }, log);
    const tidyFailed = (error: unknown) => log.write('WARNING', `tidying: ${describeError(error)}`);
    this.memory = memory;
    this.idle = idleTimer(TIDY_AFTER, () => {
      void memory.opened?.then(({ engine }) => engine.tidy()).catch(tidyFailed);
    });
    this.engine = async () => {
      beforeCall();
      return (await memory.open()).engine;
    };
    this.dispatcher = createDispatcher(
      { core: coreTools, admin: adminTools },
      this.engine,
      () => performance.now(),
      ({ tool, milliseconds, ok, error, reason }) => {
        this.idle.restart();
        if (reason === 'storage') void this.checkStore();
        if (error !== undefined) log.write('ERROR', `${tool}: ${describeError(error)}`);
        else log.write('DEBUG', `${tool} ${ok ? 'answered' : 'refused'} in ${milliseconds.toFixed(1)} ms`);
      },
    );
    this.idle.restart();
  }

  /** Serves one client until its transport closes. */
  async serve(transport: LineTransport, client: Client): Promise<void> {
    const { log, version } = this.options;
    const session = await serve(transport, {
      ...client,
      version,
      dispatcher: this.dispatcher,
      engine: this.engine,
      onInitialized: () => this.open(),
      // Its message quotes what the client sent.
      onError: ({ name }) => log.write('DEBUG', `a line of a client could not be used (${name})`),
      onFailure: (error) => log.write('ERROR', describeError(error)),
    });
    this.sessions.set(session, transport);
    void session.closed.then(() => this.sessions.delete(session));
  }

  /** Opens the store before anybody asks for what is in it. */
  open(): void {
    void this.memory.open().catch(() => undefined);
  }

  /** Last answers out, last changes on disk. */
  async close(): Promise<void> {
    this.idle.stop();
    // A turn of the event loop each: for the last lines to become calls, and for the last answers to be sent.
    await nextTurn();
    for (const transport of this.sessions.values()) transport.pause();
    // Whoever pipes requests in closes the input at once and still waits for the answers; those that would wait for
    // the model longer than this are answered without it.
    await Promise.race([this.settled(), sleep(LAST_EMBEDDING)]);
    await this.memory.endModel();
    // A client that does not read holds up nobody but itself.
    await Promise.race([this.lastAnswers(), sleep(LAST_ANSWERS)]);
    await Promise.all([...this.sessions.values()].map((transport) => transport.close()));
    await this.memory.close();
  }

  private async settled(): Promise<void> {
    await Promise.all([...this.sessions.keys()].map((session) => session.settled()));
  }

  private async lastAnswers(): Promise<void> {
    await this.settled();
    await nextTurn();
    await Promise.all([...this.sessions.values()].map((transport) => transport.flushed()));
  }

  private async checkStore(): Promise<void> {
    const opened = await this.memory.opened?.catch(() => null);
    // It may be closing.
    const { health = [] } = (await opened?.engine.stats('').catch(() => null)) ?? {};
    if (health.some(({ code }) => code === 'writes_refused')) this.options.onRefusingStore();
  }
}

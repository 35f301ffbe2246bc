import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { directoryIdentity } from '../link/address.js';
import { LEAVING, type Hello } from '../link/hello.js';
import type { HostOptions } from '../link/hostOptions.js';
import { LineSplitter, MAX_LINE, tooLong, type Line } from '../link/lines.js';
import type { Setup } from '../link/setup.js';
import { connectAlone } from './alone.js';
import { HIGH_WATER, type Connection } from './connection.js';
import { Conversation } from './conversation.js';
import { introduction } from './introduction.js';
import { launchHost } from './launch.js';
import { Liveness } from './liveness.js';
import { reach, Unreachable } from './reach.js';

/** From the client's leaving to the end, in milliseconds. */
const FAREWELL = 1700;
/** Of it, what may be spent on waiting for the model. */
const LAST_EMBEDDING = 1100;
/** How long the last words may wait for their reader, in milliseconds. */
const LAST_WORDS = 100;
const HURRY = `{"jsonrpc":"2.0","method":"${LEAVING}"}`;
const TOO_LATE =
  'The client ends its connection, and the memory process has not answered in the time that leaves. Keep the input ' +
  'open until the answer has come, and send the request again. It may or may not have been carried out.';
/** Characters of requests without an answer that are kept; more are not read. */
const MAX_WAITING = 16 * 1024 * 1024;
/** Pauses between attempts for a client that only watches, and what counts as a host that did not fail; milliseconds. */
const FIRST_RETRY = 500;
const MAX_RETRY = 30_000;
const LONG_LIFE = 10_000;

/** Passes lines between a client and the host until the client leaves; see {@link Conversation}. */
export class Front {
  private readonly frontId = randomUUID();
  private readonly conversation = new Conversation(this.frontId);
  private readonly liveness = new Liveness({
    ask: () => this.connection?.send(`{"jsonrpc":"2.0","id":"${this.frontId}:ping","method":"ping"}`),
    hanging: () => this.tellHanging(),
  });
  private connection: Connection | null = null;
  private reaching = false;
  private patient = false;
  private hurried = false;
  private failures = 0;
  private retry: NodeJS.Timeout | null = null;
  private readonly hello: (token: string) => Hello;
  private settled: () => void = () => undefined;

  constructor(
    private readonly setup: Setup,
    private readonly input: Readable,
    private readonly output: Writable,
  ) {
    this.hello = introduction(setup, this.frontId);
  }

  /** Resolves when the client has left and has what could still be answered. */
  async run(): Promise<void> {
    const { input, output } = this;
    const splitter = new LineSplitter(MAX_LINE, (line) => this.fromClient(line));
    const ended = new Promise<void>((resolve) => {
      input.on('data', (chunk: Buffer) => splitter.push(chunk));
      input.once('end', () => {
        splitter.end();
        resolve();
      });
      input.once('close', resolve).once('error', resolve);
      // Nobody reads any more. Every further write says so again.
      output.on('error', () => resolve()).once('close', resolve);
      output.on('drain', () => {
        this.liveness.heard();
        this.connection?.resume();
      });
    });
    await Promise.race([ended, this.setup.leaving]);
    const hurry = setTimeout(() => {
      this.hurried = true;
      this.connection?.send(HURRY);
    }, LAST_EMBEDDING);
    await Promise.race([this.lastAnswers(), sleep(FAREWELL)]);
    clearTimeout(hurry);
    // Whoever pipes requests in reads on until this process is gone.
    this.answer(this.conversation.fail(TOO_LATE));
    await Promise.race([this.written(), sleep(LAST_WORDS)]);
    this.connection?.close();
  }

  private async lastAnswers(): Promise<void> {
    if (this.conversation.waiting) await new Promise<void>((resolve) => (this.settled = resolve));
    await this.written();
  }

  private async written(): Promise<void> {
    const { output } = this;
    if (!output.destroyed) await new Promise<void>((resolve) => output.write('', () => resolve()));
  }

  private fromClient(line: Line): void {
    if ('oversize' in line) {
      const error = { code: -32600, message: tooLong(line.oversize) };
      this.toClient(JSON.stringify({ jsonrpc: '2.0', id: line.id, error }));
      return;
    }
    const { connection, conversation } = this;
    conversation.fromClient(line.text, connection !== null);
    connection?.send(line.text);
    this.attend();
  }

  /** To be called whenever what is waited for, or what is in the way of it, may have changed. */
  private attend(): void {
    const { conversation, connection, input } = this;
    if (conversation.waiting) this.liveness.watch();
    else {
      this.liveness.rest();
      this.settled();
    }
    // Nothing piles up here: who has too much open, or sends more than the host reads, is not read either.
    if (conversation.size > MAX_WAITING || connection?.full) input.pause();
    else input.resume();
    if (connection || this.reaching) return;
    if (conversation.waiting) void this.connect();
    else if (conversation.needsHost) this.connectLater();
  }

  /**
   * For a client that only watches. A host that keeps failing is not started again and again, and a folder that was
   * deleted does not come back before somebody asks for something.
   */
  private connectLater(): void {
    if (this.retry) return;
    const delay = this.failures === 0 ? 0 : Math.min(MAX_RETRY, FIRST_RETRY * 2 ** this.failures);
    this.retry = setTimeout(() => {
      this.retry = null;
      if (directoryIdentity(this.setup.config.storageDir) !== null) {
        void this.connect();
        return;
      }
      this.failures += 1;
      this.attend();
    }, delay);
    this.retry.unref();
  }

  private async connect(): Promise<void> {
    this.reaching = true;
    // A request came in the middle of a pause, which is over with it.
    if (this.retry) clearTimeout(this.retry);
    this.retry = null;
    this.answer(this.conversation.giveUp());
    try {
      this.attach(await this.find());
    } catch (error) {
      this.failures += 1;
      this.answer(this.conversation.fail(error instanceof Error ? error.message : String(error)));
    }
    this.reaching = false;
    // The host may have died meanwhile.
    this.attend();
  }

  private async find(): Promise<Connection> {
    const { config, home } = this.setup;
    try {
      return await reach({
        storageDir: config.storageDir,
        patient: this.patient,
        hello: this.hello,
        launch: (dead) =>
          launchHost({
            script: fileURLToPath(new URL('./host.js', import.meta.url)),
            hostOptions: { config, home, dead } satisfies HostOptions,
          }),
      });
    } catch (error) {
      if (error instanceof Unreachable && error.readOnly) return connectAlone(this.setup);
      throw error;
    }
  }

  private attach(connection: Connection): void {
    const { conversation } = this;
    const since = performance.now();
    this.connection = connection;
    this.liveness.heard();
    for (const line of conversation.resume()) connection.send(line);
    if (this.hurried) connection.send(HURRY);
    this.answer(conversation.updates());
    connection.listen({
      message: (message, line) => {
        this.liveness.heard();
        if (conversation.fromHost(message)) this.toClient(line);
        this.attend();
      },
      drained: () => this.attend(),
      closed: () => {
        this.connection = null;
        this.patient = connection.succeeded;
        this.failures = performance.now() - since < LONG_LIFE ? this.failures + 1 : 0;
        this.attend();
      },
    });
  }

  private tellHanging(): void {
    const { connection } = this;
    // A host that is not read from, because the client does not read, is silent through no fault of its own.
    if (!connection || this.output.writableNeedDrain) return;
    const message =
      `The memory process (pid ${connection.pid}) does not answer. If it was stopped, continue it; if it hangs, ` +
      `end process ${connection.pid}: nothing that was acknowledged is lost, and the next request starts another. ` +
      'Whether this request is still carried out is open.';
    this.answer(this.conversation.fail(message));
    // With it go late answers, which a later request of the same id would be given.
    connection.drop();
  }

  private answer(lines: readonly string[]): void {
    for (const line of lines) this.toClient(line);
    if (!this.conversation.waiting) this.settled();
  }

  private toClient(line: string): void {
    const { output } = this;
    if (output.destroyed) return;
    output.write(`${line}\n`);
    if (output.writableLength > HIGH_WATER) this.connection?.pause();
  }
}

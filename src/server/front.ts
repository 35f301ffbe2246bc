import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { directoryIdentity } from '../link/address.js';
import { LEAVING, PROTOCOL, SCHEMA, type Hello } from '../link/hello.js';
import type { HostOptions } from '../link/hostOptions.js';
import { LineSplitter, MAX_LINE, tooLong, type Line } from '../link/lines.js';
import { connectAlone, type Setup } from './alone.js';
import { HIGH_WATER, type Connection } from './connection.js';
import { Conversation } from './conversation.js';
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
/** Characters of requests kept while there is no host; more are not read. */
const MAX_WAITING = 64 * 1024 * 1024;

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
  private settled: () => void = () => undefined;

  constructor(
    private readonly setup: Setup,
    private readonly input: Readable,
    private readonly output: Writable,
  ) {}

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
    if (connection) this.send(connection, line.text);
    else if (conversation.size > MAX_WAITING) this.input.pause();
    this.attend();
  }

  private send(connection: Connection, line: string): void {
    if (!connection.send(line)) this.input.pause();
  }

  /** To be called whenever what is waited for may have changed. */
  private attend(): void {
    if (this.conversation.waiting) this.liveness.watch();
    else {
      this.liveness.rest();
      this.settled();
    }
    if (this.connection === null && !this.reaching && this.conversation.needsHost) void this.connect();
  }

  private async connect(): Promise<void> {
    this.reaching = true;
    let failed = false;
    this.answer(this.conversation.giveUp());
    try {
      this.attach(await this.find());
    } catch (error) {
      failed = true;
      this.answer(this.conversation.fail(error instanceof Error ? error.message : String(error)));
      this.input.resume();
    }
    this.reaching = false;
    // The host may have died meanwhile. Where none can be had, the next request tries again.
    if (!failed || this.conversation.waiting) this.attend();
  }

  private async find(): Promise<Connection> {
    const { config, home } = this.setup;
    try {
      return await reach({
        storageDir: config.storageDir,
        patient: this.patient,
        hello: (token) => Promise.resolve(this.hello(token, directoryIdentity(config.storageDir))),
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

  private hello(token: string, store: string | null): Hello {
    const { config, version, home, directory } = this.setup;
    const { namespace, defaultThreshold, defaultTtlSeconds, echoLogEnabled, echoLogMaxBytes } = config;
    const { captureEnabled, embeddingModel, warnings } = config;
    return {
      subconscious: 'hello',
      protocol: PROTOCOL,
      version,
      schema: SCHEMA,
      token,
      frontId: this.frontId,
      store,
      directory,
      home,
      settings: {
        namespace,
        defaultThreshold,
        defaultTtlSeconds,
        echoLogEnabled,
        echoLogMaxBytes,
        captureEnabled,
        embeddingModel,
        warnings,
      },
      repeated: this.conversation.repeated,
    };
  }

  private attach(connection: Connection): void {
    const { conversation } = this;
    this.connection = connection;
    this.liveness.heard();
    for (const line of conversation.resume()) this.send(connection, line);
    if (this.hurried) connection.send(HURRY);
    this.answer(conversation.updates());
    this.input.resume();
    connection.listen({
      message: (message, line) => {
        this.liveness.heard();
        if (conversation.fromHost(message)) this.toClient(line);
        this.attend();
      },
      drained: () => void this.input.resume(),
      closed: () => {
        this.connection = null;
        this.patient = connection.succeeded;
        this.input.resume();
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
    this.answer(this.conversation.abandon(message));
    // Held up by what the host has not read, the client could not even leave.
    this.input.resume();
    this.attend();
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

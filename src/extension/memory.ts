import { createRequire } from 'node:module';
import * as vscode from 'vscode';
import type * as Mcp from '../mcp/main.js';
import type { Session } from '../mcp/session.js';
import { CONTEXT_KEYS } from './contributions.js';
import type { ContextKeys } from './contextKeys.js';
import { Restarts } from './restarts.js';
import type { ServerLaunch } from './serverLaunch.js';

/** Changed by every change of any memory, and by every hit of a recall. */
const EVERYTHING = 'memory://projects';
/** Changes that come together are shown together, in milliseconds. */
const TOGETHER = 100;

export type Words = (line: string) => void;

/**
 * The memory server of this window, started when it is first asked for. It shares its host with every other client,
 * so what is stored elsewhere is told here. It comes back by itself when it ends, a few times; a failure to start is
 * said once, and then nothing is tried until {@link restart}.
 */
export class Memory implements vscode.Disposable {
  private opening: Promise<Session> | null = null;
  private failure: Error | null = null;
  private readonly restarts = new Restarts();
  private readonly changed = new vscode.EventEmitter<void>();
  private telling: NodeJS.Timeout | undefined;
  private disposed = false;

  /** Some memory was stored, changed, forgotten or hit, or the server is another one now. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly launch: () => ServerLaunch,
    private readonly version: string,
    private readonly log: vscode.LogOutputChannel,
    private readonly keys: ContextKeys,
    private readonly onFailure: (error: Error) => void,
  ) {}

  /** The structured result of a tool. Rejects with the server's own words, or with why there is no server. */
  async call<Result>(
    tool: string,
    args: Readonly<Record<string, unknown>> = {},
    signal?: AbortSignal,
  ): Promise<Result> {
    const session = await this.session();
    // The server's own output schemas vouch for the shape.
    return (await session.call(tool, args, signal)) as Result;
  }

  /** False until the server was asked for, and where it could not be started. */
  get isRunning(): boolean {
    return this.opening !== null && this.failure === null;
  }

  /** That was said already. */
  get isFailed(): boolean {
    return this.failure !== null;
  }

  /** Ends the server, if any, and lets the next call start another; also after a failure. */
  async restart(): Promise<void> {
    const before = this.opening;
    this.opening = null;
    this.failure = null;
    this.restarts.forget();
    this.keys.set(CONTEXT_KEYS.server, undefined);
    await before?.then(
      (session) => session.close(),
      () => undefined,
    );
    this.tell();
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.telling);
    this.changed.dispose();
    void this.opening?.then(
      (session) => session.close(),
      () => undefined,
    );
  }

  private session(): Promise<Session> {
    if (this.failure) return Promise.reject(this.failure);
    return (this.opening ??= this.open());
  }

  private async open(): Promise<Session> {
    const { command, args, env, cwd } = this.launch();
    const words: string[] = [];
    let isCurrent = true;
    this.keys.set(CONTEXT_KEYS.server, 'starting');
    this.log.info(`Starting the memory server: ${args.join(' ')} in ${cwd}`);
    try {
      // Loaded here and not with the extension: it is most of what would have to be read at the editor's start.
      const { openSession } = createRequire(import.meta.url)('./mcp.js') as typeof Mcp;
      const session = await openSession({
        command,
        args,
        env: { ...process.env, ...env, SUBCONSCIOUS_TOOLSETS: 'core,admin' },
        cwd,
        name: 'subconscious-vscode',
        version: this.version,
        watched: [EVERYTHING],
        onUpdated: () => this.tell(),
        onClosed: () => {
          if (isCurrent) this.onClosed();
          isCurrent = false;
        },
        onWords: (line) => {
          words.push(line);
          this.log.warn(line);
        },
      });
      this.keys.set(CONTEXT_KEYS.server, 'ready');
      return session;
    } catch (cause) {
      const why = words.length > 0 ? words.join(' ') : cause instanceof Error ? cause.message : String(cause);
      throw this.fail(new Error(why, { cause }));
    }
  }

  private onClosed(): void {
    this.opening = null;
    if (this.disposed) return;
    this.log.warn('The memory server has ended.');
    if (!this.restarts.mayRestart(Date.now())) {
      this.fail(new Error('The memory server ended several times within a minute.'));
    }
    // Whoever is visible asks again, and that starts the next one.
    this.tell();
  }

  private fail(error: Error): Error {
    this.failure = error;
    this.opening = null;
    this.keys.set(CONTEXT_KEYS.server, 'failed');
    this.log.error(error.message);
    if (!this.disposed) this.onFailure(error);
    return error;
  }

  private tell(): void {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.changed.fire(), TOGETHER);
  }
}

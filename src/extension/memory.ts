import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import type * as Mcp from '../mcp/main.js';
import type { Session } from '../mcp/session.js';
import { CONTEXT_KEYS } from './contributions.js';
import type { ContextKeys } from './contextKeys.js';
import { CurrentSession } from './currentSession.js';
import { together } from './gathering.js';
import type { ServerLaunch } from './serverLaunch.js';

/** Changed by every change of any memory, and by every hit of a recall. */
const EVERYTHING = 'memory://projects';
/** Changes that come together are shown together, in milliseconds. */
const TOGETHER = 100;
/** How long the next server waits for the one before to be gone, in milliseconds: a store alone has one owner. */
const FAREWELL = 5_000;

interface Options {
  /** Throws, in words for people, where that cannot be said. */
  readonly launch: () => ServerLaunch;
  readonly version: string;
  readonly log: vscode.LogOutputChannel;
  readonly keys: ContextKeys;
  /** Nothing is tried any more. */
  readonly onFailure: (error: Error) => void;
  readonly onReady: () => void;
}

/**
 * The memory server of this window, started when it is first asked for. It shares its host with every other client,
 * so what is stored elsewhere is told here. It comes back by itself when it ends, a few times; a failure to start is
 * said once, and then nothing is tried until {@link restart}.
 */
export class Memory implements vscode.Disposable {
  private readonly server: CurrentSession<Session>;
  /** What the newest server was started with, or why that could not be said. */
  private launched: ServerLaunch | Error | null = null;
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly tell = together(TOGETHER, () => this.changed.fire());

  /** Some memory was stored, changed, forgotten or hit, or the server is another one now. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly options: Options) {
    const { keys, log } = options;
    this.server = new CurrentSession<Session>({
      start: (onClosed) => this.start(onClosed),
      onState: (state) => {
        keys.set(CONTEXT_KEYS.server, state);
        if (state === 'ready') options.onReady();
      },
      onFailure: options.onFailure,
      onEnded: () => {
        log.warn('The memory server has ended.');
        // Whoever is visible asks again, and that starts the next one.
        this.tell();
      },
      endedTooOften: () => new Error(vscode.l10n.t('The memory server ended several times within a minute.')),
      patience: () => pause(FAREWELL, undefined, { ref: false }),
      now: Date.now,
    });
  }

  /** The structured result of a tool. Rejects with the server's own words, or with why there is no server. */
  async call<Result>(
    tool: string,
    args: Readonly<Record<string, unknown>> = {},
    signal?: AbortSignal,
  ): Promise<Result> {
    const session = await this.server.get();
    // The server's own output schemas vouch for the shape.
    return (await session.call(tool, args, signal)) as Result;
  }

  /** False until the server was asked for, and where it could not be started. */
  get isRunning(): boolean {
    return this.server.isWanted;
  }

  /** That was said already. */
  get isFailed(): boolean {
    return this.server.failure !== null;
  }

  /** Ends the server, if any, and lets the next call start another; also after a failure. */
  restart(): void {
    this.server.leave();
    this.tell();
  }

  /** {@link restart} where another server would be started now than the last one. */
  launchChanged(): void {
    if (!this.isRunning && !this.isFailed) return;
    if (!isDeepStrictEqual(this.nextLaunch(), this.launched)) this.restart();
  }

  dispose(): void {
    this.server.end();
    this.tell.dispose();
    this.changed.dispose();
  }

  private nextLaunch(): ServerLaunch | Error {
    try {
      return this.options.launch();
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  private async start(onClosed: () => void): Promise<Session> {
    const { version, log } = this.options;
    this.launched = this.nextLaunch();
    if (this.launched instanceof Error) throw this.launched;
    const { command, args, env, cwd } = this.launched;
    const words: string[] = [];
    log.info(`Starting the memory server: ${args.join(' ')} in ${cwd}`);
    try {
      // Loaded here and not with the extension: it is most of what would have to be read at the editor's start.
      const { openSession } = createRequire(import.meta.url)('./mcp.js') as typeof Mcp;
      return await openSession({
        command,
        args,
        env: { ...process.env, ...env, SUBCONSCIOUS_TOOLSETS: 'core,admin' },
        cwd,
        name: 'subconscious-vscode',
        version,
        watched: [EVERYTHING],
        onUpdated: this.tell,
        onClosed,
        onWords: (line) => {
          words.push(line);
          log.warn(line);
        },
      });
    } catch (cause) {
      const why = words.length > 0 ? words.join(' ') : cause instanceof Error ? cause.message : String(cause);
      throw new Error(why, { cause });
    }
  }
}

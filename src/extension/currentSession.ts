import { Restarts } from './restarts.js';

/** `undefined`: nobody has asked for the server yet, or it was ended on purpose. */
export type ServerState = 'starting' | 'ready' | 'failed' | undefined;

interface Parts<Session> {
  /** Starts a server, and says when that has ended unasked. Rejects with words for people. */
  readonly start: (onClosed: () => void) => Promise<Session>;
  readonly onState: (state: ServerState) => void;
  /** Why there is no server, once for each time nothing is tried any more. */
  readonly onFailure: (error: Error) => void;
  /** The server has ended unasked. */
  readonly onEnded: () => void;
  readonly endedTooOften: () => Error;
  /** Resolves when the next start need not wait any longer for the server before to be gone. */
  readonly patience: () => Promise<void>;
  /** In milliseconds. */
  readonly now: () => number;
}

/**
 * The one server that is used now, started by the first {@link get}. One that ends is followed by another a few times;
 * after a failure nothing is tried until {@link leave}. A start that was overtaken is of no consequence: its server is
 * closed, its failure is nobody's, and whoever waited for it gets the next one.
 */
export class CurrentSession<Session extends { close(): Promise<void> }> {
  private start: Promise<Session> | null = null;
  private fault: Error | null = null;
  private leaving: Promise<unknown> = Promise.resolve();
  private readonly restarts = new Restarts();

  constructor(private readonly parts: Parts<Session>) {}

  /** Why nothing is tried. */
  get failure(): Error | null {
    return this.fault;
  }

  /** False until somebody has asked, and after a failure. */
  get isWanted(): boolean {
    return this.start !== null;
  }

  /** Rejects with the failure, if there is one. */
  async get(): Promise<Session> {
    while (this.fault === null) {
      const start = (this.start ??= this.open());
      const session = await start.catch(() => null);
      if (session !== null && start === this.start) return session;
    }
    throw this.fault;
  }

  /** Ends the server, if any, and lets the next {@link get} start another; also after a failure. */
  leave(): void {
    const before = this.start;
    this.start = null;
    this.fault = null;
    this.restarts.forget();
    this.parts.onState(undefined);
    if (before === null) return;
    const gone = before.then((session) => session.close()).catch(() => undefined);
    this.leaving = Promise.race([gone, this.parts.patience()]);
  }

  /** Ends the server for good. */
  end(): void {
    this.leave();
    this.fault = new Error('The window is closed.');
  }

  private open(): Promise<Session> {
    const isCurrent = () => this.start === start;
    const { parts, leaving } = this;
    parts.onState('starting');
    const start = (async () => {
      await leaving;
      if (!isCurrent()) throw new Error('overtaken');
      return await parts.start(() => {
        if (isCurrent()) this.ended();
      });
    })();
    start.then(
      () => {
        if (isCurrent()) parts.onState('ready');
      },
      (error: unknown) => {
        if (isCurrent()) this.fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
    return start;
  }

  private ended(): void {
    this.start = null;
    if (!this.restarts.mayRestart(this.parts.now())) this.fail(this.parts.endedTooOften());
    this.parts.onEnded();
  }

  private fail(error: Error): void {
    this.start = null;
    this.fault = error;
    this.parts.onState('failed');
    this.parts.onFailure(error);
  }
}

/** Something that embeds: a child process, or the model in this process. It takes one request at a time. */
export interface EmbedWorker {
  /** Process id, or undefined in this process. */
  readonly pid: number | undefined;
  /**
   * Resolves when the model is loaded, with the name of the runtime. Rejects with {@link CannotStart}, {@link WorkerDied}, or an error whose
   * message tells people why the model or the runtime cannot be used.
   */
  readonly ready: Promise<string>;
  /** Rejects with {@link WorkerDied}, or with the worker's own error, after which it can still be used. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** Whether work is pending, so that this process must stay alive for it. */
  hold(pending: boolean): void;
  /** Ends it at once; resolves when it is gone. */
  end(): Promise<void>;
}

/** The worker ended before it answered. */
export class WorkerDied extends Error {
  override readonly name = 'WorkerDied';
}

/** No process can be started here. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

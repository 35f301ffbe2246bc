import { MemoryError } from '../core/errors.js';
import type { Embedder, EmbedderState } from '../core/ports.js';
import { ChildWorker } from './childWorker.js';
import { LocalWorker } from './localWorker.js';
import { findModel, type ModelFiles } from './modelFiles.js';
import { EmbedQueue, type Batch, type Priority } from './queue.js';
import { runtimeName } from './runtime.js';
import { wording } from './wording.js';
import { CannotStart, WorkerDied, type EmbedWorker } from './embedWorker.js';

/** Deaths without an answer between them after which nothing more is tried for a while. */
const MAX_DEATHS = 3;

/** A text that any model that works can embed. */
const HARMLESS = 'text';

const RETRY_SECONDS = 60;

export interface ChildEmbedderOptions {
  /** As configured; see `findModel`. */
  readonly modelName: string;
  /** Absolute path of the embedder's bundle. */
  readonly script: string;
  readonly modelsRoot?: string | undefined;
  /** How long the child stays without work. Default 120. */
  readonly idleSeconds?: number | undefined;
  /** How long the child may take to load before it counts as dead. Default 60. */
  readonly loadSeconds?: number | undefined;
  /** How long it may be silent over one batch. Default 4: sent again once, it is answered while people still wait. */
  readonly answerSeconds?: number | undefined;
  /** Program that runs the child. Default: the one that runs this process. */
  readonly nodePath?: string | undefined;
  readonly log?: ((line: string) => void) | undefined;
  /** Milliseconds on a clock that only goes forward. */
  readonly now?: (() => number) | undefined;
}

/**
 * Embeds in a child process that is started on first use, ended when idle and replaced when it dies; in this
 * process where no child can be started. Neither the constructor nor a missing model throws: the state is
 * `unavailable` then, with the reason. Except for a model that is not installed, the first `embed` a minute
 * later tries again.
 */
export class ChildEmbedder implements Embedder {
  readonly model: string;
  /** 0 where the model is not installed. */
  readonly dimension: number;

  private readonly files: ModelFiles | undefined;
  private readonly queue = new EmbedQueue();
  private readonly now: () => number;
  private current: EmbedderState = { status: 'idle' };
  /** Expected until a worker has said which one it is. */
  private usedRuntime = runtimeName();
  private retryAt = Infinity;
  private worker: EmbedWorker | undefined;
  private working = false;
  /** No child can be started. Asked anew after every idle end. */
  private here = false;
  private deaths = 0;
  private idle: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: ChildEmbedderOptions) {
    this.now = options.now ?? (() => performance.now());
    try {
      this.files = findModel(options.modelName, options.modelsRoot);
    } catch (error) {
      this.current = { status: 'unavailable', reason: wording(error) };
    }
    this.model = this.files?.modelId ?? options.modelName;
    this.dimension = this.files?.dimension ?? 0;
  }

  get runtime(): string {
    return this.usedRuntime;
  }

  get state(): EmbedderState {
    return this.current;
  }

  /** Process id of the child, while there is one. */
  get pid(): number | undefined {
    return this.worker?.pid;
  }

  async embed(
    texts: readonly string[],
    priority: Priority = 'interactive',
    wanted?: () => boolean,
  ): Promise<Float32Array[]> {
    if (this.closed) throw noModel('The embedder is closed.');
    const state = this.current;
    if (state.status === 'unavailable' && this.now() < this.retryAt) throw noModel(state.reason);
    if (texts.length === 0) return [];
    const vectors = this.queue.add(texts, priority, wanted);
    void this.work();
    return vectors;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.queue.rejectAll(noModel('The embedder was closed before it answered.'));
    await this.drop();
  }

  /** Works until nothing is queued. One batch is under way at a time, so the next can be the most urgent. */
  private async work(): Promise<void> {
    if (this.working) return;
    this.working = true;
    clearTimeout(this.idle);
    while (this.queue.size > 0) await this.step();
    this.working = false;
    this.worker?.hold(false);
    if (this.worker === undefined) return;
    const idleSeconds = this.options.idleSeconds ?? 120;
    this.idle = setTimeout(() => void this.drop(), idleSeconds * 1000).unref();
  }

  private async step(): Promise<void> {
    let batch: Batch | undefined;
    try {
      const worker = await this.loaded();
      batch = this.queue.next();
      if (batch === undefined) return;
      const vectors = await worker.embed(batch.texts);
      this.deaths = 0;
      this.queue.complete(batch, vectors);
    } catch (error) {
      await this.failed(error, batch);
    }
  }

  private async loaded(): Promise<EmbedWorker> {
    if (this.worker === undefined) {
      this.current = { status: 'loading' };
      this.worker = this.start();
    }
    const worker = this.worker;
    worker.hold(true);
    this.usedRuntime = await worker.ready;
    if (this.deaths === MAX_DEATHS - 1) {
      // The last try is not left to a text that may itself be what ends the process.
      await worker.embed([HARMLESS]);
      this.deaths = 0;
    }
    if (worker === this.worker) this.current = { status: 'ready' };
    return worker;
  }

  /** @throws CannotStart */
  private start(): EmbedWorker {
    const { script, nodePath = process.execPath, loadSeconds = 60, answerSeconds = 4 } = this.options;
    const modelFolder = this.files?.folder ?? '';
    if (this.here) return new LocalWorker(modelFolder);
    const worker = new ChildWorker({ script, modelFolder, nodePath, loadSeconds, answerSeconds });
    const { pid } = worker;
    if (pid === undefined) return worker;
    this.log(`embedder process ${pid} started`);
    void worker.ended.then((how) => {
      this.log(`embedder process ${pid} ended (${how})`);
      // Died while it had nothing to do: the next request starts another.
      if (this.worker === worker && !this.working) this.forget();
    });
    return worker;
  }

  private async failed(error: unknown, batch: Batch | undefined): Promise<void> {
    if (error instanceof CannotStart) {
      this.forget();
      this.here = true;
      this.log(`no embedder process can be started (${error.message}); embedding in this process`);
    } else if (error instanceof WorkerDied) {
      this.forget();
      this.deaths += 1;
      if (batch !== undefined)
        this.queue.died(batch, noModel(`The text was not embedded: ${error.message}, twice.`));
      if (this.deaths < MAX_DEATHS) return;
      this.giveUp(
        `The embedder gave no answer in ${MAX_DEATHS} starts: ${error.message}. Search by words still works. ` +
          `It is tried again in ${RETRY_SECONDS} seconds; if this persists, see the log and the free memory.`,
      );
    } else if (batch === undefined) {
      // The model or the runtime cannot be used.
      this.giveUp(wording(error));
      await this.drop();
    } else {
      this.deaths = 0;
      this.queue.reject(batch, noModel(`The text was not embedded: ${wording(error)}.`));
    }
  }

  private giveUp(reason: string): void {
    this.deaths = 0;
    if (this.closed) return;
    this.current = { status: 'unavailable', reason };
    this.retryAt = this.now() + RETRY_SECONDS * 1000;
    this.queue.rejectAll(noModel(reason));
    this.log(`embedder unavailable: ${reason}`);
  }

  private async drop(): Promise<void> {
    const worker = this.worker;
    this.forget();
    await worker?.end();
  }

  private forget(): void {
    clearTimeout(this.idle);
    this.worker = undefined;
    this.here = false;
    if (this.current.status !== 'unavailable') this.current = { status: 'idle' };
  }

  private log(line: string): void {
    this.options.log?.(line);
  }
}

function noModel(message: string): MemoryError {
  return new MemoryError('no_model', message);
}

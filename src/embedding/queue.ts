import { MemoryError } from '../core/errors.js';
import { excerpt } from './pieces.js';

/** Texts per message; an interactive request waits for one message of bulk work at most. */
const BATCH_TEXTS = 8;

/** UTF-16 units per message, unless a single text is longer; about 0.15 s of work. */
const BATCH_CHARS = 4_096;

export type Priority = 'interactive' | 'bulk';

/** One call of `embed` that waits for its vectors. */
interface Job {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  readonly resolve: (vectors: Float32Array[]) => void;
  readonly reject: (error: Error) => void;
  readonly wanted: () => boolean;
  /** How often a process died over the batch that is now first. */
  deaths: number;
}

/** The next texts of one job. It stays queued until it is completed. */
export interface Batch {
  readonly job: Job;
  readonly texts: readonly string[];
}

/** Work waiting for the one embedder, handed out in small batches: interactive first, each in order of arrival. */
export class EmbedQueue {
  private readonly jobs: Record<Priority, Job[]> = { interactive: [], bulk: [] };

  /** @param wanted asked when the job's turn comes; false where nobody waits for it any more. */
  add(
    texts: readonly string[],
    priority: Priority,
    wanted: () => boolean = () => true,
  ): Promise<Float32Array[]> {
    return new Promise((resolve, reject) => {
      this.jobs[priority].push({ texts, vectors: [], resolve, reject, wanted, deaths: 0 });
    });
  }

  get size(): number {
    return this.jobs.interactive.length + this.jobs.bulk.length;
  }

  /** What to do now. Does not remove it: {@link complete} or a rejection does. Rejects what nobody waits for. */
  next(): Batch | undefined {
    let job = this.first();
    while (job?.wanted() === false) {
      this.remove(job);
      job.reject(new MemoryError('no_model', 'The text was not embedded: nobody waits for it any more.'));
      job = this.first();
    }
    if (job === undefined) return undefined;
    const texts: string[] = [];
    let chars = 0;
    for (const text of job.texts.slice(job.vectors.length, job.vectors.length + BATCH_TEXTS)) {
      // Cut here too, so that a text of megabytes is not copied to the other process.
      const short = excerpt(text);
      chars += short.length;
      if (texts.length > 0 && chars > BATCH_CHARS) break;
      texts.push(short);
    }
    return { job, texts };
  }

  complete({ job }: Batch, vectors: readonly Float32Array[]): void {
    job.vectors.push(...vectors);
    job.deaths = 0;
    if (job.vectors.length < job.texts.length) return;
    this.remove(job);
    job.resolve(job.vectors);
  }

  /** The process died over this batch: it stays first to be sent once more, and is rejected the second time. */
  died(batch: Batch, error: Error): void {
    batch.job.deaths += 1;
    if (batch.job.deaths > 1) this.reject(batch, error);
  }

  reject({ job }: Batch, error: Error): void {
    this.remove(job);
    job.reject(error);
  }

  rejectAll(error: Error): void {
    const jobs = [...this.jobs.interactive.splice(0), ...this.jobs.bulk.splice(0)];
    for (const job of jobs) job.reject(error);
  }

  private first(): Job | undefined {
    return this.jobs.interactive[0] ?? this.jobs.bulk[0];
  }

  private remove(job: Job): void {
    for (const jobs of [this.jobs.interactive, this.jobs.bulk]) {
      const at = jobs.indexOf(job);
      if (at >= 0) jobs.splice(at, 1);
    }
  }
}

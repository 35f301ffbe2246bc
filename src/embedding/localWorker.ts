import type { EmbeddingSession } from './session.js';
import type { EmbedWorker } from './embedWorker.js';

/**
 * The model in this process, where no child can be started. Embedding blocks the event loop about 30 ms at a
 * time, without native code 150 ms, loading longer.
 */
export class LocalWorker implements EmbedWorker {
  readonly pid = undefined;
  readonly ready: Promise<string>;
  private readonly session: Promise<EmbeddingSession>;

  constructor(modelFolder: string) {
    // Loaded on demand: a process that has a child never needs the tokenizer.
    this.session = import('./session.js').then(({ loadSession }) => loadSession(modelFolder));
    this.ready = this.session.then(({ runtime }) => runtime);
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return (await this.session).embed(texts);
  }

  hold(): void {
    // Work in this process keeps it alive by itself.
  }

  end(): Promise<void> {
    // The runtime has no call to release a model: dropping the last reference is all that can be done.
    return Promise.resolve();
  }
}

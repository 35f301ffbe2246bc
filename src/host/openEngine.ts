import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.js';
import { Engine } from '../core/engine.js';
import type { Sources } from '../core/ports.js';
import { ChildEmbedder } from '../embedding/childEmbedder.js';
import { openSqlStore } from '../storage/sqlStore.js';
import type { Admission } from './admission.js';
import { describeError, type Log } from './log.js';
import { createTurns } from './turns.js';

export interface OpenEngine {
  readonly engine: Engine;
  /** From here on calls are answered without the model. */
  endModel(): Promise<void>;
  close(): Promise<void>;
}

/** Opens everything over a storage directory that this process was admitted to. Nothing stays open on failure. */
export async function openEngine(
  config: Config,
  { surroundings }: Pick<Admission, 'surroundings'>,
  log: Log,
): Promise<OpenEngine> {
  const giveUp: (() => Promise<void>)[] = [];
  try {
    const store = await openSqlStore(config.storageDir, surroundings);
    giveUp.unshift(() => store.close());
    const embedder = new ChildEmbedder({
      modelName: config.embeddingModel,
      script: fileURLToPath(new URL('./embedder.js', import.meta.url)),
      log: (message) => log.write('INFO', message),
    });
    giveUp.unshift(() => embedder.close());
    const engine = await Engine.open(store, embedder, sources, (error) =>
      log.write('ERROR', `in the background: ${describeError(error)}`),
    );
    for (const { message } of (await store.state()).notes) log.write('WARNING', message);
    return { engine, endModel: () => engine.endModel(), close: () => engine.close() };
  } catch (error) {
    for (const undo of giveUp) await undo().catch(() => undefined);
    throw error;
  }
}

const sources: Sources = {
  now: () => Date.now() / 1000,
  newId: () => randomUUID(),
  turn: createTurns(),
  timer(milliseconds) {
    const stop = new AbortController();
    const done = sleep(milliseconds, undefined, { signal: stop.signal }).catch(() => undefined);
    return { done, cancel: () => stop.abort() };
  },
};

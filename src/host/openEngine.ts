import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { redact } from '../capture/redact/redact.js';
import { inboxOf, spoolFiles } from '../capture/spool.js';
import type { Config } from '../config/config.js';
import { Engine } from '../core/engine.js';
import type { Sources } from '../core/ports.js';
import { ChildEmbedder } from '../embedding/childEmbedder.js';
import { openSqlStore } from '../storage/sqlStore.js';
import type { Admission } from './admission.js';
import { Briefs } from './briefs.js';
import { captureNotes } from './captureNotes.js';
import { Intake } from './intake.js';
import { describeError, type Log } from './log.js';
import { createTurns } from './turns.js';

export interface OpenEngine {
  readonly engine: Engine;
  /** From here on calls are answered without the model. */
  endModel(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenEngineOptions {
  readonly config: Config;
  /** How this process was admitted to the storage directory. */
  readonly admission: Pick<Admission, 'ownership' | 'surroundings'>;
  readonly log: Log;
  /** Called before something beside the store is written. */
  readonly beforeWrite: () => void;
  /** Called when what hooks wrote could not be stored. */
  readonly storeFailed: () => void;
}

/** Opens everything over a storage directory. Nothing stays open on failure. */
export async function openEngine(options: OpenEngineOptions): Promise<OpenEngine> {
  const { config, admission, log } = options;
  const { storageDir } = config;
  const giveUp: (() => Promise<void>)[] = [];
  try {
    const store = await openSqlStore(storageDir, admission.surroundings);
    giveUp.unshift(() => store.close());
    const embedder = new ChildEmbedder({
      modelName: config.embeddingModel,
      script: fileURLToPath(new URL('./embedder.js', import.meta.url)),
      log: (message) => log.write('INFO', message),
    });
    giveUp.unshift(() => embedder.close());
    const engine = await Engine.open(store, embedder, sources, {
      redact,
      retention: { days: config.episodeDays, episodes: config.episodeLimit },
      notes: () => captureNotes(storageDir, sources.now()),
      pending: () => spoolFiles(inboxOf(storageDir)).length,
      report: (error) => log.write('ERROR', `in the background: ${describeError(error)}`),
    });
    for (const { message } of (await store.state()).notes) log.write('WARNING', message);
    const stopCapture =
      admission.ownership === null ? () => Promise.resolve() : startCapture(engine, options);
    return {
      engine,
      endModel: () => engine.endModel(),
      close: () => stopCapture().finally(() => engine.close()),
    };
  } catch (error) {
    for (const undo of giveUp) await undo().catch(() => undefined);
    throw error;
  }
}

/** What hooks wrote comes in, what they print goes out. Returns what ends both. */
function startCapture(engine: Engine, options: OpenEngineOptions): () => Promise<void> {
  const { config, log, beforeWrite, storeFailed } = options;
  const place = { engine, storageDir: config.storageDir, log, beforeWrite };
  const briefs = new Briefs(place);
  engine.onChange((change) => briefs.changed(change));
  const intake = new Intake({ ...place, storeFailed });
  return async () => {
    await intake.close();
    await briefs.close();
  };
}

const sources: Sources = {
  now: () => Date.now() / 1000,
  newId: () => randomUUID(),
  digest: (text) => createHash('sha256').update(text).digest('base64'),
  turn: createTurns(),
  timer(milliseconds) {
    const stop = new AbortController();
    const done = sleep(milliseconds, undefined, { signal: stop.signal }).catch(() => undefined);
    return { done, cancel: () => stop.abort() };
  },
};

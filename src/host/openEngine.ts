import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.js';
import { Engine } from '../core/engine.js';
import type { Sources } from '../core/ports.js';
import { ChildEmbedder } from '../embedding/childEmbedder.js';
import { openSqlStore } from '../storage/sqlStore.js';
import { prepareDirectory } from './directory.js';
import type { Log } from './log.js';
import { takeOwnership } from './ownership.js';
import { identifySelf } from './processIdentity.js';
import { isReadOnly, readOnlyFiles, readOnlyNote } from './readOnly.js';

export interface OpenEngine {
  readonly engine: Engine;
  /** From here on calls are answered without the model. */
  endModel(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Takes the storage directory and opens everything over it; what was taken is given back on failure.
 * A read-only directory is only read, and needs no owner.
 */
export async function openEngine(config: Config, log: Log): Promise<OpenEngine> {
  const readOnly = await isReadOnly(config.storageDir);
  const release = readOnly ? () => Promise.resolve() : await take(config.storageDir);
  const giveUp: (() => Promise<void>)[] = [release];
  try {
    const { storageDir } = config;
    const store = await openSqlStore(
      storageDir,
      readOnly ? { fs: readOnlyFiles(storageDir), notes: [readOnlyNote(storageDir)] } : {},
    );
    giveUp.unshift(() => store.close());
    const embedder = new ChildEmbedder({
      modelName: config.embeddingModel,
      script: fileURLToPath(new URL('./embedder.js', import.meta.url)),
      log: (message) => log.write('INFO', message),
    });
    giveUp.unshift(() => embedder.close());
    const engine = await Engine.open(store, embedder, settingsOf(config), sources);
    return {
      engine,
      endModel: () => embedder.close(),
      close: () => engine.close().finally(release),
    };
  } catch (error) {
    for (const undo of giveUp) await undo().catch(() => undefined);
    throw error;
  }
}

/** Makes this process the directory's owner; returns how to stop being it. */
async function take(directory: string): Promise<() => Promise<void>> {
  await prepareDirectory(directory);
  const ownership = await takeOwnership(directory, await identifySelf());
  return () => ownership.release();
}

function settingsOf(config: Config) {
  return {
    defaultThreshold: config.defaultThreshold,
    defaultTtlSeconds: config.defaultTtlSeconds,
    recallLogEnabled: config.echoLogEnabled,
    recallLogMaxBytes: config.echoLogMaxBytes,
  };
}

const sources: Sources = {
  now: () => Date.now() / 1000,
  newId: () => randomUUID(),
  timer(milliseconds) {
    const stop = new AbortController();
    const done = sleep(milliseconds, undefined, { signal: stop.signal }).catch(() => undefined);
    return { done, cancel: () => stop.abort() };
  },
};

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.js';
import { Engine } from '../core/engine.js';
import type { Sources } from '../core/ports.js';
import { ChildEmbedder } from '../embedding/childEmbedder.js';
import { openSqlStore, type Surroundings } from '../storage/sqlStore.js';
import { prepareDirectory } from './directory.js';
import { describeError, type Log } from './log.js';
import { takeOwnership } from './ownership.js';
import { identifySelf } from './processIdentity.js';
import { isFull, isReadOnly, readOnly } from './readOnly.js';
import { createTurns } from './turns.js';

export interface OpenEngine {
  readonly engine: Engine;
  /** From here on calls are answered without the model. */
  endModel(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Takes the storage directory and opens everything over it; what was taken is given back on failure.
 * A directory that cannot be written is only read, and needs no owner.
 */
export async function openEngine(config: Config, log: Log): Promise<OpenEngine> {
  const { release, surroundings } = await admission(config.storageDir);
  const giveUp: (() => Promise<void>)[] = [release];
  try {
    const store = await openSqlStore(config.storageDir, surroundings);
    giveUp.unshift(() => store.close());
    const embedder = new ChildEmbedder({
      modelName: config.embeddingModel,
      script: fileURLToPath(new URL('./embedder.js', import.meta.url)),
      log: (message) => log.write('INFO', message),
    });
    giveUp.unshift(() => embedder.close());
    const engine = await Engine.open(store, embedder, settingsOf(config), sources, (error) =>
      log.write('ERROR', `in the background: ${describeError(error)}`),
    );
    for (const { message } of (await store.state()).notes) log.write('WARNING', message);
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

interface Admission {
  readonly release: () => Promise<void>;
  readonly surroundings: Surroundings;
}

/** Makes this process the directory's owner, or finds that it can only read there. */
async function admission(directory: string): Promise<Admission> {
  const reading = (why: string): Admission => ({
    release: () => Promise.resolve(),
    surroundings: readOnly(directory, why),
  });
  if (await isReadOnly(directory)) return reading('it is read-only for this user');
  try {
    await prepareDirectory(directory).catch(unlessFull);
    const ownership = await takeOwnership(directory, await identifySelf());
    return { release: () => ownership.release(), surroundings: {} };
  } catch (error) {
    // An owner that lives was refused before this; a new one cannot be written down.
    if (isFull(error)) return reading('its disk has no room');
    throw error;
  }
}

function unlessFull(error: unknown): void {
  if (!isFull(error)) throw error;
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
  turn: createTurns(),
  timer(milliseconds) {
    const stop = new AbortController();
    const done = sleep(milliseconds, undefined, { signal: stop.signal }).catch(() => undefined);
    return { done, cancel: () => stop.abort() };
  },
};

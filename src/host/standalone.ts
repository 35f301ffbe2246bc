import { setTimeout as sleep } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import type { Config } from '../config/config.js';
import type { Setup } from '../link/setup.js';
import { identifyProject } from '../project/project.js';
import { admit } from './admission.js';
import { callerOf } from './caller.js';
import { LineTransport } from './lineTransport.js';
import { serverLog, type Log } from './log.js';
import { MemoryServer } from './memoryServer.js';
import { openEngine, type OpenEngine } from './openEngine.js';
import { Presence } from './presence.js';

export interface StandaloneOptions extends Setup {
  readonly input: Readable;
  readonly output: Writable;
}

/** From the client's leaving to the end, in milliseconds. */
const FAREWELL = 1700;

/** Engine and server in one process, for one client. Resolves when everything is on disk. */
export async function runStandalone(options: StandaloneOptions): Promise<void> {
  const { config, version, home, directory, leaving } = options;
  const log = serverLog(config, home);
  for (const warning of config.warnings) log.write('WARNING', warning);
  const server = new MemoryServer({
    version,
    log,
    open: (storeFailed) => openOwned(config, log, storeFailed),
    beforeCall: () => undefined,
    onRefusingStore: () => undefined,
  });
  const transport = new LineTransport(options.input, options.output);
  const caller = callerOf({
    project: identifyProject({ namespace: config.namespace, directory, home }),
    settings: config,
    model: config.embeddingModel,
  });
  await server.serve(transport, { caller });
  log.write('INFO', `standalone ${version} serves ${config.storageDir}`);
  await Promise.race([transport.ended, leaving]);
  await Promise.race([server.close(), sleep(FAREWELL)]);
  log.write('INFO', 'standalone ended');
}

/** The storage directory is owned from the first use on. */
async function openOwned(config: Config, log: Log, storeFailed: () => void): Promise<OpenEngine> {
  const admission = await admit(config.storageDir, 'standalone');
  try {
    const { ownership } = admission;
    const presence = ownership && new Presence(config.storageDir, ownership);
    // Nothing of a memory that was deleted shall come back.
    const beforeWrite = () => {
      if (!presence?.lost) return;
      throw new Error(
        `${config.storageDir} was deleted or replaced. Restart the client to go on with what lies there.`,
      );
    };
    const opened = await openEngine({ config, admission, log, beforeWrite, storeFailed });
    return { ...opened, close: () => opened.close().finally(admission.release) };
  } catch (error) {
    await admission.release();
    throw error;
  }
}

import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { identifyProject } from '../project/project.js';
import { coreTools } from '../tools/coreTools.js';
import { createDispatcher } from '../tools/dispatcher.js';
import { LineTransport } from './lineTransport.js';
import { createLog, describeError, type Log } from './log.js';
import { openEngine, type OpenEngine } from './openEngine.js';
import { serve, type Session } from './session.js';

export interface StandaloneOptions {
  readonly config: Config;
  readonly version: string;
  readonly home: string;
  /** The folder the client works in. */
  readonly directory: string;
}

/** From the client's leaving to the end, in milliseconds; calls still running may use the model until then. */
const FAREWELL = 1700;
const LAST_EMBEDDING = 1100;
/** Without a call for this long the store is tidied, in milliseconds. */
const IDLE = 20_000;

/** Engine and server in one process, on stdin and stdout. Resolves when everything is on disk. */
export async function runStandalone(options: StandaloneOptions): Promise<void> {
  const { config, version, home } = options;
  const log = createLog(
    join(home === '' ? config.storageDir : join(home, '.subconscious-mcp'), 'logs', 'server.log'),
    config.logLevel,
    () => new Date(),
  );
  for (const warning of config.warnings) log.write('WARNING', warning);
  const memory = reopening(() => openEngine(config, log), log);
  const idle = idleTimer(() => void memory.opened?.then(({ engine }) => engine.tidy()).catch(ignored(log)));
  const project = identifyProject({ namespace: config.namespace, directory: options.directory, home });
  const dispatcher = createDispatcher(
    coreTools,
    async () => (await memory.open()).engine,
    () => performance.now(),
    ({ tool, milliseconds, ok, error }) => {
      idle.restart();
      if (error !== undefined) log.write('ERROR', `${tool}: ${describeError(error)}`);
      else log.write('DEBUG', `${tool} ${ok ? 'answered' : 'refused'} in ${milliseconds.toFixed(1)} ms`);
    },
  );
  const transport = new LineTransport(process.stdin, process.stdout);
  const session = await serve(transport, {
    version,
    dispatcher,
    caller: {
      project,
      captureEnabled: config.captureEnabled,
      notes: config.warnings.map((message) => ({ code: 'config', message })),
    },
    onInitialized: () => void memory.open().catch(() => undefined),
    onError: (error) => log.write('DEBUG', `from the client: ${error.message}`),
  });
  idle.restart();
  log.write('INFO', `standalone ${version} serves ${config.storageDir}`);
  await Promise.race([transport.ended, terminated()]);
  idle.stop();
  await Promise.race([farewell(session, transport, memory), sleep(FAREWELL)]);
  log.write('INFO', 'standalone ended');
}

/** Last answers out, last changes on disk. */
async function farewell(
  session: Session,
  transport: LineTransport,
  memory: Pick<OpenEngine, 'endModel' | 'close'>,
): Promise<void> {
  // A turn of the event loop each: for the last lines to become calls, and for the last answers to be sent.
  await nextTurn();
  // Whoever pipes requests in closes the input at once and still waits for the answers; those that would wait for
  // the model longer than this are answered without it.
  await Promise.race([session.settled(), sleep(LAST_EMBEDDING)]);
  await memory.endModel();
  await session.settled();
  await nextTurn();
  await transport.flushed();
  await transport.close();
  await memory.close();
}

/** Opens on first use, again after a failure: an owner that is gone by then is no obstacle. */
function reopening(open: () => Promise<OpenEngine>, log: Log) {
  const state: { opened: Promise<OpenEngine> | null } = { opened: null };
  return {
    get opened() {
      return state.opened;
    },
    open(): Promise<OpenEngine> {
      state.opened ??= open().catch((error: unknown) => {
        state.opened = null;
        log.write('ERROR', describeError(error));
        throw error;
      });
      return state.opened;
    },
    async endModel(): Promise<void> {
      const opened = await state.opened?.catch(() => null);
      await opened?.endModel();
    },
    async close(): Promise<void> {
      const opened = await state.opened?.catch(() => null);
      // What was acknowledged is in the change log, whether or not it could be brought into one file.
      await opened?.close().catch((error: unknown) => log.write('WARNING', describeError(error)));
    },
  };
}

function idleTimer(act: () => void) {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  return {
    stop,
    restart() {
      stop();
      timer = setTimeout(act, IDLE);
      timer.unref();
    },
  };
}

function ignored(log: Log) {
  return (error: unknown) => log.write('WARNING', `tidying: ${describeError(error)}`);
}

function terminated(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}

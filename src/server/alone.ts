import { createRequire } from 'node:module';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { Setup } from '../link/setup.js';
import { overStreams, type Connection } from './connection.js';

/** In milliseconds. */
const LIFETIME = 30_000;

/** What `standalone.js` exports; a bundle of its own, so that nothing else loads a store or a model. */
interface Standalone {
  readonly runStandalone: (options: Setup & { input: Readable; output: Writable }) => Promise<void>;
}

/** Serves one client from within this process. Resolves when everything is on disk. */
export async function runAlone(setup: Setup, input: Readable, output: Writable): Promise<void> {
  const { runStandalone } = createRequire(import.meta.url)('./standalone.js') as Standalone;
  await runStandalone({ ...setup, input, output });
}

/**
 * The same for a front, in the place of a host. It ends after a while: what stood in the way of a host may be gone,
 * and what is read here grows old.
 */
export function connectAlone(setup: Setup): Connection {
  const [requests, answers] = [new PassThrough(), new PassThrough()];
  const ended = runAlone(setup, requests, answers).finally(() => answers.end());
  ended.catch(() => undefined);
  const connection = overStreams(answers, requests, process.pid);
  // What is asked until it has ended goes to whoever comes next.
  setTimeout(() => connection.close(), LIFETIME).unref();
  return connection;
}

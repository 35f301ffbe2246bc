import { setTimeout as sleep } from 'node:timers/promises';
import packageJson from '../../package.json' with { type: 'json' };
import { removeDeadSocket, removeStaleSockets } from '../link/address.js';
import { HOST_OPTIONS, READ_ONLY, type HostOptions } from '../link/hostOptions.js';
import { readHostFile } from '../link/hostFile.js';
import { MemoryError } from '../core/errors.js';
import { admit } from './admission.js';
import { Host } from './hostServer.js';
import { describeError, serverLog } from './log.js';
import type { Ownership } from './ownership.js';

/** How long an owner may take to leave before this process gives up, in milliseconds. */
const OWNER_WAIT = 6000;
const PAUSE = 25;

/**
 * The process that owns a storage directory and serves every client of it. Started by a front, with its options in
 * the environment. Where it cannot serve it says why on stderr, which the front reads until then.
 */
async function main(): Promise<void> {
  // Nobody reads stderr any more once this process serves.
  process.stderr.on('error', () => undefined);
  const given = process.env[HOST_OPTIONS];
  Reflect.deleteProperty(process.env, HOST_OPTIONS);
  if (given === undefined) throw new Error('This program is started by subconscious-mcp, not by hand.');
  const { config, home, dead } = JSON.parse(given) as HostOptions; // Written by the front, from a checked configuration.
  process.umask(0o077);
  const ownership = await own(config.storageDir, dead);
  if (ownership === null) return; // Another host serves.
  process.chdir(config.storageDir);
  await removeStaleSockets(config.storageDir);
  const before = await readHostFile(config.storageDir);
  if (before) await removeDeadSocket(before.address);
  const log = serverLog(config, home);
  process.on('uncaughtExceptionMonitor', (error) => log.write('CRITICAL', describeError(error)));
  const host = new Host({ config, home, version: packageJson.version, ownership, log });
  try {
    await host.listen();
  } catch (error) {
    await ownership.release();
    throw error;
  }
  await host.ended;
}

/** Waits for an owner that is leaving; null where another host is found to serve. */
async function own(directory: string, dead: string | null): Promise<Ownership | null> {
  const start = performance.now();
  for (;;) {
    try {
      const { ownership, surroundings } = await admit(directory, 'host');
      if (ownership) return ownership;
      throw new Error(`${READ_ONLY}${surroundings.notes?.[0]?.message ?? ''}`);
    } catch (error) {
      if (!(error instanceof MemoryError && error.reason === 'owned')) throw error;
      const serving = await readHostFile(directory);
      if (serving !== null && serving.token !== dead) return null;
      if (performance.now() - start > OWNER_WAIT) throw error;
    }
    await sleep(PAUSE);
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(error instanceof Error ? error.message : String(error), () => process.exit(1));
  },
);

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import { refreshLauncher } from '../clients/launcher.js';
import { removeDeadSocket, removeStaleSockets } from '../link/address.js';
import { GAVE_UP, HOST_OPTIONS, READ_ONLY, type HostOptions } from '../link/hostOptions.js';
import { readHostFile } from '../link/hostFile.js';
import { admit } from './admission.js';
import { Host } from './hostServer.js';
import { describeError, serverLog } from './log.js';
import { OwnedError, type Ownership } from './ownership.js';

/** How long an owner may take to leave before this process gives up, in milliseconds: as long as it takes at most. */
const OWNER_WAIT = { host: 6000, standalone: 2500, elsewhere: 0 };
const PAUSE = 25;
const JUDGE_AGAIN = 1000;

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
  // On Windows the folder could not be deleted then.
  if (process.platform !== 'win32') process.chdir(config.storageDir);
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
  await keepLauncher(home).catch((error: unknown) =>
    log.write('WARNING', `launcher: ${describeError(error)}`),
  );
  await host.ended;
}

/** Hooks go on where the program their launcher names is gone, and run the newest version that was ever started. */
async function keepLauncher(home: string): Promise<void> {
  const script = fileURLToPath(new URL('./hook.js', import.meta.url));
  const program = { node: process.execPath, script, version: packageJson.version };
  if (home !== '') await refreshLauncher(home, program);
}

/** Waits for an owner that is leaving; null where another host is found to serve. */
async function own(directory: string, dead: string | null): Promise<Ownership | null> {
  const start = performance.now();
  for (;;) {
    const seen = await ownersIn(directory);
    try {
      const { ownership, surroundings } = await admit(directory, 'host');
      if (ownership) return ownership;
      throw new Error(`${READ_ONLY}${surroundings.notes?.[0]?.message ?? ''}`);
    } catch (error) {
      if (!(error instanceof OwnedError)) throw error;
      // To judge an owner can take a program or two, so it is done again only after a while or a change.
      const again = performance.now() + JUDGE_AGAIN;
      do {
        const serving = await readHostFile(directory);
        if (serving !== null && serving.token !== dead) return null;
        if (performance.now() - start > OWNER_WAIT[error.owner]) throw error;
        await sleep(PAUSE);
      } while (performance.now() < again && (await ownersIn(directory)) === seen);
    }
  }
}

/** Changes with every change of owner. */
async function ownersIn(directory: string): Promise<string> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => /^owner\.\d+$/.test(name));
  const inodes = names.map((name) =>
    stat(join(directory, name)).then(
      ({ ino }) => `${name}:${ino}`,
      () => name,
    ),
  );
  return (await Promise.all(inodes)).sort().join();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const words = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${GAVE_UP}${words}\n`, () => process.exit(1));
  },
);

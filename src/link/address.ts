import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { chmod, readdir, realpath, rm } from 'node:fs/promises';
import { connect, type Server, type Socket } from 'node:net';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { thisSystem, type LinkSystem } from './linkSystem.js';
import { enterPrivate, makeFolder } from './privateFolder.js';
import { codeOf, messageOf } from './systemError.js';

const SOCKET_NAME = /^host\..+\.sock$/;
const PIPE_NAME = /^\\\\\.\\pipe\\subconscious-[0-9a-f]{32}$/;

export interface ListenOptions {
  readonly storageDir: string;
  /** Home folder of the user; empty where there is none. */
  readonly home: string;
  readonly system?: LinkSystem;
}

interface Candidate {
  readonly folder: string;
  /** What has to be made first where it is missing, parents before children. */
  readonly parts: readonly string[];
}

/**
 * Makes `server` listen where only this user can reach it, and resolves to the address: the absolute path of a Unix
 * socket, or on Windows the name of a pipe. Rejects where there is no such place, saying what was tried.
 *
 * A socket's path may have about 100 bytes and a home folder has more at times. So the socket is bound, and
 * connected to, by its bare name with its folder as the working directory: Node does both before `listen` and
 * `connect` return. Afterwards the storage directory is the working directory (not on Windows).
 */
export async function listenPrivately(server: Server, options: ListenOptions): Promise<string> {
  const { home, system = thisSystem } = options;
  if (system.platform === 'win32') return await listenOnPipe(server);

  const storageDir = await realpath(options.storageDir).catch((error: unknown) => {
    const reason = `The storage directory cannot be reached (${messageOf(error)}). Start again to make it anew.`;
    throw new Error(reason, { cause: error });
  });
  const name = `host.${randomBytes(4).toString('hex')}.sock`;
  const failures: string[] = [];
  for (const { folder, parts } of candidates(storageDir, home, system)) {
    try {
      for (const part of parts) await makeFolder(part);
      await listenIn(server, { folder, name, uid: system.uid, storageDir });
    } catch (error) {
      failures.push(`${folder}: ${messageOf(error)}`);
      continue;
    }
    const address = join(folder, name);
    // Where a mount does not allow it the folder, closed to others, still guards the socket.
    await chmod(address, 0o600).catch(() => undefined);
    return address;
  }
  throw new Error(
    `No socket could be opened for the clients of this store (${failures.join('; ')}). Make one of these folders ` +
      'usable by you and closed to others (chmod 700), or start with --standalone, which needs no socket.',
  );
}

/**
 * Connects to the address a host listens on; on POSIX its folder becomes the working directory. Throws where that
 * folder is gone or could hold another user's socket, which must not be shown the token. What goes wrong later is
 * an event of the socket.
 */
export function connectTo(address: string, system: LinkSystem = thisSystem): Socket {
  if (system.platform === 'win32') {
    if (!PIPE_NAME.test(address)) throw new Error(`${address} is no pipe of a Subconscious host.`);
    return connect({ path: address });
  }
  const [folder, name] = [dirname(address), basename(address)];
  if (!isAbsolute(address) || !SOCKET_NAME.test(name)) {
    throw new Error(`${address} is no socket of a Subconscious host.`);
  }
  try {
    enterPrivate(folder, system.uid);
  } catch (error) {
    throw new Error(
      `The host's socket in ${folder} was not used: ${messageOf(error)}. Close the folder to others (chmod 700) ` +
        'or remove it, or start with --standalone, which needs no socket.',
      { cause: error },
    );
  }
  return connect({ path: name });
}

/** Deletes the sockets that killed hosts left in the storage directory. Only its owner, not listening yet, may. */
export async function removeStaleSockets(storageDir: string): Promise<void> {
  const names = await readdir(storageDir).catch(() => []);
  for (const name of names) await removeSocket(join(storageDir, name));
}

/** Deletes the socket a host listened on; anything else, pipes included, is left alone. */
export async function removeSocket(address: string): Promise<void> {
  if (!isAbsolute(address) || !SOCKET_NAME.test(basename(address))) return;
  // One that stays does no harm: its name is not used again.
  await rm(address, { force: true }).catch(() => undefined);
}

/** Deletes the socket of a host that was killed, unless somebody listens there: the record may be a copied one. */
export async function removeDeadSocket(address: string): Promise<void> {
  const refused = await new Promise<boolean>((resolve) => {
    try {
      const socket = connectTo(address);
      socket.once('connect', () => resolve(false));
      socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED'));
      socket.once('close', () => resolve(false)).once('connect', () => socket.destroy());
    } catch {
      resolve(false);
    }
  });
  if (refused) await removeSocket(address);
}

/**
 * Tells a directory from a copy of it, as `<device>:<inode>`; null where there is none, undefined where the system
 * does not tell.
 */
export function directoryIdentity(path: string): string | null | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found?.isDirectory() ? `${found.dev}:${found.ino}` : null;
  } catch (error) {
    return codeOf(error) === 'ENOTDIR' ? null : undefined;
  }
}

function candidates(storageDir: string, home: string, system: LinkSystem): readonly Candidate[] {
  const runtime = join(system.runtimeDir, 'subconscious');
  const temp = join(system.tempDir, `subconscious-${system.uid ?? 'user'}`);
  const own = join(home, '.subconscious-mcp');
  // A relative path is a folder nobody meant.
  return [
    { folder: storageDir, parts: [] },
    { folder: runtime, parts: [runtime] },
    { folder: temp, parts: [temp] },
    { folder: join(own, 'run'), parts: [own, join(own, 'run')] },
  ].filter(({ folder }) => isAbsolute(folder));
}

interface Place {
  readonly folder: string;
  readonly name: string;
  readonly uid: number | null;
  readonly storageDir: string;
}

/** Not async: nobody else shall see the working directory between its two changes. */
function listenIn(server: Server, { folder, name, uid, storageDir }: Place): Promise<void> {
  try {
    enterPrivate(folder, uid);
  } catch (error) {
    process.chdir(storageDir);
    throw error;
  }
  const listening = listen(server, name);
  process.chdir(storageDir);
  return listening;
}

async function listenOnPipe(server: Server): Promise<string> {
  const pipe = `\\\\.\\pipe\\subconscious-${randomBytes(16).toString('hex')}`;
  try {
    await listen(server, pipe);
    return pipe;
  } catch (error) {
    throw new Error(
      `No pipe could be opened for the clients of this store (${messageOf(error)}). Start with --standalone, which ` +
        'needs none.',
      { cause: error },
    );
  }
}

async function listen(server: Server, path: string): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(path);
  await listening;
}

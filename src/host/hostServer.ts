import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { directoryIdentity, listenPrivately, removeSocket } from '../link/address.js';
import { PROTOCOL, SCHEMA, type HostWord } from '../link/hello.js';
import { newToken, removeHostFile, writeHostFile } from '../link/hostFile.js';
import { messageOf } from '../link/systemError.js';
import { callerOf } from './caller.js';
import { judgeKnock, readKnock } from './greeting.js';
import { idleTimer } from './idle.js';
import { LineTransport } from './lineTransport.js';
import type { Log } from './log.js';
import { MemoryServer } from './memoryServer.js';
import { openEngine } from './openEngine.js';
import type { Ownership } from './ownership.js';

export interface HostOptions {
  readonly config: Config;
  readonly home: string;
  readonly version: string;
  readonly ownership: Ownership;
  readonly log: Log;
}

/** From the decision to end to the end, in milliseconds. */
const FAREWELL = 4000;
/** How often the host looks whether its directory is still there, in milliseconds. */
const LOOK = 1000;

/** Serves every client of one storage directory until none is left for a while. */
export class Host {
  /** Resolves when everything is on disk and this process may go. */
  readonly ended: Promise<void>;

  private readonly token = newToken();
  private readonly server: Server = createServer((socket) => void this.accept(socket));
  private readonly memory: MemoryServer;
  private readonly idle;
  private readonly sockets = new Set<Socket>();
  private address = '';
  private store: string | null = null;
  private retiring = false;
  private clients = 0;
  private end: () => void = () => undefined;

  constructor(private readonly options: HostOptions) {
    const { config, version, log } = options;
    this.ended = new Promise((resolve) => (this.end = resolve));
    this.idle = idleTimer(config.idleSeconds * 1000, () => void this.retire('idle'));
    this.memory = new MemoryServer({
      config,
      version,
      log,
      open: () => openEngine(config, { surroundings: {} }, log),
      check: () => {
        if (options.ownership.vanished() || this.isReplaced()) this.drop();
      },
    });
  }

  /** Opens the door and says where it is. The store is opened after that, so that nobody waits for it. */
  async listen(): Promise<void> {
    const { config, home, version, ownership, log } = this.options;
    const { storageDir } = config;
    this.store = directoryIdentity(storageDir);
    this.address = await listenPrivately(this.server, { storageDir, home });
    await writeHostFile(storageDir, {
      protocol: PROTOCOL,
      pid: process.pid,
      token: this.token,
      address: this.address,
      version,
      schema: SCHEMA,
      startedAt: Date.now() / 1000,
    }).catch(async (error: unknown) => {
      await removeSocket(this.address);
      const path = join(storageDir, 'host.json');
      const advice = 'If something other than a file has this name, remove it, then try again.';
      throw new Error(`${path} could not be written (${messageOf(error)}). ${advice}`, { cause: error });
    });
    this.idle.restart();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => void this.retire(signal));
    }
    setInterval(
      () => void ownership.held().then((held) => (held && !this.isReplaced()) || this.drop()),
      LOOK,
    ).unref();
    for (const warning of config.warnings) log.write('WARNING', warning);
    log.write('INFO', `host ${version} serves ${storageDir}`);
  }

  private async accept(socket: Socket): Promise<void> {
    socket.on('error', () => undefined); // 'close' follows.
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    const knock = await readKnock(socket);
    if (knock === null || socket.destroyed) {
      socket.destroy();
      return;
    }
    const { version, log, config } = this.options;
    const { token, store, retiring } = this;
    const judgement = judgeKnock(knock, { version, token, store, retiring });
    if (judgement.kind === 'refused') {
      const { why, message } = judgement;
      log.write('INFO', `a client of version ${knock.version} was refused: ${message}`);
      socket.end(line({ subconscious: 'refused', why, message }));
      if (judgement.retire) void this.retire(`version ${knock.version} takes over`, { succeeded: true });
      return;
    }
    this.clients += 1;
    this.idle.stop();
    socket.once('close', () => this.left());
    socket.write(line({ subconscious: 'welcome', version, pid: process.pid }));
    const { hello } = judgement;
    const caller = callerOf({ ...hello, model: config.embeddingModel });
    const { frontId, repeated } = hello;
    const transport = new LineTransport(socket, socket);
    void transport.ended.then(() => transport.close());
    await this.memory.serve(transport, { caller, frontId, repeated });
    socket.resume(); // Paused since the hello.
  }

  private left(): void {
    this.clients -= 1;
    if (this.clients === 0) this.idle.restart();
  }

  /** Ends in good order. Requests that come too late are sent to the next host by their fronts. */
  private async retire(why: string, { succeeded = false } = {}): Promise<void> {
    if (this.retiring) return;
    this.retiring = true;
    const { config, ownership, log } = this.options;
    log.write('INFO', `host ends: ${why}`);
    this.idle.stop();
    await removeHostFile(config.storageDir, this.token);
    this.server.close();
    // Where nobody takes over, clients shall not wait for a successor before they start one.
    if (succeeded) for (const socket of this.sockets) socket.write(line({ subconscious: 'retiring' }));
    await Promise.race([this.memory.close(), sleep(FAREWELL)]);
    for (const socket of this.sockets) socket.destroy();
    await removeSocket(this.address);
    await ownership.release();
    log.write('INFO', 'host ended');
    this.end();
  }

  /** Whether another directory has taken the place of ours; a copy of it has our owner file, too. */
  private isReplaced(): boolean {
    return directoryIdentity(this.options.config.storageDir) !== this.store;
  }

  /**
   * The directory was deleted or replaced: people wipe their memory so. Nothing is written any more, not even to
   * the log, which may have lain there too.
   */
  private drop(): never {
    if (process.platform !== 'win32') rmSync(this.address, { force: true });
    process.exit(0);
  }
}

function line(word: HostWord): string {
  return `${JSON.stringify(word)}\n`;
}

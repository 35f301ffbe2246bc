import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { listenPrivately, removeSocket } from '../link/address.js';
import { isGone } from '../link/existence.js';
import { PROTOCOL, SCHEMA, type HostWord } from '../link/hello.js';
import { newToken, readHostFile, removeHostFile, writeHostFile } from '../link/hostFile.js';
import { messageOf } from '../link/systemError.js';
import { callerOf } from './caller.js';
import { judgeKnock, readKnock } from './greeting.js';
import { idleTimer } from './idle.js';
import { LineTransport } from './lineTransport.js';
import type { Log } from './log.js';
import { MemoryServer } from './memoryServer.js';
import { openEngine } from './openEngine.js';
import type { Ownership } from './ownership.js';
import { Presence } from './presence.js';

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
  private readonly presence: Presence;
  private readonly memory: MemoryServer;
  private readonly idle;
  private readonly sockets = new Set<Socket>();
  private readonly welcome = new Set<Socket>();
  private readonly startedAt = Date.now() / 1000;
  private address = '';
  /** Whether at the last look something of it was missing. */
  private amiss = false;
  private retiring = false;
  private succeeded = false;
  private end: () => void = () => undefined;

  constructor(private readonly options: HostOptions) {
    const { config, version, log, ownership } = options;
    this.ended = new Promise((resolve) => (this.end = resolve));
    this.presence = new Presence(config.storageDir, ownership);
    this.idle = idleTimer(config.idleSeconds * 1000, () => void this.retire('idle'));
    this.memory = new MemoryServer({
      version,
      log,
      open: (storeFailed) =>
        openEngine({
          config,
          admission: { ownership, surroundings: {} },
          log,
          beforeWrite: () => this.dropIfLost(),
          storeFailed,
        }),
      beforeCall: () => this.dropIfLost(),
      onRefusingStore: () => void this.retire('the store takes no more writes until it is opened again'),
    });
  }

  /** Opens the door and says where it is. The store is opened after that, so that nobody waits for it. */
  async listen(): Promise<void> {
    const { config, home, version, log } = this.options;
    const { storageDir } = config;
    this.address = await listenPrivately(this.server, { storageDir, home });
    await this.announce().catch(async (error: unknown) => {
      await removeSocket(this.address);
      const path = join(storageDir, 'host.json');
      const advice = 'If something other than a file has this name, remove it, then try again.';
      throw new Error(`${path} could not be written (${messageOf(error)}). ${advice}`, { cause: error });
    });
    this.idle.restart();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => void this.retire(signal));
    }
    setInterval(() => void this.look(), LOOK).unref();
    for (const warning of config.warnings) log.write('WARNING', warning);
    log.write('INFO', `host ${version} serves ${storageDir}`);
  }

  private announce(): Promise<void> {
    const { config, version } = this.options;
    return writeHostFile(config.storageDir, {
      protocol: PROTOCOL,
      pid: process.pid,
      token: this.token,
      address: this.address,
      version,
      schema: SCHEMA,
      startedAt: this.startedAt,
    });
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
    const { token, retiring, succeeded } = this;
    const judgement = judgeKnock(knock, {
      version,
      token,
      store: this.presence.identity,
      retiring,
      succeeded,
      unused: this.welcome.size === 0,
      model: config.embeddingModel,
    });
    if (judgement.kind === 'refused') {
      const { why, message, yours = false } = judgement;
      // Whoever has no token shall not fill the log.
      const level = why === 'token' ? 'DEBUG' : 'INFO';
      log.write(level, `a client of version ${knock.version} was refused: ${message}`);
      socket.end(line({ subconscious: 'refused', why, message, yours }));
      if (yours) void this.retire(message, { succeeded: true });
      return;
    }
    this.welcome.add(socket);
    this.idle.stop();
    socket.once('close', () => {
      this.welcome.delete(socket);
      if (this.welcome.size === 0) this.idle.restart();
    });
    socket.write(line({ subconscious: 'welcome', version, pid: process.pid }));
    const { hello } = judgement;
    const caller = callerOf({ ...hello, model: config.embeddingModel });
    const transport = new LineTransport(socket, socket);
    void transport.ended.then(() => transport.close());
    await this.memory.serve(transport, { caller, frontId: hello.frontId });
    socket.resume(); // Paused since the hello.
  }

  /** Ends in good order. Requests that come too late are sent to the next host by their fronts. */
  private async retire(why: string, { succeeded = false } = {}): Promise<void> {
    if (this.retiring) return;
    this.dropIfLost();
    this.retiring = true;
    this.succeeded = succeeded;
    const { config, ownership, log } = this.options;
    log.write('INFO', `host ends: ${why}`);
    this.idle.stop();
    // First of all: from now on a request is one for the next host.
    const done = this.memory.close().then(() => true);
    await removeHostFile(config.storageDir, this.token);
    this.server.close();
    // Where nobody takes over, clients shall not wait for a successor before they start one.
    if (succeeded) for (const socket of this.welcome) socket.write(line({ subconscious: 'retiring' }));
    const inTime = await Promise.race([done, sleep(FAREWELL, false)]);
    for (const socket of this.sockets) socket.destroy();
    await removeSocket(this.address);
    // Nobody may open the store while something here still writes: then the owner is gone when this process is.
    if (inTime) await ownership.release();
    log.write('INFO', inTime ? 'host ended' : 'host ended before everything was done');
    this.end();
  }

  /**
   * No new client would find a host whose record or socket is gone, and none could start another. Seen once it may
   * be the beginning of the directory's deletion, and nothing must be written into that.
   */
  private async look(): Promise<void> {
    this.dropIfLost();
    const record = await readHostFile(this.options.config.storageDir);
    const before = this.amiss;
    // A pipe of Windows is no file.
    const unreachable = process.platform !== 'win32' && isGone(this.address);
    this.amiss = unreachable || record?.token !== this.token;
    if (!this.amiss || !before || this.retiring) return;
    if (unreachable) await this.retire(`${this.address} was removed`);
    else await this.announce().catch(() => undefined);
  }

  /**
   * The directory was deleted or replaced: people wipe their memory so. Nothing is written any more, not even to
   * the log, which may have lain there too.
   */
  private dropIfLost(): void {
    if (!this.presence.lost) return;
    if (process.platform !== 'win32') rmSync(this.address, { force: true });
    process.exit(0);
  }
}

function line(word: HostWord): string {
  return `${JSON.stringify(word)}\n`;
}

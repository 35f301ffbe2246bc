import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { connectTo, listenPrivately } from '../../src/link/address.js';
import { thisSystem, type LinkSystem } from '../../src/link/linkSystem.js';

/** A temporary folder with a storage directory, and the sockets opened there; all gone when the test ends. */
export class Place {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'place-')));
  storageDir = this.folder('store');
  /** Knows neither runtime nor temporary folder, except what a test adds. */
  system: LinkSystem = {
    ...thisSystem,
    runtimeDir: join(this.base, 'none'),
    tempDir: join(this.base, 'none'),
  };
  private readonly servers: Server[] = [];
  private readonly sockets: Socket[] = [];

  constructor(t: Pick<TestContext, 'after'>) {
    const before = process.cwd();
    t.after(() => {
      for (const server of this.servers) server.close();
      for (const socket of this.sockets) socket.destroy();
      process.chdir(before);
      rmSync(this.base, { recursive: true, force: true });
    });
  }

  folder(name: string, mode = 0o700): string {
    const path = join(this.base, name);
    mkdirSync(path, { recursive: true });
    chmodSync(path, mode);
    return path;
  }

  /** Answers everybody with "<name> hears <what it was told>". */
  host(name: string, server: Server = createServer()): Server {
    this.servers.push(server);
    return server.on('connection', (socket: Socket) => {
      this.sockets.push(socket);
      socket.on('data', (told) => socket.write(`${name} hears ${told.toString()}`));
    });
  }

  listen(server: Server, home = ''): Promise<string> {
    return listenPrivately(server, { storageDir: this.storageDir, home, system: this.system });
  }

  /** What the host at the address answers to "hello". */
  async ask(address: string): Promise<string> {
    const socket = connectTo(address, this.system);
    this.sockets.push(socket);
    socket.write('hello');
    const [said] = (await once(socket, 'data')) as [Buffer];
    return said.toString();
  }
}

/** A server that cannot listen in some working directories, like one on a mount that knows no sockets. */
export class PickyServer extends Server {
  /** Where it was told to listen. */
  readonly seen: string[] = [];

  constructor(private readonly refused: readonly string[]) {
    super();
  }

  override listen(...args: unknown[]): this {
    this.seen.push(process.cwd());
    if (!this.refused.includes(process.cwd())) {
      return super.listen(...(args as [path: string])); // The only way it is called here.
    }
    const error = Object.assign(new Error('operation not supported on socket'), { code: 'EOPNOTSUPP' });
    process.nextTick(() => this.emit('error', error));
    return this;
  }
}

/** What the promise is rejected with. */
export async function failure(doing: Promise<unknown>): Promise<string> {
  const error: unknown = await doing.then(
    () => assert.fail('nothing failed'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Error);
  return error.message;
}

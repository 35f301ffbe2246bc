import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { listenPrivately } from '../../src/link/address.js';
import { PROTOCOL, SCHEMA, type Hello, type HostWord, type Refusal } from '../../src/link/hello.js';
import { newToken, writeHostFile, type HostRecord } from '../../src/link/hostFile.js';
import { until } from '../server/until.js';

/** What a fake host does when a front has said hello. */
export type Manners = (socket: Socket, hello: Hello) => void;

export const word = (said: HostWord) => `${JSON.stringify(said)}\n`;
export const WELCOME = word({ subconscious: 'welcome', version: '1.0.0', pid: 4711 });

export const welcoming: Manners = (socket) => socket.write(WELCOME);
export const silent: Manners = () => undefined;
export const refusing =
  (why: Refusal, message = 'it has its reasons.', yours = false): Manners =>
  (socket) =>
    socket.end(word({ subconscious: 'refused', why, message, yours }));

/** A temporary storage directory with fake hosts; all gone when the test ends. */
export class Store {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'fake-host-')));
  readonly directory = join(this.base, 'store');
  private readonly hosts: FakeHost[] = [];

  constructor(t: TestContext) {
    const before = process.cwd();
    mkdirSync(this.directory, { mode: 0o700 });
    t.after(async () => {
      for (const host of this.hosts) await host.die();
      process.chdir(before);
      rmSync(this.base, { recursive: true, force: true });
    });
  }

  /** A fake host that listens and has published its record. */
  async host(manners: Manners = welcoming): Promise<FakeHost> {
    const host = new FakeHost(manners);
    this.hosts.push(host);
    await host.open(this.directory);
    return host;
  }

  publish(record: HostRecord): Promise<void> {
    return writeHostFile(this.directory, record);
  }
}

/** Speaks the hello of a host, and otherwise only what a test tells it to. */
export class FakeHost {
  readonly token = newToken();
  address = '';
  /** One of each connection. */
  readonly hellos: Hello[] = [];
  /** What came after them. */
  readonly lines: string[] = [];
  private readonly server: Server = createServer((socket) => this.accept(socket));
  private readonly sockets: Socket[] = [];

  constructor(private readonly manners: Manners) {}

  async open(storageDir: string): Promise<void> {
    this.address = await listenPrivately(this.server, { storageDir, home: '' });
    await writeHostFile(storageDir, this.record);
  }

  get record(): HostRecord {
    const { token, address } = this;
    return { protocol: PROTOCOL, pid: 4711, token, address, version: '1.0.0', schema: SCHEMA, startedAt: 1 };
  }

  /** The connection that came last. */
  get socket(): Socket {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error('nobody has connected to the fake host');
    return socket;
  }

  say(...messages: readonly (object | string)[]): void {
    for (const message of messages) {
      this.socket.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    }
  }

  async heard(lines: number): Promise<string[]> {
    await until(`the host has heard ${lines} lines`, () => this.lines.length >= lines);
    return this.lines;
  }

  /** As after kill -9, except that nothing of the address stays. */
  async die(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(socket: Socket): void {
    this.sockets.push(socket);
    socket.on('error', () => undefined);
    let rest = '';
    let greeted = false;
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (greeted) this.lines.push(line);
        else this.greeted(socket, JSON.parse(line) as Hello);
        greeted = true;
      }
    });
  }

  private greeted(socket: Socket, hello: Hello): void {
    this.hellos.push(hello);
    this.manners(socket, hello);
  }
}

/** The hello of a front. */
export function helloOf(fields: Partial<Hello> = {}): Hello {
  return {
    subconscious: 'hello',
    protocol: PROTOCOL,
    version: '1.0.0',
    schema: SCHEMA,
    token: 'secret-01',
    frontId: 'front-0001',
    store: null,
    project: { key: 'path:/project', name: 'project' },
    settings: {
      defaultThreshold: 0.85,
      defaultTtlSeconds: null,
      echoLogEnabled: true,
      echoLogMaxBytes: 1000,
      captureEnabled: true,
      embeddingModel: 'some-model',
      toolsets: ['core'],
      warnings: [],
    },
    ...fields,
  };
}

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { connectTo } from '../../src/link/address.js';
import { PROTOCOL, SCHEMA, type Hello } from '../../src/link/hello.js';
import type { HostRecord } from '../../src/link/hostFile.js';

/** What a front of the host's own version says first. */
export function helloTo({ token, version }: HostRecord, directory: string): Hello {
  return {
    subconscious: 'hello',
    protocol: PROTOCOL,
    version,
    schema: SCHEMA,
    token,
    frontId: randomUUID(),
    store: null,
    project: { key: `path:${directory}`, name: 'project' },
    settings: {
      defaultThreshold: 0.85,
      defaultTtlSeconds: null,
      echoLogEnabled: true,
      echoLogMaxBytes: 1_000_000,
      captureEnabled: true,
      embeddingModel: 'not-installed',
      toolsets: ['core'],
      warnings: [],
    },
  };
}

/** Connects as a front does, but keeps the working directory. */
export function connectToHost(record: HostRecord): Socket {
  const here = process.cwd();
  try {
    return connectTo(record.address);
  } finally {
    process.chdir(here);
  }
}

/** A client without a front: a connection to the host, past hello and handshake. */
export class SocketClient {
  private readonly answers: AsyncIterator<string, undefined>;

  private constructor(private readonly socket: Socket) {
    this.answers = createInterface({ input: socket })[Symbol.asyncIterator]();
  }

  static async join(record: HostRecord, directory: string): Promise<SocketClient> {
    const socket = connectToHost(record);
    await once(socket, 'connect');
    const client = new SocketClient(socket);
    const clientInfo = { name: 'subconscious-test', version: '1.0.0' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    await client.say(helloTo(record, directory));
    await client.say({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    return client;
  }

  /** Sends one message and resolves to the next line from the host. */
  async say(message: object): Promise<string> {
    this.socket.write(`${JSON.stringify(message)}\n`);
    const next = await this.answers.next();
    if (next.done === true) throw new Error('the host closed the connection');
    return next.value;
  }

  /** @param politely false: in the middle of whatever is said, as a client that is killed */
  async leave(politely: boolean): Promise<void> {
    // Not events.once, which would take an error for its own.
    const closed = new Promise((resolve) => this.socket.once('close', resolve));
    if (politely) this.socket.end();
    else this.socket.destroy();
    await closed;
  }
}

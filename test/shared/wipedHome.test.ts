import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Hello } from '../../src/link/hello.js';
import type { HostRecord } from '../../src/link/hostFile.js';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { hostsOf, recordIn } from './hosts.js';
import { connectToHost, helloTo } from './socketClient.js';

const VISITORS: readonly [name: string, change: Partial<Hello> | null][] = [
  ['nobody comes', null],
  ['somebody without the token comes', { token: 'f'.repeat(64) }],
  ['a client of another storage directory comes', { store: '1:1' }],
];

/** A connection to the host that has said nothing yet. */
class Visitor {
  private readonly closed: Promise<void>;

  private constructor(private readonly socket: Socket) {
    socket.on('error', () => undefined); // To be hung up on is what it expects.
    socket.resume();
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  static async at(record: HostRecord): Promise<Visitor> {
    const socket = connectToHost(record);
    await once(socket, 'connect');
    return new Visitor(socket);
  }

  async isHungUpOn(hello: Hello): Promise<void> {
    this.socket.write(`${JSON.stringify(hello)}\n`);
    await this.closed;
  }
}

describe(
  'everything the product has written, deleted at once, does not come back',
  { concurrency: true },
  () => {
    for (const [name, change] of VISITORS) {
      test(`when ${name} and the host is told to end`, async (t) => {
        const box = new Sandbox(t, 'shared');
        const folder = join(box.home, '.subconscious-mcp');
        const front = await box.start({ env: { ...WITHOUT_MODEL, SUBCONSCIOUS_LOG_LEVEL: 'DEBUG' } });
        await front.call('remember', { task: 'to be wiped', answer: 'x' });
        const record = recordIn(box.storage);
        assert.ok(existsSync(join(folder, 'logs', 'server.log')));
        const visitor = change === null ? null : await Visitor.at(record);

        rmSync(folder, { recursive: true });
        await visitor?.isHungUpOn({ ...helloTo(record, box.project), ...change });
        // It may have seen by itself what has happened, and be gone.
        if (hostsOf(box).includes(record.pid)) process.kill(record.pid, 'SIGTERM');
        await until('the host is gone', () => hostsOf(box).length === 0);
        assert.equal(existsSync(folder), false);
        await front.end();
        assert.equal(existsSync(folder), false);
      });
    }
  },
);

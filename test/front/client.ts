import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import type { TestContext } from 'node:test';
import { readConfig } from '../../src/config/config.js';
import { greet } from '../../src/server/connection.js';
import { Front } from '../../src/server/front.js';
import { until } from '../server/until.js';
import { INITIALIZED } from './conversationBuilders.js';
import { helloOf, Store, type FakeHost } from './fakeHost.js';

export { asking, INITIALIZED } from './conversationBuilders.js';

export const INITIALIZE = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}';

interface Answer {
  readonly id?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export const answering = (id: unknown, text = '') => JSON.stringify({ jsonrpc: '2.0', id, result: { text } });

/** A client, and the front that it talks to the hosts of a store through. */
export class Client {
  readonly store: Store;
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  /** Everything the front has said. */
  heard = '';
  leave: (why: string) => void = () => undefined;
  readonly ended: Promise<void>;

  constructor(t: TestContext, home = '') {
    this.store = new Store(t);
    const leaving = new Promise<string>((resolve) => (this.leave = resolve));
    const env = { SUBCONSCIOUS_STORAGE_DIR: this.store.directory, SUBCONSCIOUS_NAMESPACE: 'mine' };
    const config = readConfig({ env, home });
    const setup = { config, version: '1.0.0', home, directory: '/project', leaving };
    this.ended = new Front(setup, this.input, this.output).run();
    t.after(async () => {
      this.leave('test over');
      this.output.destroy();
      await this.ended;
    });
  }

  /** Begins to hear what the front says. */
  listen(): this {
    this.output.setEncoding('utf8').on('data', (text: string) => (this.heard += text));
    return this;
  }

  say(...lines: readonly string[]): void {
    for (const line of lines) this.input.write(`${line}\n`);
  }

  get lines(): string[] {
    return this.heard.split('\n').slice(0, -1);
  }

  async hears(count: number): Promise<string[]> {
    await until(`the client has heard ${count} lines`, () => this.lines.length >= count);
    return this.lines;
  }

  async answers(count: number): Promise<Answer[]> {
    return (await this.hears(count)).map((line) => JSON.parse(line) as Answer);
  }

  /** Past its handshake with a host. */
  async begin(): Promise<FakeHost> {
    const host = await this.store.host();
    this.listen().say(INITIALIZE);
    await host.heard(1);
    host.say(answering(0));
    this.say(INITIALIZED);
    await host.heard(2);
    return host;
  }
}

/** Time enough for a front to find the host: others do so, one after the other. Nobody else must. */
export async function others(host: FakeHost): Promise<void> {
  await timeToFind(host);
  assert.equal(frontsOf(host), 0);
}

/** Others come to the host, one after the other, for longer than a front needs to find it. */
export async function timeToFind(host: FakeHost): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    const greeting = await greet(host.record, helloOf(), 10_000);
    if (greeting.kind === 'welcome') greeting.connection.close();
  }
}

/** How often a front has come to the host. */
export function frontsOf(host: FakeHost): number {
  return host.hellos.filter(({ frontId }) => frontId !== helloOf().frontId).length;
}

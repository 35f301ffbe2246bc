import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';
import { openFiles, residentMemory } from './footprint.js';
import { hostsOf, onlyHost, recordIn } from './hosts.js';
import { scale } from '../scale.js';
import { connectToHost, helloTo } from './socketClient.js';

const ROW = { task: 'what a client of the house stored', answer: 'not for strangers' };
const MEGABYTE = Buffer.alloc(1024 * 1024, 0x61);

/** A connection to the host that is no front's. */
class Stranger {
  heard = '';
  private readonly closed: Promise<unknown>;
  isClosed = false;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.heard += chunk.toString()));
    socket.on('error', () => undefined); // Being cut off is what it expects.
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.once('close', () => (this.isClosed = true));
  }

  static async at(box: Sandbox): Promise<Stranger> {
    const socket = connectToHost(recordIn(box.storage));
    await once(socket, 'connect');
    return new Stranger(socket);
  }

  async isCutOff(): Promise<void> {
    await until('the stranger is cut off', () => this.isClosed);
  }

  say(...lines: readonly (object | string)[]): void {
    for (const line of lines) {
      this.socket.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    }
  }

  /** Sends so much without a newline, as fast as it is taken, until it is cut off. */
  async pour(megabytes: number): Promise<void> {
    for (let sent = 0; sent < megabytes && !this.isClosed; sent += 1) {
      const taken = new Promise((resolve) => this.socket.write(MEGABYTE, resolve));
      await Promise.race([taken, this.closed]);
    }
  }
}

/** A client of the house that asks without a pause for as long as something else takes. */
async function servedMeanwhile(front: ServerProcess, something: Promise<unknown>): Promise<void> {
  const progress = { over: false };
  const finished = something.finally(() => (progress.over = true));
  let answers = 0;
  do {
    assert.equal((await front.call('recall', { task: ROW.task })).answer, ROW.answer);
    answers += 1;
  } while (!progress.over);
  await finished;
  assert.ok(answers > 0);
}

async function household(box: Sandbox): Promise<ServerProcess> {
  const front = await box.start({ env: WITHOUT_MODEL });
  await front.call('remember', ROW);
  return front;
}

test('who does not show the token is cut off, learns nothing and changes nothing', async (t) => {
  const box = new Sandbox(t, 'shared');
  const front = await household(box);
  const record = recordIn(box.storage);
  const hello = helloTo(record, box.project);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'recall', arguments: ROW } };
  const words: (readonly (object | string)[])[] = [
    [call],
    ['GET / HTTP/1.1', '', ''],
    [{ ...hello, token: undefined }, call],
    [{ ...hello, token: '' }, call],
    [{ ...hello, token: '0'.repeat(64) }, call],
    // A newer version is made room for, but not on a stranger's word.
    [{ ...hello, token: '0'.repeat(64), version: '99.0.0' }, call],
    ['[]', '"hello"', 'null'],
    ['\u0000\u0001\ufffd{{{', call],
  ];
  for (const said of words) {
    const stranger = await Stranger.at(box);
    stranger.say(...said);
    await servedMeanwhile(front, stranger.isCutOff());
    assert.ok(!stranger.heard.includes(ROW.answer) && !stranger.heard.includes('welcome'), stranger.heard);
  }
  for (const half of ['', JSON.stringify(hello).slice(0, 100), `${JSON.stringify(hello)}\n`]) {
    const stranger = await Stranger.at(box);
    stranger.socket.end(half);
    await servedMeanwhile(front, stranger.isCutOff());
  }
  assert.deepEqual(recordIn(box.storage), record);
  assert.deepEqual(hostsOf(box), [record.pid]);
});

test('a line without an end disturbs nobody, and its sender alone pays for it', async (t) => {
  const box = new Sandbox(t, 'shared');
  const front = await household(box);
  const host = await onlyHost(box);
  const before = residentMemory(host);

  const stranger = await Stranger.at(box);
  await servedMeanwhile(front, stranger.pour(scale.endlessMegabytes));
  await stranger.isCutOff();
  assert.equal(stranger.heard, '');

  const guest = await Stranger.at(box);
  guest.say(helloTo(recordIn(box.storage), box.project));
  await until('the guest is welcome', () => guest.heard.includes('welcome'));
  let most = 0;
  const watching = setInterval(() => (most = Math.max(most, residentMemory(host))), 100);
  await servedMeanwhile(front, guest.pour(scale.endlessMegabytes));
  guest.say('');
  await until('the guest is told', () => guest.heard.includes('-32600'));
  clearInterval(watching);
  assert.match(guest.heard, /more than the limit of 16 MiB/);
  // What is kept of a line grows to the limit in steps, and what it outgrew goes a little later.
  assert.ok(most - before < 90, `the host grew from ${before} to ${most} MiB`);

  guest.say('garbage', '{"jsonrpc":"2.0","id":7}', '{', '[]', '\u0000');
  await until('every line is answered', () => guest.heard.split('\n').length >= 8);
  assert.equal(guest.heard.match(/-32700/g)?.length, 3, guest.heard);
  assert.equal((await front.call('stats')).total_entries, 1);
  guest.socket.destroy();
});

test('hundreds of silent connections disturb nobody, and go when they have been silent for too long', async (t) => {
  const box = new Sandbox(t, 'shared');
  const front = await household(box);
  const host = await onlyHost(box);
  const files = openFiles(host);
  const strangers = await Promise.all(Array.from({ length: 200 }, () => Stranger.at(box)));
  await until('all are connected', () => openFiles(host) >= files + strangers.length);
  await servedMeanwhile(front, sleep(scale.silentSeconds * 1000));
  const newcomer = await box.start({ env: WITHOUT_MODEL });
  assert.equal((await newcomer.call('recall', { task: ROW.task })).answer, ROW.answer);
  if (scale.silentSeconds > 10) assert.ok(strangers.every(({ isClosed }) => isClosed));
  for (const { socket } of strangers) socket.destroy();
  await newcomer.end();
  await until('nothing of them is left', () => openFiles(host) <= files);
});

test('who is silent, refused or gone halfway does not keep an idle host', async (t) => {
  const box = new Sandbox(t, 'shared');
  const front = await box.start({ env: { ...WITHOUT_MODEL, SUBCONSCIOUS_IDLE_SECONDS: '1' } });
  await front.call('remember', ROW);
  const hello = helloTo(recordIn(box.storage), box.project);
  const silent = await Stranger.at(box);
  const halfway = await Stranger.at(box);
  halfway.socket.write(JSON.stringify(hello).slice(0, 100));
  await front.end();
  // Again and again until there is nobody to refuse any more.
  await until('the host is gone', async () => {
    if (hostsOf(box).length === 0) return true;
    const refused = await Stranger.at(box).catch(() => null);
    refused?.say({ ...hello, token: '0'.repeat(64) });
    await refused?.isCutOff();
    return false;
  });
  await Promise.all([silent.isCutOff(), halfway.isCutOff()]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineTransport } from '../../src/host/lineTransport.js';
import { until } from '../server/until.js';
import { answering, connection, idOf, KIB, MIB, ping, pings, streams, turns, upTo } from './transportRig.js';

/** A transport that answers nothing by itself, and the ids of the requests it has delivered. */
async function working() {
  const { input, output, transport } = streams();
  output.resume();
  const asked: number[] = [];
  transport.onmessage = (message) => {
    if ('id' in message) asked.push(idOf(message));
  };
  await transport.start();
  return {
    transport,
    input,
    asked,
    send: (...lines: readonly string[]) => {
      for (const line of lines) input.write(line);
    },
    answer: (id: number) => transport.send({ jsonrpc: '2.0', id, result: {} }),
    has: (count: number) => until(`${count} requests are delivered`, () => asked.length >= count),
  };
}

const cancelling = (requestId: unknown) =>
  `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })}\n`;

test('while more than a thousand requests are worked on the next are not read', async () => {
  const { input, asked, send, answer, has } = await working();
  send(...upTo(1200).map((id) => ping(id)));
  await has(1001);
  await turns(20);
  assert.deepEqual([asked.length, input.isPaused()], [1001, true]);
  for (let id = 0; id < 100; id += 1) void answer(id);
  await has(1101);
  await turns(20);
  assert.deepEqual([asked.length, input.isPaused()], [1101, true]);
  for (let id = 100; id < 1101; id += 1) void answer(id);
  await has(1200);
  assert.deepEqual([asked, input.isPaused()], [upTo(1200), false]);
});

test('while more than 8 MiB of requests are worked on the next are not read', async () => {
  const { asked, send, answer, has } = await working();
  send(...upTo(20).map((id) => ping(id, MIB)));
  await has(8);
  await turns(20);
  assert.equal(asked.length, 8);
  for (const id of upTo(20)) {
    await has(id + 1);
    await answer(id);
  }
  assert.deepEqual(asked, upTo(20));
});

test('one request may be larger than that', async () => {
  const { asked, send, answer, has } = await working();
  send(ping(0, 10 * MIB), ping(1));
  await has(1);
  await turns(20);
  assert.deepEqual(asked, [0]);
  await answer(0);
  await has(2);
});

test('requests that were cancelled are not worked on, and those that were refused no longer', async () => {
  const { transport, input, asked, send, has } = await working();
  send(...upTo(1000).map((id) => ping(id)));
  await has(1000);
  send(...upTo(500).map(cancelling));
  // Of these nothing is known, and nothing changes.
  send(...['999', 5000, null, undefined].map(cancelling));
  send(...upTo(600).map((id) => ping(1000 + id)));
  await has(1501);
  await turns(20);
  assert.deepEqual([asked.length, input.isPaused()], [1501, true]);
  void transport.send({ jsonrpc: '2.0', id: 600, error: { code: -32603, message: 'no' } });
  await has(1502);
});

test('a notification of the host, or a request of its own, ends no work', async () => {
  const { transport, input, asked, send, has } = await working();
  send(...upTo(1010).map((id) => ping(id)));
  await has(1001);
  await transport.send({ jsonrpc: '2.0', method: 'notifications/progress' });
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
  await turns(20);
  assert.deepEqual([asked.length, input.isPaused()], [1001, true]);
});

test('there is room until more than 1 MiB is unread, and again when it was read', async () => {
  const { output, transport } = streams();
  await transport.hasRoom();
  void transport.send({ jsonrpc: '2.0', id: 1, result: { y: 'y'.repeat(2 * MIB) } });
  let room = false;
  const waiting = transport.hasRoom().then(() => (room = true));
  await turns(20);
  assert.equal(room, false);
  output.resume();
  await waiting;
  await transport.hasRoom();
});

test('who waits for room at a client that goes is told so', { timeout: 30_000 }, async (t) => {
  const { near, far } = await connection(t);
  const transport = new LineTransport(near, near);
  const asked = answering(transport, 64 * KIB);
  await transport.start();
  far.pause();
  far.write(pings(500, KIB));
  await until('the client is not read from', () => near.isPaused());
  assert.ok(asked.length < 500);
  const waiting = [transport.hasRoom(), transport.hasRoom()];
  far.destroy();
  for (const one of waiting) await assert.rejects(one, /the client is gone/);
});

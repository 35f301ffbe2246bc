import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../server/until.js';
import { asking, Client } from './client.js';

test('who does not read holds up the host, and loses nothing', async (t) => {
  const client = new Client(t);
  const host = await client.store.host();
  client.say(asking(0));
  await host.heard(1);
  const text = 'x'.repeat(100_000);
  const total = 300;
  for (let n = 0; n < total; n += 1)
    host.say(`{"jsonrpc":"2.0","method":"n/${n}","params":{"text":"${text}"}}`);
  await until('the front has a lot to say', () => client.output.writableLength > 1024 * 1024);
  // Time for more, which the front still hears: its host is asked for nothing that it would need to read.
  for (let n = 1; n <= 5; n += 1) {
    client.say(asking(n));
    await host.heard(n + 1);
  }
  assert.ok(client.output.writableLength < 2 * 1024 * 1024, `${client.output.writableLength} bytes wait`);
  client.listen();
  const lines = await client.hears(total);
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { method: string }).method),
    lines.map((_, n) => `n/${n}`),
  );
});

test('a host that does not read holds up the client, and nothing is lost', async (t) => {
  const client = new Client(t);
  const host = await client.begin();
  host.socket.pause();
  const text = 'x'.repeat(100_000);
  const lines = Array.from({ length: 100 }, (_, n) => asking(n, 'tools/call', { text }));
  client.say(...lines);
  await until('the client is not read from', () => client.input.isPaused());
  assert.ok(client.input.readableLength + client.input.writableLength > 4 * text.length);
  host.socket.resume();
  assert.deepEqual((await host.heard(102)).slice(2), lines);
});

test('who held up the client and dies has a successor that hears everything', async (t) => {
  const client = new Client(t);
  const first = await client.begin();
  first.socket.pause();
  const lines = Array.from({ length: 100 }, (_, n) => asking(n, 'tools/call', { text: 'x'.repeat(100_000) }));
  client.say(...lines);
  await until('the client is not read from', () => client.input.isPaused());
  const second = await client.store.host();
  await first.die();
  assert.deepEqual((await second.heard(102)).slice(2), lines);
});

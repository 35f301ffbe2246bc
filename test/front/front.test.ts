import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROTOCOL, SCHEMA } from '../../src/link/hello.js';
import { MAX_LINE } from '../../src/link/lines.js';
import { until } from '../server/until.js';
import { answering, asking, Client, INITIALIZE, INITIALIZED, others } from './client.js';
import { WELCOME } from './fakeHost.js';

test('no host is looked for until the client asks for something', async (t) => {
  const client = new Client(t).listen();
  const host = await client.store.host();
  client.say(INITIALIZED, answering(1));
  await others(host);
  client.input.end();
  await client.ended;
  assert.equal(client.heard, '');
});

test('a host learns who the client is', async (t) => {
  const client = new Client(t, '/home/somebody');
  const host = await client.begin();
  const [hello] = host.hellos;
  assert.ok(hello);
  const { frontId, store, settings, project, ...rest } = hello;
  assert.match(frontId, /^[0-9a-f-]{36}$/);
  assert.match(store ?? '', /^\d+:\d+$/);
  assert.deepEqual(project, { key: 'namespace:mine', name: 'mine' });
  assert.equal(settings.captureEnabled, true);
  assert.deepEqual(rest, {
    subconscious: 'hello',
    protocol: PROTOCOL,
    version: '1.0.0',
    schema: SCHEMA,
    token: host.token,
  });
});

test('lines pass unchanged in both directions', async (t) => {
  const client = new Client(t);
  const host = await client.begin();
  const asked = [
    '{ "method" :"tools/call",  "id":"x","jsonrpc":"2.0", "params":{"b":1,"a":"\\u00e4\\ud800 ä 🗂️","n":1.0e2} }',
    'no JSON \\u0000',
    '[]',
  ];
  const answered = ['{"result":{"b" : 1.50, "a":"\\u2028\\ud800 日本"},  "id":"x","jsonrpc":"2.0"}'];
  client.say(...asked);
  assert.deepEqual((await host.heard(5)).slice(2), asked);
  host.say(...answered);
  assert.deepEqual((await client.hears(2)).slice(1), answered);
});

test('what was asked before there was a host is told to it in order', async (t) => {
  const client = new Client(t).listen();
  const host = await client.store.host();
  const lines = [INITIALIZE, INITIALIZED, asking(1), asking(2)];
  client.say(...lines);
  assert.deepEqual(await host.heard(4), lines);
});

test('a line over the limit is refused by the front, under the id of its sender', async (t) => {
  const client = new Client(t);
  const host = await client.begin();
  client.say(asking(7, 'tools/call', { text: 'x'.repeat(MAX_LINE) }), asking(8));
  const [, refusal] = await client.answers(2);
  assert.equal(refusal?.id, 7);
  assert.equal(refusal.error?.code, -32600);
  assert.match(refusal.error.message, /limit of 16 MiB/);
  assert.deepEqual((await host.heard(3)).slice(2), [asking(8)]);
});

test('the end of the input waits for what is still open', async (t) => {
  const client = new Client(t);
  const host = await client.begin();
  client.input.end(asking(1)); // Without its newline.
  await host.heard(3);
  host.say(answering(1));
  await client.ended;
  assert.deepEqual(client.lines.slice(1), [answering(1)]);
});

test('a client that pipes everything in and leaves is answered', async (t) => {
  const client = new Client(t).listen();
  const host = await client.store.host((socket) =>
    socket.write(`${WELCOME}${answering(0)}\n${answering(1)}\n`),
  );
  client.input.end([INITIALIZE, INITIALIZED, asking(1)].join('\n'));
  await client.ended;
  assert.deepEqual(client.lines, [answering(0), answering(1)]);
  assert.equal(host.hellos.length, 1);
});

test('a host that does not answer does not keep a client that leaves, which is told so', async (t) => {
  const client = new Client(t);
  const host = await client.begin();
  client.say(asking(1));
  await host.heard(3);
  client.input.end();
  await client.ended;
  const [, refusal, ...more] = client.lines;
  assert.match(refusal ?? '', /"id":1,"error":.*has not answered in the time that leaves/);
  assert.deepEqual(more, []);
});

const ends: [string, (client: Client) => void][] = [
  ['a signal or the parent’s end', (client) => client.leave('SIGTERM')],
  ['an output that nobody reads', (client) => client.output.destroy(new Error('EPIPE'))],
  ['an output that is closed', (client) => client.output.destroy()],
  ['an input that breaks', (client) => client.input.destroy(new Error('EIO'))],
  ['an input that is closed', (client) => client.input.destroy()],
];
for (const [what, end] of ends) {
  test(`${what} ends the front`, async (t) => {
    const client = new Client(t);
    const host = await client.begin();
    end(client);
    await client.ended;
    await until('the host has lost the front', () => host.socket.closed);
  });
}

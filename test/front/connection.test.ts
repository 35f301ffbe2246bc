import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_LINE } from '../../src/link/lines.js';
import { greet, overStreams, type Connection, type Greeting } from '../../src/server/connection.js';
import { until } from '../server/until.js';
import { helloOf, refusing, silent, Store, WELCOME, word, welcoming, type Manners } from './fakeHost.js';

const SMALL = { a: 1 };

async function greeted(t: TestContext, manners: Manners, milliseconds = 10_000) {
  const host = await new Store(t).host(manners);
  return { host, greeting: await greet(host.record, helloOf(), milliseconds) };
}

async function connected(t: TestContext, manners: Manners = welcoming) {
  const { host, greeting } = await greeted(t, manners);
  assert.equal(greeting.kind, 'welcome');
  return { host, connection: connectionOf(greeting) };
}

function connectionOf(greeting: Greeting): Connection {
  assert.ok(greeting.kind === 'welcome');
  return greeting.connection;
}

/** Listens, and keeps what it hears. */
class Ear {
  readonly lines: string[] = [];
  readonly messages: unknown[] = [];
  drained = 0;
  closed = 0;

  constructor(connection: Connection) {
    connection.listen({
      message: (message, line) => {
        this.messages.push(message);
        this.lines.push(line);
      },
      drained: () => void (this.drained += 1),
      closed: () => void (this.closed += 1),
    });
  }

  hears(count: number): Promise<void> {
    return until(`${count} lines are heard`, () => this.lines.length >= count);
  }

  hearsTheEnd(): Promise<void> {
    return until('the end is heard', () => this.closed > 0);
  }
}

test('a host is told hello in one line, and its process is known', async (t) => {
  const { host, connection } = await connected(t);
  assert.deepEqual(host.hellos, [helloOf()]);
  assert.equal(connection.pid, 4711);
});

test('lines go both ways unchanged', async (t) => {
  const { host, connection } = await connected(t);
  const line = '{ "b":1,  "a":"\\u00e4 ä 🗂️\\ud800" }';
  connection.send(line);
  assert.deepEqual(await host.heard(1), [line]);
  const ear = new Ear(connection);
  host.say(line);
  await ear.hears(1);
  assert.deepEqual(ear.lines, [line]);
  assert.deepEqual(ear.messages, [JSON.parse(line)]);
});

test('what follows the welcome in the same chunk waits for somebody to listen', async (t) => {
  const { connection } = await connected(t, (socket) => socket.write(`${WELCOME}{"n":1}\n{"n":2}\n{"n"`));
  await nextTurn();
  const ear = new Ear(connection);
  assert.deepEqual(ear.lines, ['{"n":1}', '{"n":2}']);
});

async function trickle(socket: Socket, text: string): Promise<void> {
  for (const byte of Buffer.from(text)) {
    await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
    await nextTurn();
  }
}

test('characters and lines may be torn anywhere', async (t) => {
  const text = `${WELCOME}{"text":"ä 🗂️ 日本"}\r\n\n{"n":2}\n`;
  const { host, connection } = await connected(t, (socket) => void trickle(socket, text));
  const ear = new Ear(connection);
  await ear.hears(2);
  assert.deepEqual(ear.lines, ['{"text":"ä 🗂️ 日本"}', '{"n":2}']);
  assert.equal(host.hellos.length, 1);
});

test('what is no message is passed over', async (t) => {
  const { host, connection } = await connected(t);
  const ear = new Ear(connection);
  host.say('no JSON', '5', 'null', '"text"', SMALL);
  await ear.hears(1);
  assert.deepEqual(ear.messages, [SMALL]);
});

test('a host that says it retires is succeeded by another one, and the client does not hear of it', async (t) => {
  const { host, connection } = await connected(t);
  const ear = new Ear(connection);
  assert.equal(connection.succeeded, false);
  host.say({ subconscious: 'retiring' }, SMALL);
  await ear.hears(1);
  assert.deepEqual(ear.messages, [SMALL]);
  assert.equal(connection.succeeded, true);
});

test('a refusal is handed on as it was said', async (t) => {
  const { greeting } = await greeted(t, refusing('store', 'because'));
  assert.deepEqual(greeting, {
    kind: 'refused',
    word: { subconscious: 'refused', why: 'store', message: 'because', yours: false },
  });
});

const SPEECHLESS = 'it closed the connection without a word';
const ODD = 'it did not say hello';
const speechless: [string, Manners, string][] = [
  ['hangs up', (socket) => socket.destroy(), SPEECHLESS],
  ['hangs up in the middle of its word', (socket) => socket.end('{"subconscious":'), SPEECHLESS],
  ['speaks something else', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n'), ODD],
  ['says something else first', (socket) => socket.write(word({ subconscious: 'retiring' }) + WELCOME), ODD],
];
for (const [what, manners, reason] of speechless) {
  test(`the connection to a host that ${what} has ended`, async (t) => {
    const { host, greeting } = await greeted(t, manners);
    assert.deepEqual(greeting, { kind: 'ended', reason });
    if (!host.socket.closed) await once(host.socket, 'close');
  });
}

test('a host that says nothing in time is silent, and is left', async (t) => {
  const { host, greeting } = await greeted(t, silent, 30);
  assert.deepEqual(greeting, { kind: 'silent' });
  if (host.hellos.length > 0 && !host.socket.closed) await once(host.socket, 'close');
});

test('where nobody listens any more the host is gone', async (t) => {
  const host = await new Store(t).host();
  await host.die();
  assert.deepEqual(await greet(host.record, helloOf(), 10_000), { kind: 'gone' });
});

test('an address that no host would have is not spoken to', async () => {
  const host = { protocol: 1, pid: 1, token: 'x', address: '/tmp', version: '1', schema: 1, startedAt: 1 };
  await assert.rejects(greet(host, helloOf(), 10_000), /\/tmp is no (socket|pipe)/);
});

test('an end between the welcome and the listening is heard, after all that was said', async (t) => {
  const { host, connection } = await connected(t, (socket) => socket.end(`${WELCOME}{"a":1}\n`));
  await once(host.socket, 'close');
  await nextTurn();
  await nextTurn();
  const order: string[] = [];
  const ended = new Promise<void>((resolve) =>
    connection.listen({
      message: (_, line) => void order.push(line),
      drained: () => undefined,
      closed: () => {
        order.push('closed');
        resolve();
      },
    }),
  );
  await ended;
  assert.deepEqual(order, ['{"a":1}', 'closed']);
});

test('the end of a host is heard once, and what is sent after it does no harm', async (t) => {
  const { host, connection } = await connected(t);
  const ear = new Ear(connection);
  await host.die();
  await ear.hearsTheEnd();
  connection.send('{}');
  connection.close();
  await nextTurn();
  assert.equal(ear.closed, 1);
});

test('who closes is heard by the host, after all that was sent', async (t) => {
  const { host, connection } = await connected(t);
  const ear = new Ear(connection);
  connection.send('{"last":1}');
  connection.close();
  await ear.hearsTheEnd();
  assert.deepEqual(await host.heard(1), ['{"last":1}']);
});

/** Welcomes a front, and reads no further. */
const deaf: Manners = (socket) => {
  socket.write(WELCOME);
  socket.pause();
};
const LONG_LINE = JSON.stringify('x'.repeat(1_000_000));

test('with more than one line may have for a host that does not read a connection is full, until all is read', async (t) => {
  const { host, connection } = await connected(t, deaf);
  const ear = new Ear(connection);
  let sent = 0;
  while (!connection.full) {
    connection.send(LONG_LINE);
    sent += 1;
    assert.ok(sent < 100, 'a hundred megabytes, and no end');
  }
  assert.ok(sent * LONG_LINE.length > MAX_LINE, `full after ${sent} megabytes`);
  assert.equal(ear.drained, 0);
  host.socket.resume();
  await until('the connection is drained', () => ear.drained > 0);
  assert.equal(connection.full, false);
  connection.send('{}');
  assert.equal((await host.heard(sent + 1)).at(-1), '{}');
});

test('a connection that is dropped ends at once, whatever the host has not read', async (t) => {
  const { host, connection } = await connected(t, deaf);
  const ear = new Ear(connection);
  for (let n = 0; n < 5; n += 1) connection.send(LONG_LINE);
  connection.drop();
  await ear.hearsTheEnd();
  host.socket.resume();
  await until('the host has lost the front', () => host.socket.closed);
  assert.ok(host.lines.length < 5);
  connection.drop();
  connection.send('{}');
  await nextTurn();
  assert.equal(ear.closed, 1);
});

test('a connection that is paused hears nothing until it goes on', async (t) => {
  const { host, connection } = await connected(t);
  const ear = new Ear(connection);
  connection.pause();
  // More than the system holds between two processes.
  const answer = JSON.stringify('x'.repeat(1_000_000));
  for (let n = 0; n < 20; n += 1) host.say(`{"n":${n},"text":${answer}}`);
  // Time enough for all of it, were it read.
  for (let n = 1; n <= 5; n += 1) {
    connection.send('{}');
    await host.heard(n);
  }
  assert.ok(ear.lines.length < 20);
  connection.resume();
  await ear.hears(20);
});

test('a server in this process is spoken to in the same way', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const connection = overStreams(input, output, 4);
  input.write('{"early":1}\n');
  await nextTurn();
  const ear = new Ear(connection);
  assert.deepEqual([connection.pid, ear.lines], [4, ['{"early":1}']]);
  connection.send('{"a":1}');
  connection.close();
  assert.equal(String(Buffer.concat(await output.toArray())), '{"a":1}\n');
  input.end('{"late":1}\n');
  await ear.hearsTheEnd();
  assert.deepEqual(ear.lines, ['{"early":1}', '{"late":1}']);
});

test('a server in this process can be dropped', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const connection = overStreams(input, output, 4);
  const ear = new Ear(connection);
  connection.drop();
  await ear.hearsTheEnd();
  assert.deepEqual([input.destroyed, output.destroyed], [true, true]);
});

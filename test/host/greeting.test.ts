import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { judgeKnock, readKnock, type Knock, type Self } from '../../src/host/greeting.js';
import { MAX_HELLO, PROTOCOL, SCHEMA, type Hello } from '../../src/link/hello.js';
import { until } from '../server/until.js';
import { helloOf } from '../front/fakeHost.js';

const HELLO = helloOf({ project: { key: 'path:/Straße/日本 🗂️', name: '日本 🗂️' } });
/** What is read of it. */
const KNOCK = knockOf(HELLO);
const LINE = `${JSON.stringify(HELLO)}\n`;

function knockOf(hello: Hello): Knock {
  const { subconscious, protocol, version, schema, token, store } = hello;
  return {
    subconscious,
    protocol,
    version,
    schema,
    token,
    store,
    hello: protocol === PROTOCOL ? hello : null,
  };
}

/** Both ends of a connection: who knocks, and the host's. */
async function door(t: TestContext): Promise<{ client: Socket; socket: Socket }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  t.after(() => {
    client.destroy();
    socket.destroy();
    server.close();
  });
  for (const end of [client, socket]) end.on('error', () => undefined);
  return { client, socket };
}

/** What is understood of these bytes. */
async function read(t: TestContext, bytes: string | Buffer): Promise<Knock | null> {
  const { client, socket } = await door(t);
  client.write(bytes);
  return readKnock(socket);
}

test('a hello is read, and what newer versions add to it does no harm', async (t) => {
  assert.deepEqual(await read(t, LINE), KNOCK);
  assert.deepEqual(await read(t, LINE.replace('\n', '\r\n')), KNOCK);
  const added = { ...HELLO, more: 1, settings: { ...HELLO.settings, more: [] } };
  assert.deepEqual(await read(t, `${JSON.stringify(added)}\n`), KNOCK);
});

test('of a hello of another protocol as much is read as all of them have', async (t) => {
  const { subconscious, version, schema, token, store } = HELLO;
  const later = { subconscious, protocol: 9, version, schema, token, store, settings: 'elsewhere' };
  const knock = { subconscious, protocol: 9, version, schema, token, store, hello: null };
  assert.deepEqual(await read(t, `${JSON.stringify(later)}\n`), knock);
});

test('a hello may come in pieces, torn within characters', async (t) => {
  const { client, socket } = await door(t);
  const hello = readKnock(socket);
  client.setNoDelay();
  for (const byte of Buffer.from(LINE)) {
    await new Promise((resolve) => client.write(Buffer.of(byte), resolve));
    await nextTurn();
  }
  assert.deepEqual(await hello, KNOCK);
});

test('what follows a hello is there for the next reader, and nothing of it before', async (t) => {
  const { client, socket } = await door(t);
  client.write(`${LINE}{"first":1}\n{"sec`);
  assert.deepEqual(await readKnock(socket), KNOCK);
  client.write('ond":2}\n');
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
  await nextTurn();
  await nextTurn();
  assert.equal(heard, '');
  socket.resume();
  await until('the lines are read', () => heard.endsWith('2}\n'));
  assert.equal(heard, '{"first":1}\n{"second":2}\n');
});

test('somebody who says nothing is not waited for longer than that', async (t) => {
  const { socket } = await door(t);
  assert.equal(await readKnock(socket, 20), null);
});

test('somebody who begins and does not end is not waited for longer than that either', async (t) => {
  const { client, socket } = await door(t);
  client.write(LINE.slice(0, 20));
  assert.equal(await readKnock(socket, 20), null);
});

test('who hangs up has said no hello', async (t) => {
  for (const said of ['', LINE.trimEnd()]) {
    const { client, socket } = await door(t);
    client.end(said);
    assert.equal(await readKnock(socket), null);
  }
  const { client, socket } = await door(t);
  client.resetAndDestroy();
  assert.equal(await readKnock(socket), null);
});

test('a hello has a longest length', async (t) => {
  const sized = (length: number) => {
    const project = (name: string) => JSON.stringify({ ...HELLO, project: { key: '', name } });
    return `${project('x'.repeat(length - Buffer.byteLength(project(''))))}\n`;
  };
  assert.equal((await read(t, sized(MAX_HELLO)))?.token, HELLO.token);
  assert.equal(await read(t, sized(MAX_HELLO + 1)), null);
});

test('megabytes without a line end are not gathered', async (t) => {
  const { client, socket } = await door(t);
  client.write('x'.repeat(32 * MAX_HELLO));
  assert.equal(await readKnock(socket), null);
  // A chunk of the system's may end just at the limit, and another one follows.
  assert.ok(socket.bytesRead <= 2 * MAX_HELLO, `${socket.bytesRead} bytes were read`);
});

test('anything else is no hello', async (t) => {
  const { frontId, ...anonymous } = HELLO;
  const others: unknown[] = [
    '',
    [],
    { ...anonymous },
    { ...HELLO, subconscious: 'welcome' },
    { ...HELLO, token: 5 },
    { ...HELLO, frontId: '' },
    { ...HELLO, frontId: frontId.repeat(50) },
    { ...HELLO, project: { key: 5 } },
    { ...HELLO, version: '1.0.0\u001b[2J' },
    { ...HELLO, settings: { ...HELLO.settings, defaultThreshold: 2 } },
  ];
  for (const other of others) {
    const line = JSON.stringify(other);
    assert.equal(await read(t, `${line}\n`), null, line);
  }
  const garbage = ['\n', 'GET / HTTP/1.1\r\n\r\n', LINE.replace('}', ''), Buffer.of(0, 255, 10)];
  for (const bytes of garbage) assert.equal(await read(t, bytes), null, String(bytes));
});

const SELF: Self = {
  version: '1.2.0',
  token: 'secret-01',
  store: '1:2',
  retiring: false,
  succeeded: false,
  unused: false,
  model: 'some-model',
};
type Case = [who: string, hello: Partial<Hello>, self: Partial<Self>, judgement: string];
const cases: Case[] = [
  ['of the same version', { version: '1.2.0' }, {}, 'welcome'],
  ['of an older version', { version: '1.1.9' }, {}, 'welcome'],
  ['of an older version with an older schema', { version: '1.1.9', schema: SCHEMA - 1 }, {}, 'welcome'],
  ['of a pre-release of this version', { version: '1.2.0-beta.1' }, {}, 'welcome'],
  ['whose version is no version', { version: 'next' }, {}, 'welcome'],
  ['that sees the same directory', { store: '1:2' }, {}, 'welcome'],
  ['that cannot tell its directory', { store: null }, {}, 'welcome'],
  ['seen by a host that cannot tell its directory', { store: '1:3' }, { store: null }, 'welcome'],
  ['with another token', { token: 'secret-02' }, {}, 'token'],
  ['with a longer token', { token: 'secret-011' }, {}, 'token'],
  ['without a token', { token: '' }, {}, 'token'],
  ['with another token and everything else wrong', { token: '', protocol: 9, store: '9:9' }, {}, 'token'],
  ['of a newer protocol', { protocol: PROTOCOL + 1 }, {}, 'protocol'],
  ['of a newer protocol and version', { protocol: PROTOCOL + 1, version: '2.0.0' }, {}, 'retiring, yours'],
  ['of an older protocol', { protocol: PROTOCOL - 1 }, {}, 'protocol'],
  ['that sees another directory', { store: '1:3' }, {}, 'store'],
  ['of a newer version that sees another directory', { store: '1:3', version: '2.0.0' }, {}, 'store'],
  ['that comes while the host ends', {}, { retiring: true }, 'retiring, yours'],
  ['that comes while the host ends for another', {}, { retiring: true, succeeded: true }, 'retiring'],
  ['with another model than the clients here', {}, { model: 'another' }, 'welcome'],
  ['with another model, the only one', {}, { model: 'another', unused: true }, 'retiring, yours'],
  ['of a newer version', { version: '1.2.1' }, {}, 'retiring, yours'],
  ['of a newer version and schema', { version: '2.0.0', schema: SCHEMA + 1 }, {}, 'retiring, yours'],
  ['of the release of a pre-release', {}, { version: '1.0.0-rc.1' }, 'retiring, yours'],
  ['of a newer version, while the host ends', { version: '2.0.0' }, { retiring: true }, 'retiring, yours'],
  [
    'of a newer protocol that sees another directory',
    { protocol: 9, version: '2.0.0', store: '1:3' },
    {},
    'store',
  ],
  ['of a newer version with an older schema', { version: '2.0.0', schema: SCHEMA - 1 }, {}, 'welcome'],
];

for (const [who, hello, self, expected] of cases) {
  test(`a front ${who}: ${expected}`, () => {
    const judgement = judgeKnock(knockOf(helloOf(hello)), { ...SELF, ...self });
    if (judgement.kind === 'welcome') {
      assert.equal(expected, 'welcome');
      return;
    }
    assert.equal(`${judgement.why}${judgement.yours ? ', yours' : ''}`, expected);
    assert.match(judgement.message, /^\w.*\.$/);
  });
}

test('who speaks another protocol is told both, and what to do', () => {
  const judgement = judgeKnock(knockOf(helloOf({ protocol: 77 })), SELF);
  assert.ok(judgement.kind === 'refused');
  assert.match(
    judgement.message,
    new RegExp(`speaks version 77 .*subconscious-mcp 1\\.2\\.0\\) speaks ${PROTOCOL}\\. Update`),
  );
});

test('no refusal names the token', () => {
  for (const [, hello, self] of cases) {
    const judgement = judgeKnock(knockOf(helloOf(hello)), { ...SELF, ...self });
    if (judgement.kind === 'refused') assert.ok(!JSON.stringify(judgement).includes(SELF.token));
  }
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from './sandbox.js';
import type { ServerProcess } from './serverProcess.js';

const box = new Sandbox({ after });
let server: ServerProcess;
before(async () => {
  server = await box.start({ env: WITHOUT_MODEL });
});

/** Proves that the connection is still of use. */
async function stillServes(): Promise<void> {
  assert.equal((await server.call('stats')).total_entries, 0);
}

test('a line that is not JSON is answered with -32700 and the next line works', async () => {
  const refused = server.answerTo(null);
  server.write('{"jsonrpc":"2.0","id":77,"method":\n');
  const { error } = await refused;
  assert.equal(error?.code, -32700);
  assert.match(error.message, /JSON/);
  await stillServes();
});

test('bytes that are no UTF-8 are refused or read, and the next line works', async () => {
  const refused = server.answerTo(null);
  server.write(Buffer.from([0xff, 0xfe, 0x00, 0x0a]));
  assert.equal((await refused).error?.code, -32700);
  await stillServes();
});

test('JSON that is no message is refused under its own id where it has one', async () => {
  for (const [line, id] of [
    ['{"jsonrpc":"1.0","id":"old","method":"ping"}', 'old'],
    ['{"id":"none"}', 'none'],
    ['42', null],
    ['"text"', null],
    ['null', null],
  ] as const) {
    const refused = server.answerTo(id);
    server.write(`${line}\n`);
    assert.equal((await refused).error?.code, -32600, line);
  }
  await stillServes();
});

test('a batch is refused in words that name it', async () => {
  const refused = server.answerTo(null);
  server.write('[{"jsonrpc":"2.0","id":1001,"method":"ping"},{"jsonrpc":"2.0","id":1002,"method":"ping"}]\n');
  const { error } = await refused;
  assert.equal(error?.code, -32600);
  assert.match(error.message, /batch/i);
  await stillServes();
});

test('blank lines are skipped and carriage returns tolerated', async () => {
  const answer = server.answerTo('crlf');
  server.write('\n\r\n   \n{"jsonrpc":"2.0","id":"crlf","method":"ping"}\r\n');
  assert.deepEqual((await answer).result, {});
  assert.deepEqual(server.unclaimed, []);
});

test('a message may arrive in pieces, and several in one', async () => {
  const first = server.answerTo('a');
  const second = server.answerTo('b');
  server.write('{"jsonrpc":"2.0","id":"a","met');
  server.write('hod":"ping"}\n{"jsonrpc":"2.0","id":"b","method":"ping"}\n');
  assert.deepEqual((await first).result, {});
  assert.deepEqual((await second).result, {});
});

test('requests of methods that do not exist are refused with -32601', async () => {
  for (const method of ['server/discover', 'completion/complete', 'prompts/list', 'no/such/method']) {
    const { error } = await server.request(method, {});
    assert.equal(error?.code, -32601, method);
  }
});

test('a notification nobody knows is no error', async () => {
  server.notify('notifications/not-known', { a: 1 });
  await stillServes();
  assert.deepEqual(server.unclaimed, []);
});

test('an unknown tool is refused, and the refusal lists the tools there are', async () => {
  const { error } = await server.request('tools/call', { name: 'recal', arguments: {} });
  assert.equal(error?.code, -32602);
  assert.match(error.message, /"recal"/);
  assert.match(error.message, /recall, remember/);
});

test('a request of the wrong shape is answered with a sentence on what it takes', async () => {
  const shapes = [
    undefined,
    {},
    { name: 5 },
    { name: 'stats', arguments: null },
    { name: 'stats', arguments: [] },
  ];
  for (const params of shapes) {
    const { error } = await server.request('tools/call', params);
    assert.equal(error?.code, -32602, JSON.stringify(params));
    assert.match(error.message, /^tools\/call takes params with "name"/);
  }
  const { error } = await server.request('initialize', {});
  assert.equal(error?.code, -32602);
  assert.match(error.message, /^initialize takes params with "protocolVersion"/);
});

test('cancelling a request, known or not, leaves the server at work', async () => {
  server.notify('notifications/cancelled', { requestId: 987_654, reason: 'never sent' });
  const call = { name: 'remember', arguments: { task: 'cancelled while under way', answer: '' } };
  server.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 'gone', method: 'tools/call', params: call })}\n` +
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'gone' } })}\n`,
  );
  assert.deepEqual((await server.request('ping')).result, {});
  assert.ok((await server.call('stats')).total_entries <= 1);
});

test('calls before initialize are refused with the reason, and work after it', async () => {
  const early = await box.start({
    env: { ...WITHOUT_MODEL, SUBCONSCIOUS_STORAGE_DIR: box.folder('early') },
    initialize: false,
  });
  for (const [method, params] of [
    ['tools/call', { name: 'stats', arguments: {} }],
    ['tools/list', {}],
  ] as const) {
    const { error } = await early.request(method, params);
    assert.equal(error?.code, -32600);
    assert.match(error.message, /initialize/);
  }
  assert.deepEqual((await early.request('ping')).result, {});
  await early.initialize();
  assert.equal((await early.call('stats')).total_entries, 0);
});

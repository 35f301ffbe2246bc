import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { LineTransport } from '../../src/host/lineTransport.js';
import { LineSplitter } from '../../src/link/lines.js';
import {
  answeredIds,
  answering,
  connection,
  idOf,
  KIB,
  MIB,
  ping,
  pings,
  streams,
  turns,
  upTo,
} from './transportRig.js';

test('who does not read its answers is not read from, and goes on in order when it does', async () => {
  const { input, output, transport } = streams();
  const asked = answering(transport, 64 * KIB);
  await transport.start();
  const paused = once(input, 'pause');
  for (const id of upTo(200)) input.write(ping(id, KIB));
  input.end();
  await paused;
  const taken = asked.length;
  await turns(20);
  assert.equal(asked.length, taken, 'nothing more is taken while nobody reads');
  assert.ok(taken < 40, `${taken} requests were taken for answers of 64 KiB each`);

  assert.deepEqual(await answeredIds(output, 200), upTo(200));
  await transport.ended;
  assert.deepEqual(asked, upTo(200));
});

test('who reads now and then is held back each time', async () => {
  const { input, output, transport } = streams();
  const asked = answering(transport, 64 * KIB);
  await transport.start();
  let heldBack = 0;
  input.on('pause', () => (heldBack += 1));
  output.on('drain', () => {
    output.pause();
    setImmediate(() => output.resume());
  });
  for (const id of upTo(200)) input.write(ping(id));
  assert.deepEqual(await answeredIds(output, 200), upTo(200));
  assert.ok(heldBack > 5, `with 12 MiB of answers it was held back ${heldBack} times`);
  assert.deepEqual(asked, upTo(200));
});

test('answers that were under way when the other side stopped reading are kept', async () => {
  const { input, output, transport } = streams();
  const answers: (() => void)[] = [];
  transport.onmessage = (message) => {
    const result = { y: 'y'.repeat(256 * KIB) };
    answers.push(() => void transport.send({ jsonrpc: '2.0', id: idOf(message), result }));
  };
  await transport.start();
  input.write(pings(20, 0));
  await turns(2);
  assert.equal(answers.length, 20);
  for (const answer of answers) answer();
  assert.ok(input.isPaused());
  assert.deepEqual(await answeredIds(output, 20), upTo(20));
  assert.equal(input.isPaused(), false);
});

test('an unread notification before the start holds the input back as well', async () => {
  const { input, output, transport } = streams();
  const asked = answering(transport, 0);
  void transport.send({ jsonrpc: '2.0', id: 1000, result: { y: 'y'.repeat(2 * MIB) } });
  await transport.start();
  input.write(ping(1));
  await turns(5);
  assert.deepEqual(asked, []);
  output.resume();
  await once(input, 'data');
  assert.deepEqual(asked, [1]);
});

test(
  'a client at a socket that never reads stops being read, and loses nothing',
  { timeout: 30_000 },
  async (t) => {
    const { near, far } = await connection(t);
    const transport = new LineTransport(near, near);
    const asked = answering(transport, 16 * KIB);
    await transport.start();
    const requests = pings(3000, 4 * KIB);
    far.pause();
    far.write(requests);
    await once(near, 'pause');
    await turns(50);
    const read = near.bytesRead;
    assert.ok(read < 2 * MIB, `${read} of ${requests.length} bytes were read`);
    assert.ok(near.writableLength < 3 * MIB, `${near.writableLength} bytes wait to be sent`);
    assert.ok(asked.length < 500);

    assert.deepEqual(await answeredIds(far, 3000), upTo(3000));
    assert.deepEqual(asked, upTo(3000));
    assert.equal(near.bytesRead, requests.length);
  },
);

test('a client that is gone while it was not read from is noticed', { timeout: 30_000 }, async (t) => {
  const { near, far } = await connection(t);
  const transport = new LineTransport(near, near);
  answering(transport, 64 * KIB);
  await transport.start();
  const paused = once(near, 'pause');
  far.pause();
  far.write(pings(500, KIB));
  await paused;
  far.destroy();
  await transport.ended;
});

test('after pause() nothing is delivered, while answers still go out and the end is noticed', async () => {
  const { input, output, transport } = streams();
  const asked: number[] = [];
  const errors: Error[] = [];
  transport.onerror = (error) => errors.push(error);
  transport.onmessage = (message) => {
    asked.push(idOf(message));
    // In the middle of a chunk: what comes after it in the same chunk is not taken either.
    if (asked.length === 2) transport.pause();
  };
  await transport.start();
  input.write(Buffer.concat([pings(3, 0), Buffer.from('no JSON\n{"jsonrpc":"2.0","id":3,"met')]));
  await turns(2);
  input.write('hod":"ping"}\n');
  input.end(ping(4));
  await transport.ended;
  assert.deepEqual([asked, errors], [[0, 1], []]);

  for (const id of asked) void transport.send({ jsonrpc: '2.0', id, result: {} });
  await transport.flushed();
  await transport.close();
  output.end();
  assert.deepEqual(await answeredIds(output, 2), [0, 1]);
});

test('after close() a line without its end is no message', async () => {
  const { input, transport } = streams();
  const asked = answering(transport, 0);
  await transport.start();
  input.write(ping(1).trimEnd());
  await turns(2);
  await transport.close();
  input.end();
  input.resume();
  await transport.ended;
  assert.deepEqual(asked, []);
});

test('a line over the limit and one that is no JSON are answered, and the next one is read', async () => {
  const { input, output, transport } = streams();
  const asked = answering(transport, 0);
  await transport.start();
  input.write('{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"');
  for (let written = 0; written < 17; written += 1) input.write(Buffer.alloc(MIB, 'x'));
  input.write(`"}}\n{"id":007}\n${ping(8)}`);
  const refusals: unknown[] = [];
  const lines = new LineSplitter(MIB, (line) => refusals.push('text' in line ? JSON.parse(line.text) : line));
  output.on('data', (chunk: Buffer) => lines.push(chunk));
  while (refusals.length < 3) await once(output, 'data');
  const seen = (refusals as { id: unknown; error?: { code: number; message: string } }[]).map(
    ({ id, error }) => [id, error?.code ?? null, /16 MiB/.test(error?.message ?? '')],
  );
  assert.deepEqual(seen, [
    [7, -32600, true],
    [null, -32700, false],
    [8, null, false],
  ]);
  assert.deepEqual(asked, [8]);
});

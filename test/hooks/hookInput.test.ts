import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { readInput } from '../../src/hooks/hookInput.js';

const from = (...chunks: readonly (string | Buffer)[]) =>
  readInput(() => Readable.from(chunks.map((chunk) => Buffer.from(chunk))));

test('one JSON object is read, in however many pieces it comes', async () => {
  const text = Buffer.from('\ufeff{"session_id": "日本", "n": 1}\n');
  const pieces = Array.from(text, (_, i) => text.subarray(i, i + 1));
  assert.deepEqual(await from(...pieces), { payload: { session_id: '日本', n: 1 }, fault: null });
});

test('nothing at all is an event of which nothing is said', async () => {
  assert.deepEqual(await from(), { payload: {}, fault: null });
  assert.deepEqual(await from(' \n'), { payload: {}, fault: null });
});

test('anything else counts as nothing, and it is said why', async () => {
  for (const text of ['{"a":', '[1]', 'null', '"text"', '7', '{} {}', '\0']) {
    const { payload, fault } = await from(text);
    assert.deepEqual(payload, {}, text);
    assert.match(fault ?? '', /JSON/, text);
  }
});

test('more than 16 MiB are not taken', async () => {
  const mebibyte = Buffer.alloc(1024 * 1024, ' ');
  const most = [Buffer.from('{}'), ...Array.from({ length: 15 }, () => mebibyte)];
  assert.deepEqual(await from(...most), { payload: {}, fault: null });
  const { payload, fault } = await from('{"a":1}', ...most, mebibyte);
  assert.deepEqual(payload, {});
  assert.match(fault ?? '', /16 MiB/);
});

test('a stdin that is not ended is waited for only so long, and what came counts', async () => {
  const [silent, talking, half] = [new PassThrough(), new PassThrough(), new PassThrough()];
  talking.write('{"a":1}');
  half.write('{"a":');
  const results = await Promise.all([silent, talking, half].map((stream) => readInput(() => stream)));
  assert.deepEqual(results[1], { payload: { a: 1 }, fault: null });
  for (const result of [results[0], results[2]]) {
    assert.deepEqual(result?.payload, {});
    assert.match(result.fault ?? '', /not ended/);
  }
});

test('a stdin that is absent, a terminal or broken is no reason to fail', async () => {
  const absent = () => {
    throw new Error('EBADF');
  };
  assert.deepEqual(await readInput(absent), { payload: {}, fault: null });
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  assert.deepEqual(await readInput(() => terminal), { payload: {}, fault: null });
  const broken = new PassThrough();
  const reading = readInput(() => broken);
  broken.destroy(new Error('EIO'));
  assert.deepEqual(await reading, { payload: {}, fault: 'stdin cannot be read (EIO)' });
});

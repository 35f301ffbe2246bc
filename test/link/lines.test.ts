import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LineSplitter, MAX_LINE, tooLong, type Line } from '../../src/link/lines.js';

const MIB = 1024 * 1024;

/** Everything reported for these chunks. */
function split(chunks: readonly (string | Buffer)[], limit = MAX_LINE): Line[] {
  const found: Line[] = [];
  const splitter = new LineSplitter(limit, (line) => found.push(line));
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return found;
}

const texts = (lines: readonly Line[]) => lines.map((line) => ('text' in line ? line.text : line.oversize));

test('lines come out one by one, wherever the chunks were cut', () => {
  const whole = Buffer.from('{"a":"é\u2028日本"}\n\n  {"b":2}\t\r\n \r\n{"c":"🙂"}\n');
  const expected = ['{"a":"é\u2028日本"}', '{"b":2}', '{"c":"🙂"}'];
  for (let size = 1; size <= whole.length; size += 1) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < whole.length; at += size) chunks.push(whole.subarray(at, at + size));
    assert.deepEqual(texts(split(chunks)), expected, `in chunks of ${size}`);
  }
});

test('a last line without a newline counts, and only once', () => {
  const found: Line[] = [];
  const splitter = new LineSplitter(100, (line) => found.push(line));
  splitter.push(Buffer.from('one\ntwo'));
  assert.deepEqual(texts(found), ['one']);
  splitter.end();
  splitter.end();
  assert.deepEqual(texts(found), ['one', 'two']);
});

test('a line of exactly the limit is read, one byte more is reported with its size', () => {
  for (const chunks of [['x'.repeat(64), '\n'], [`${'x'.repeat(64)}\n`]]) {
    assert.deepEqual(split(chunks, 64), [{ text: 'x'.repeat(64) }]);
  }
  for (const chunks of [['x'.repeat(60), 'x'.repeat(5), '\nok\n'], [`${'x'.repeat(65)}\nok\n`]]) {
    assert.deepEqual(split(chunks, 64), [{ oversize: 65, id: null }, { text: 'ok' }]);
  }
  const longest = split([Buffer.alloc(MAX_LINE, 'x')]);
  assert.equal('text' in (longest[0] ?? {}), true);
  assert.deepEqual(split([Buffer.alloc(MAX_LINE + 1, 'x')]), [{ oversize: MAX_LINE + 1, id: null }]);
});

test('of a longer line the id is found at either end, however it was cut', () => {
  const filling = 'y'.repeat(5000);
  const cases: [string, string | number | null][] = [
    [`{"jsonrpc":"2.0","id":"first","method":"m","params":{"x":"${filling}"}}`, 'first'],
    [` { "method" : "m" , "jsonrpc":"2.0", "id": -7 ,"params":{"x":"${filling}"}}`, -7],
    [`{"jsonrpc":"2.0","method":"m","params":{"x":"${filling}"},"id":4711} `, 4711],
    [`{"method":"m","params":{"x":"${filling}"},"id" : "last" }\r`, 'last'],
    // An id within the params is not the message's.
    [`{"method":"m","params":{"x":"${filling}","id":5}}`, null],
    [`{"method":"m","params":{"id":5,"x":"${filling}"}}`, null],
    [filling, null],
  ];
  for (const [line, id] of cases) {
    for (const size of [1, 7, 1000, 4000, 10_000]) {
      const chunks: string[] = [];
      for (let at = 0; at < line.length; at += size) chunks.push(line.slice(at, at + size));
      const expected = [{ oversize: line.length, id }, { text: 'next' }];
      assert.deepEqual(split([...chunks, '\nnext\n'], 2000), expected, `${line.slice(0, 50)} by ${size}`);
    }
  }
});

test('what looks like an id and is no JSON is none', () => {
  const filling = 'y'.repeat(3000);
  for (const id of ['007', '"a\tb"']) {
    const first = `{"id":${id},"params":"${filling}"}`;
    const last = `{"params":"${filling}","id":${id}}`;
    assert.deepEqual(split([`${first}\n${last}\n`], 2000), [
      { oversize: first.length, id: null },
      { oversize: last.length, id: null },
    ]);
  }
});

test('the lines after one that its reader could not take are read as usual', () => {
  const found: Line[] = [];
  const splitter = new LineSplitter(100, (line) => {
    if ('text' in line && line.text === 'bad') throw new Error('cannot take it');
    found.push(line);
  });
  assert.throws(() => splitter.push(Buffer.from('start\nbad\n')), /cannot take it/);
  splitter.push(Buffer.from('end\n'));
  assert.deepEqual(texts(found), ['start', 'end']);
});

test('a line that comes byte by byte is put together in order', () => {
  const text = Array.from({ length: 3000 }, (_, at) => at.toString(36)).join(' ');
  const bytes = [...Buffer.from(text)].map((byte) => Buffer.of(byte));
  assert.ok(bytes.length > 9000);
  assert.deepEqual(split([...bytes, '\n', ...bytes]), [{ text }, { text }]);
});

test('a line of 100 MB is not kept in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // What the flag adds.
  const held = async () => {
    // Buffers are given back a little after the collection that found them.
    for (let turn = 0; turn < 3; turn += 1) {
      collect();
      await nextTurn();
    }
    return process.memoryUsage().arrayBuffers;
  };
  const found: Line[] = [];
  const splitter = new LineSplitter(MAX_LINE, (line) => found.push(line));
  const before = await held();
  splitter.push(Buffer.from('{"id":1,"x":"'));
  let most = 0;
  for (let at = 0; at < 100; at += 1) {
    splitter.push(Buffer.alloc(MIB, 'x'));
    if (at % 10 === 9) most = Math.max(most, (await held()) - before);
  }
  assert.ok(most < 2 * MAX_LINE, `${most} bytes are held in the middle of the line`);
  const rest = (await held()) - before;
  assert.ok(rest < 8 * MIB, `${rest} bytes are held of a line that is over the limit`);
  splitter.end();
  assert.deepEqual(found, [{ oversize: 100 * MIB + 13, id: 1 }]);
});

test('the refusal names the size, the limit and what to do', () => {
  assert.match(tooLong(17_000_000), /17000000 bytes.*16 MiB.*skipped.*Send less/);
});

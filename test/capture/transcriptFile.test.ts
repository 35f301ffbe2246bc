import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { lastTurn } from '../../src/capture/lastTurn.js';
import { linesBackwards } from '../../src/capture/transcriptFile.js';
import { turnIn } from '../../src/capture/turn.js';
import { SESSION, Transcript, words } from './transcriptBuilder.js';

const folder = mkdtempSync(join(tmpdir(), 'transcript '));
after(() => rmSync(folder, { recursive: true, force: true }));

const MIB = 1024 * 1024;
const BLOCKS = [1, 7, 64, 65_536];

function file(content: string | Uint8Array, name = 'session.jsonl'): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const read = (path: string, block?: number) =>
  Array.from(linesBackwards(path, block), (line) => line.toString());

/** A system gives the lowest number that is not in use. */
function nextDescriptor(path: string): number {
  const descriptor = openSync(path, 'r');
  closeSync(descriptor);
  return descriptor;
}

test('lines come newest first and whole, whatever the size of the first block', () => {
  const path = file('{"a":"é\u2028日本"}\n\n{"b":"🙂"}\r\n \n{"c":3}\nhalf a li');
  for (const block of BLOCKS) {
    const expected = ['half a li', '{"c":3}', ' ', '{"b":"🙂"}\r', '{"a":"é\u2028日本"}'];
    assert.deepEqual(read(path, block), expected, `block of ${block}`);
  }
});

test('any bytes are split at their newlines, whatever the size of the first block', () => {
  const bytes = fc.uint8Array({ max: 13, maxLength: 200 });
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 80 }), (content, block) => {
      const path = file(content);
      const expected = Buffer.from(content)
        .toString('latin1')
        .split('\n')
        .filter((line) => line !== '');
      const found = Array.from(linesBackwards(path, block), (line) => line.toString('latin1'));
      assert.deepEqual(found, expected.reverse());
    }),
    { numRuns: 200 },
  );
});

test('a line longer than a block is one line', () => {
  const long = words(300_000);
  assert.deepEqual(read(file(`first\n${long}\nlast\n`)), ['last', long, 'first']);
});

test('an empty file and one of newlines have no line', () => {
  assert.deepEqual(read(file('')), []);
  assert.deepEqual(read(file('\n\n\n')), []);
});

test('no more than 8 MiB are read, and the line they begin in is left out', () => {
  const line = 'x'.repeat(1023);
  const path = file(`${line}\n`.repeat(9 * 1024));
  for (const block of [1000, undefined]) {
    const lines = read(path, block);
    // The first of the 8 Ki lines begins where reading stops: nothing tells that it is whole.
    assert.equal(lines.length, 8 * 1024 - 1);
    assert.ok(lines.every((found) => found === line));
  }
  assert.deepEqual(read(file(`a\n${'x'.repeat(8 * MIB)}\n`)), []);
  assert.deepEqual(read(file(`${'x'.repeat(8 * MIB - 2)}\na`)).length, 2);
});

test('what is added while it is read is not seen, and a file cut short has only what was read', () => {
  const content = Array.from({ length: 100 }, (_, index) => `line ${String(index)}\n`).join('');
  const growing = linesBackwards(file(content), 64);
  assert.equal(growing.next().value?.toString(), 'line 99');
  appendFileSync(join(folder, 'session.jsonl'), 'line 100\n'.repeat(50));
  assert.deepEqual([...growing].at(-1)?.toString(), 'line 0');

  const path = file(content);
  const cut = linesBackwards(path, 64);
  assert.equal(cut.next().value?.toString(), 'line 99');
  truncateSync(path, 10);
  const rest = Array.from(cut, (line) => line.toString());
  assert.ok(rest.length < 10 && rest.every((line) => /^line 9\d$/.test(line)), rest.join());
});

test('the file is closed when no more lines are asked for', () => {
  const path = file('one\ntwo\n');
  const free = nextDescriptor(path);
  for (const line of linesBackwards(path)) {
    assert.equal(line.toString(), 'two');
    assert.notEqual(nextDescriptor(path), free);
    break;
  }
  assert.equal(nextDescriptor(path), free);
});

test('a folder is refused with a sentence that says what to check', () => {
  assert.throws(() => lastTurn(folder, {}), {
    message: `The transcript ${folder} was not read: it is no regular file. Check "transcript_path" in the hook's input.`,
  });
});

test('a pipe is refused and not waited for', { timeout: 10_000 }, () => {
  const pipe = join(folder, 'pipe');
  // Where the system has none, a name that leads nowhere is refused as well.
  spawnSync('mkfifo', [pipe]);
  assert.throws(() => lastTurn(pipe, {}), /no regular file|ENOENT/);
});

test("a missing file gives the system's error", () => {
  assert.throws(() => lastTurn(join(folder, 'missing.jsonl'), {}), { code: 'ENOENT' });
});

test('the question is found with 265 kB between it and the answer, at any size of the first block', () => {
  const transcript = new Transcript()
    .loose({ type: 'queue-operation', operation: 'enqueue', content: 'Why is the build slow?' })
    .prompt('Why is the build slow?')
    .filling()
    .filling()
    .answer('Each package is compiled twice.')
    .ending();
  const path = file(transcript.text);
  assert.ok(readFileSync(path).length > 265_000);
  const expected = {
    turnId: transcript.promptId,
    sessionId: SESSION,
    task: 'Why is the build slow?',
    outcome: 'Each package is compiled twice.',
    final: true,
  };
  assert.deepEqual(lastTurn(path, {}), expected);
  for (const block of BLOCKS) {
    assert.deepEqual(turnIn(linesBackwards(path, block), {}), expected, `block of ${String(block)}`);
  }
});

test('a byte order mark and CRLF do not hide the turn', () => {
  const transcript = new Transcript().prompt('Rename the module').answer('Renamed.');
  const path = file(`\ufeff${transcript.text.replaceAll('\n', '\r\n')}`);
  const found = lastTurn(path, {});
  assert.deepEqual([found?.task, found?.outcome], ['Rename the module', 'Renamed.']);
});

test('a question more than 8 MiB before the answer is not found', () => {
  const transcript = new Transcript().prompt('Read everything');
  for (let part = 0; part < 9; part += 1) transcript.toolResult(words(MIB / 2));
  assert.equal(lastTurn(file(transcript.answer('Read.').text), {}), null);
});

import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import {
  failuresIn,
  lastRuns,
  logsOf,
  noteFailure,
  noteRun,
  unresolvedFailure,
} from '../../src/capture/hookLog.js';

const root = mkdtempSync(join(tmpdir(), 'hook-log-'));
after(() => rmSync(root, { recursive: true, force: true }));

let storage = '';
let file = '';
beforeEach(() => {
  storage = join(mkdtempSync(join(root, 'case-')), 'data');
  file = join(logsOf(storage), 'hook.log');
});

const AT = '2026-02-03T04:05:06.789Z';
const NOW = Date.parse(AT) / 1000 + 60;
const DAY = 24 * 3600;
const note = (message: string, event = 'stop', at = AT) => noteFailure(storage, { at, event, message });
const failures = () => {
  const all = failuresIn(storage);
  return { count: all.length, last: all.at(-1) ?? null };
};
const text = () => readFileSync(file, 'utf8');

test('a failure is one line: when, which event, what; and only its owner can read it', () => {
  note('there is no such file');
  note('again', 'session-end', '2026-02-03T04:05:07.000Z');
  assert.equal(text(), `${AT} stop there is no such file\n2026-02-03T04:05:07.000Z session-end again\n`);
  if (process.platform === 'win32') return;
  assert.deepEqual([statSync(file).mode & 0o777, statSync(logsOf(storage)).mode & 0o777], [0o600, 0o700]);
});

test('line ends and control characters do not make another line', () => {
  note('a\n  b\r\nc\u2028d\u0085e\u001b[31mf\0g');
  assert.equal(text(), `${AT} stop a b c d e [31mf g\n`);
});

test('a message is cut at 500 characters, and not within one', () => {
  note(`${'x'.repeat(498)}🗂️ and more`);
  const message = failures().last?.message ?? '';
  assert.equal(message, `${'x'.repeat(498)}…`);
});

test('no secret of a message reaches the log, also not one that would have been cut', () => {
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  note(`${'x'.repeat(480)} ${secret}`);
  assert.equal(text().includes('ghp_'), false, text());
});

test('failures are counted and the last one is told', () => {
  assert.deepEqual(failures(), { count: 0, last: null });
  note('first');
  note('second', 'pre-compact');
  appendFileSync(file, 'half a li');
  assert.deepEqual(failures(), {
    count: 2,
    last: { at: AT, event: 'pre-compact', message: 'second' },
  });
});

test('the log stays below 64 KiB, and the newer half is kept', () => {
  for (let n = 0; n < 400; n += 1) {
    note(`${n} ${'ü'.repeat(200)}`);
    assert.ok(statSync(file).size <= 64 * 1024);
  }
  const { count, last } = failures();
  assert.ok(count > 70 && count < 160, `${count} lines are left`);
  assert.match(last?.message ?? '', /^399 /);
  const numbers = text()
    .trimEnd()
    .split('\n')
    .map((line) => Number(line.split(' ')[2]));
  assert.deepEqual(
    numbers,
    numbers.map((_, i) => 400 - numbers.length + i),
    'every line left is whole, and none is missing between them',
  );
});

test('a log that somebody blew up begins anew', () => {
  mkdirSync(logsOf(storage), { recursive: true });
  writeFileSync(file, '');
  truncateSync(file, 500_000_000);
  note('first');
  assert.equal(text(), `${AT} stop first\n`);
});

test('where nothing can be written there is silence', () => {
  writeFileSync(storage, 'a file');
  note('unheard');
  assert.deepEqual(failures(), { count: 0, last: null });
  noteRun(storage, 'stop', AT);
  assert.deepEqual(lastRuns(storage), {});
  assert.equal(unresolvedFailure(storage, NOW), null);
});

test('the last run of each event is known', () => {
  assert.deepEqual(lastRuns(storage), {});
  noteRun(storage, 'stop', '2026-01-01T00:00:00.000Z');
  noteRun(storage, 'session-start', '2026-01-02T00:00:00.000Z');
  noteRun(storage, 'stop', AT);
  writeFileSync(join(logsOf(storage), 'hook.pre-compact.last'), 'soon');
  writeFileSync(join(logsOf(storage), 'other.last'), AT);
  assert.deepEqual(lastRuns(storage), { stop: AT, 'session-start': '2026-01-02T00:00:00.000Z' });
  assert.equal(readFileSync(join(logsOf(storage), 'hook.stop.last'), 'utf8'), `${AT}\n`);
});

/** The time of a run or failure, so many seconds after the first failure. */
const later = (seconds: number) => new Date(Date.parse(AT) + seconds * 1000).toISOString();

test('a failure is news until its event has run well, and how many there were since it did', () => {
  assert.equal(unresolvedFailure(storage, NOW), null);
  noteRun(storage, 'stop', later(-1));
  note('first');
  note('second', 'stop', later(2));
  noteRun(storage, 'session-start', later(9));
  const last = { at: later(2), event: 'stop', message: 'second' };
  assert.deepEqual(unresolvedFailure(storage, NOW), { count: 2, last });
  noteRun(storage, 'stop', later(1));
  assert.deepEqual(unresolvedFailure(storage, NOW), { count: 1, last });
  noteRun(storage, 'stop', later(2));
  assert.deepEqual(unresolvedFailure(storage, NOW), { count: 1, last }, 'at the same moment is not later');
  noteRun(storage, 'stop', later(3));
  assert.equal(unresolvedFailure(storage, NOW), null);
});

test('a failure that was made good does not hide one before it of another event', () => {
  note('no room', 'pre-compact');
  note('no file', 'stop', later(1));
  noteRun(storage, 'stop', later(2));
  const last = { at: AT, event: 'pre-compact', message: 'no room' };
  assert.deepEqual(unresolvedFailure(storage, NOW), { count: 1, last });
});

test('what was no known event is made good by any later run', () => {
  note('There is no event "stopp"', 'unknown');
  assert.equal(unresolvedFailure(storage, NOW)?.last.event, 'unknown');
  noteRun(storage, 'stop', later(1));
  assert.equal(unresolvedFailure(storage, NOW), null);
});

test('after a week a failure is no news', () => {
  note('long ago');
  assert.equal(unresolvedFailure(storage, NOW + 6 * DAY)?.count, 1);
  assert.equal(unresolvedFailure(storage, NOW + 7 * DAY), null);
});

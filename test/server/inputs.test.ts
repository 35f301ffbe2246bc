import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from './sandbox.js';
import type { ServerProcess } from './serverProcess.js';

const MIB = 1024 * 1024;
const box = new Sandbox({ after });
let server: ServerProcess;
before(async () => {
  server = await box.start({ env: WITHOUT_MODEL });
});

async function total(): Promise<number> {
  return (await server.call('stats')).total_entries;
}

/** Remembers and reads back. */
async function roundTrip(args: { task: string; answer: string; tags?: string[] }) {
  const { entry_id } = await server.call('remember', args);
  return server.call('get', { entry_id });
}

test('NUL, line separators and every script come back as they were', async () => {
  const strange =
    'a\u0000b\u2028c\u2029d\r\n\te \u{1f469}\u200d\u{1f4bb} 日本語 ไทย עברית e\u0301 \u007f \ufeff';
  const entry = await roundTrip({
    task: `strange ${strange}`,
    answer: strange,
    tags: ['\u{1f469}\u200d\u{1f4bb} 日本語 ไทย', 'עברית e\u0301'],
  });
  assert.equal(entry.task_text, `strange ${strange}`);
  assert.equal(entry.answer, strange);
  assert.deepEqual(entry.tags, ['\u{1f469}\u200d\u{1f4bb} 日本語 ไทย', 'עברית e\u0301']);
});

test('a lone surrogate, which no file can hold, comes back as U+FFFD', async () => {
  // As a client sends it: the escape is valid JSON.
  const entry = await roundTrip({ task: 'half \ud83d of a face', answer: '\udc00 and \ud800' });
  assert.equal(entry.task_text, 'half \ufffd of a face');
  assert.equal(entry.answer, '\ufffd and \ufffd');
});

test('an answer of 1 MB is stored whole, one of 5 MB is refused with the limit', async () => {
  const answer = 'é'.repeat(MIB / 2);
  const entry = await roundTrip({ task: 'store a big answer', answer });
  assert.ok(entry.answer === answer, 'the answer came back changed');
  const before = await total();
  const refusal = await server.refusal('remember', {
    task: 'store a huge answer',
    answer: 'x'.repeat(5 * MIB),
  });
  assert.match(refusal, /answer .*4 MiB/);
  assert.equal(await total(), before);
});

test('an empty answer is accepted', async () => {
  assert.equal((await roundTrip({ task: 'nothing to say', answer: '' })).answer, '');
});

test('arguments that cannot be used are refused in words that name them, and nothing is stored', async () => {
  const before = await total();
  const ok = { task: 'never stored', answer: 'x' };
  for (const [tool, args, expected] of [
    ['remember', { ...ok, task: ' \n ' }, /task must be a non-empty string/],
    ['remember', { ...ok, task: 42 }, /task must be a non-empty string/],
    ['remember', { task: 'no answer' }, /answer/],
    ['remember', { ...ok, answer: null }, /answer must be a string/],
    ['remember', { ...ok, task: 'x'.repeat(64 * 1024 + 1) }, /task .*64 KiB/],
    ['remember', { ...ok, tags: Array.from({ length: 10_000 }, (_, at) => `tag${at}`) }, /tags .*100/],
    ['remember', { ...ok, tags: ['x'.repeat(101)] }, /tags.*100 characters/],
    ['remember', { ...ok, tags: ['fine', 'a\u0000b'] }, /tags: number 2 has a line break or another control/],
    ['remember', { ...ok, tags: 'docker' }, /tags must be a list/],
    ['remember', { ...ok, ttl_seconds: 'soon' }, /ttl_seconds must be a finite number/],
    ['remember', { ...ok, ttl: 60 }, /unknown parameter "ttl"; it takes .*ttl_seconds/],
    ['remember', { ...ok, scope: 'universe' }, /scope must be one of project, global/],
    ['remember', { ...ok, supersedes: 'no-such-id' }, /no-such-id/],
    ['recall', {}, /task must be a non-empty string/],
    ['recall', { task: '' }, /task must be a non-empty string/],
    ['recall', { task: 'x', threshold: 1.01 }, /threshold must be between 0 and 1/],
    ['recall', { task: 'x', threshold: -0.1 }, /threshold must be between 0 and 1/],
    ['recall', { task: 'x', treshold: 0.5 }, /unknown parameter "treshold"; it takes .*threshold/],
    ['get', { entry_id: '' }, /entry_id/],
    ['get', { entry_id: 'no-such-id' }, /no-such-id/],
    ['stats', { verbose: true }, /unknown parameter "verbose"/],
  ] as const) {
    assert.match(await server.refusal(tool, args), expected, JSON.stringify(args).slice(0, 80));
  }
  assert.equal(await total(), before);
});

test('numbers too big for a number are refused by name', async () => {
  for (const [id, args, expected] of [
    [
      'inf-threshold',
      '{"task":"x","threshold":1e999}',
      /threshold must be a finite number|threshold must be between/,
    ],
    ['inf-top', '{"task":"x","top_k":-1e999}', /top_k must be a finite number/],
  ] as const) {
    const answer = server.answerTo(id);
    server.write(
      `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"recall","arguments":${args}}}\n`,
    );
    const result = (await answer).result as { isError?: boolean; content: { text: string }[] }; // The method's result.
    assert.equal(result.isError, true);
    assert.match(result.content[0]?.text ?? '', expected);
  }
});

test('a lifetime of nothing is stored as expired and says so, a huge one lasts', async () => {
  for (const ttl_seconds of [0, -1, -1e300]) {
    const task = `gone at once ${ttl_seconds}`;
    const stored = await server.call('remember', { task, answer: 'x', ttl_seconds });
    assert.equal(stored.stored, true);
    assert.equal(stored.warning, 'already_expired');
    assert.equal((await server.call('recall', { task })).hit, false);
    assert.equal((await server.call('get', { entry_id: stored.entry_id })).expired, true);
  }
  for (const ttl_seconds of [1e12, 1e300, Number.MAX_VALUE]) {
    const task = `for ever ${ttl_seconds}`;
    const stored = await server.call('remember', { task, answer: 'x', ttl_seconds });
    assert.equal(stored.warning, undefined);
    assert.equal((await server.call('recall', { task })).hit, true);
  }
});

test('top_k below 1 counts as 1 and a huge one as 100', async () => {
  for (let at = 0; at < 3; at += 1)
    await server.call('remember', { task: 'ranked alike', answer: `variant ${at}` });
  for (const [top_k, expected] of [
    [0, 1],
    [-5, 1],
    [2.9, 2],
    [1e9, 3],
  ] as const) {
    assert.equal(
      (await server.call('echo', { task: 'ranked alike', top_k })).echoes.length,
      expected,
      String(top_k),
    );
    assert.equal((await server.call('recall', { task: 'ranked alike', top_k })).hit, true);
  }
});

test('a search result stays within its token budget and counts what it left out', async () => {
  const filling = 'budget '.repeat(60);
  for (let at = 0; at < 12; at += 1)
    await server.call('remember', { task: `budget row ${at} ${filling}`, answer: filling });
  const small = await server.call('search', { query: 'budget row', max_tokens: 300, limit: 100 });
  assert.ok(JSON.stringify(small).length / 4 <= 300);
  assert.equal(small.results.length + small.more, 12);
  const large = await server.call('search', { query: 'budget row', max_tokens: 100_000, limit: 100 });
  assert.equal(large.results.length, 12);
  assert.equal(large.more, 0);
});

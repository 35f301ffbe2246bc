import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { MemoryError } from '../../src/core/errors.js';
import { coreTools } from '../../src/tools/coreTools.js';
import { createDispatcher } from '../../src/tools/dispatcher.js';
import { CALLER, openToolBench, textOf } from './fixture.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const NOT_BLANK = 'must be a non-empty string.';
const TOO_MANY = Array.from({ length: 10_000 }, (_, n) => `tag ${n}`);

/** Tool, arguments, and what the sentence must say. */
const REFUSED: readonly (readonly [tool: string, args: unknown, sentence: string])[] = [
  ['recall', undefined, `recall: task ${NOT_BLANK}`],
  ['recall', null, `recall: task ${NOT_BLANK}`],
  ['recall', {}, `recall: task ${NOT_BLANK}`],
  ['recall', [], 'recall: arguments must be of type object.'],
  ['recall', 'task', 'recall: arguments must be of type object.'],
  ['recall', { task: '' }, `recall: task ${NOT_BLANK}`],
  ['recall', { task: ' \n\t\u3000' }, `recall: task ${NOT_BLANK}`],
  ['recall', { task: 7 }, `recall: task ${NOT_BLANK}`],
  ['recall', { task: null }, `recall: task ${NOT_BLANK}`],
  ['recall', { task: ['x'] }, `recall: task ${NOT_BLANK}`],
  ['recall', { task: 'x', threshold: -0.01 }, 'recall: threshold must be between 0 and 1.'],
  ['recall', { task: 'x', threshold: 1.01 }, 'recall: threshold must be between 0 and 1.'],
  ['recall', { task: 'x', threshold: Infinity }, 'recall: threshold must be a finite number.'],
  ['recall', { task: 'x', threshold: NaN }, 'recall: threshold must be a finite number.'],
  ['recall', { task: 'x', threshold: '0.9' }, 'recall: threshold must be a finite number.'],
  ['recall', { task: 'x', top_k: Infinity }, 'recall: top_k must be a finite number.'],
  ['recall', { task: 'x', top_k: 'many' }, 'recall: top_k must be a finite number.'],
  ['recall', { task: 'x', tags: 'one' }, 'recall: tags must be a list of strings.'],
  ['recall', { task: 'x', tags: ['one', 2] }, 'recall: tags.1 must be a string.'],
  ['recall', { task: 'x', tags: TOO_MANY }, 'recall: tags holds more than 100 tags.'],
  ['recall', { task: 'x', tags: ['x'.repeat(101)] }, 'recall: tags.0 is longer than 100 characters.'],
  [
    'recall',
    { task: 'x'.repeat(64 * KIB + 1) },
    'recall: task has 65537 bytes, more than the limit of 64 KiB; shorten it.',
  ],
  [
    'recall',
    { task: '縞'.repeat(22_000) },
    'recall: task has 66000 bytes, more than the limit of 64 KiB; shorten it.',
  ],
  ['remember', { task: 'x' }, 'remember: answer must be a string.'],
  ['remember', { task: 'x', answer: { a: 1 } }, 'remember: answer must be a string.'],
  [
    'remember',
    { task: 'x', answer: 'x'.repeat(4 * MIB + 1) },
    'remember: answer has 4194305 bytes, more than the limit of 4 MiB; shorten it.',
  ],
  [
    'remember',
    { task: 'x', answer: '', ttl_seconds: 'soon' },
    'remember: ttl_seconds must be a finite number.',
  ],
  [
    'remember',
    { task: 'x', answer: '', ttl_seconds: -Infinity },
    'remember: ttl_seconds must be a finite number.',
  ],
  [
    'remember',
    { task: 'x', answer: '', skip_if_duplicate: 1 },
    'remember: skip_if_duplicate must be of type boolean.',
  ],
  ['remember', { task: 'x', answer: '', scope: 'all' }, 'remember: scope must be one of project, global.'],
  ['remember', { task: 'x', answer: '', supersedes: '' }, `remember: supersedes ${NOT_BLANK}`],
  [
    'remember',
    { task: 'x', answer: '', idempotency_key: 'x'.repeat(201) },
    'remember: idempotency_key is longer than 200 characters.',
  ],
  ['echo', { task: '' }, `echo: task ${NOT_BLANK}`],
  ['search', { query: '' }, `search: query ${NOT_BLANK}`],
  ['search', { query: 'x', scope: 'here' }, 'search: scope must be one of project, global, all.'],
  ['search', { query: 'x', kind: 'note' }, 'search: kind must be one of memory, episode.'],
  ['search', { query: 'x', max_tokens: {} }, 'search: max_tokens must be a finite number.'],
  ['get', {}, `get: entry_id ${NOT_BLANK}`],
  ['forget', { entry_id: 5 }, `forget: entry_id ${NOT_BLANK}`],
  ['drift_report', { min_hits: true }, 'drift_report: min_hits must be a finite number.'],
  ['drift_report', { min_spread: Infinity }, 'drift_report: min_spread must be a finite number.'],
];

describe('a call with an argument that cannot be used', () => {
  for (const [tool, args, sentence] of REFUSED) {
    it(`is answered "${sentence}"${args === undefined ? ' without arguments' : ''}`, async () => {
      const bench = await openToolBench();
      assert.equal(await bench.refuse(tool, args), sentence);
      assert.deepEqual(bench.records, [{ tool, milliseconds: 1, ok: false }]);
      assert.equal((await bench.succeed('stats'))['total_entries'], 0, 'nothing was stored');
    });
  }

  it('names what it does not know, and what it accepts, before what is missing', async () => {
    const { refuse } = await openToolBench();
    const accepted = 'it takes task, threshold, top_k, tags.';
    assert.equal(await refuse('recall', { query: 'x' }), `recall: unknown parameter "query"; ${accepted}`);
    assert.equal(
      await refuse('stats', { a: 1, b: 2 }),
      'stats: unknown parameter "a", "b"; it takes no parameters.',
    );
    const many = Object.fromEntries(TOO_MANY.map((name) => [name.repeat(100), 1]));
    assert.ok((await refuse('stats', many)).length < 1000, 'the answer stays short');
  });

  it('takes no names from the prototype of objects', async () => {
    const { refuse, call } = await openToolBench();
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const args: unknown = JSON.parse(`{"task":"x","${name}":{"task":"y"}}`);
      assert.match(await refuse('recall', args), new RegExp(`unknown parameter "${name}"`));
      await assert.rejects(call(name, { task: 'x' }), McpError);
    }
    const inherited: unknown = JSON.parse('{"__proto__":{"task":"inherited"}}');
    assert.match(await refuse('recall', inherited), /unknown parameter "__proto__"/);
  });

  it('is a protocol error where there is no such tool: the tools are named', async () => {
    const { call } = await openToolBench();
    await assert.rejects(
      call('Recall', { task: 'x' }),
      /Unknown tool "Recall"\. Tools: recall, remember, echo, /,
    );
  });
});

describe('an argument at the edge of what can be used', () => {
  it('counts as the end it lies beyond, fractions cut off: top_k, limit', async () => {
    const rows = Array.from({ length: 120 }, (_, n) => ({ task: `zebra ${n}` }));
    const { succeed } = await openToolBench({ rows });
    const echoes = async (top_k?: number) => {
      const result = await succeed('echo', { task: 'zebra', ...(top_k === undefined ? {} : { top_k }) });
      return (result['echoes'] as unknown[]).length;
    };
    for (const [given, counts] of [
      [0, 1],
      [-1e9, 1],
      [2.7, 2],
      [1e9, 100],
      [undefined, 5],
    ] as const) {
      assert.equal(await echoes(given), counts, `top_k ${given ?? 'absent'}`);
    }
    const found = async (limit: number) =>
      ((await succeed('search', { query: 'zebra', limit, max_tokens: 1e9 }))['results'] as unknown[]).length;
    assert.deepEqual([await found(0), await found(2.7), await found(1e9)], [1, 2, 100]);
  });

  it('may be null where there is a default', async () => {
    const { succeed } = await openToolBench();
    const given = { tags: null, ttl_seconds: null, supersedes: null, idempotency_key: null };
    await succeed('remember', { task: 'the task', answer: 'yes', ...given });
    assert.equal((await succeed('recall', { task: 'the task', threshold: null, tags: null }))['hit'], true);
    await succeed('echo', { task: 'the task', tags: null });
    await succeed('search', { query: 'task', tags: null, kind: null });
  });

  it('may be as large as the limit says', async () => {
    const { succeed } = await openToolBench();
    const task = 'x'.repeat(64 * KIB);
    const answer = 'y'.repeat(4 * MIB);
    const tags = Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(100, 'z'));
    await succeed('remember', { task, answer, tags });
    const hit = await succeed('recall', { task, tags: [tags[99]] });
    assert.deepEqual([hit['hit'], hit['answer'] === answer, hit['tags']], [true, true, tags]);
  });

  it('may hold any character; lone surrogates become U+FFFD', async () => {
    const { succeed } = await openToolBench();
    const odd = 'NUL \u0000, separators \u2028\u2029\u0085, zebra 🦓, alone ';
    await succeed('remember', { task: `${odd}\ud800`, answer: `\udc00${odd}`, tags: ['\ud800'] });
    const hit = await succeed('recall', { task: `${odd}\ud800` });
    assert.deepEqual(
      [hit['task_text'], hit['answer'], hit['tags']],
      [`${odd}\ufffd`, `\ufffd${odd}`, ['\ufffd']],
    );
  });
});

describe('a call that fails for another reason', () => {
  it('is answered with the sentence of an expected error', async () => {
    const { refuse, records } = await openToolBench();
    assert.match(await refuse('get', { entry_id: 'unknown' }), /^No entry unknown\. Take an entry_id/);
    assert.deepEqual(records, [{ tool: 'get', milliseconds: 1, ok: false, reason: 'not_found' }]);
  });

  it('is answered, logged and called a fault of ours when nobody expected it', async () => {
    const { embedder, succeed, refuse, records } = await openToolBench();
    await succeed('remember', { task: 'the task', answer: 'yes' });
    const error = new Error('out of memory');
    embedder.failure = error;
    assert.match(
      await refuse('recall', { task: 'x' }),
      /^recall failed: out of memory\. This is a fault of Subconscious/,
    );
    assert.deepEqual(records.at(-1), { tool: 'recall', milliseconds: 1, ok: false, error });
  });

  it('says why when there is no engine to ask', async () => {
    const message = 'Process 4711 owns the folder. Close it first.';
    const engine = () => Promise.reject(new MemoryError('owned', message));
    const dispatcher = createDispatcher(
      { core: coreTools },
      engine,
      () => 0,
      () => undefined,
    );
    const result = await dispatcher.call('stats', {}, CALLER);
    assert.deepEqual([result.isError, textOf(result)], [true, message]);
  });
});

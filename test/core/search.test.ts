import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SearchRequest } from '../../src/core/search.js';
import { estimateTokens } from '../../src/core/text.js';
import { openBench, OTHER_PROJECT, PROJECT } from './fixture.js';
import { WordEmbedder } from './wordEmbedder.js';

const looking = (query: string, given: Partial<SearchRequest> = {}): SearchRequest => ({
  query,
  project: PROJECT,
  limit: 10,
  maxTokens: 2000,
  scope: 'project',
  ...given,
});

async function found(options: Parameters<typeof openBench>[0], request: SearchRequest): Promise<string[]> {
  const { engine } = await openBench(options);
  return (await engine.search(request)).results.map((hit) => hit.entry_id);
}

describe('search', () => {
  it('finds by meaning and by words, in task and in answer', async () => {
    const embedder = new WordEmbedder();
    embedder.place('meaning', { 'zebra query': 0.9 });
    const rows = [
      { id: 'meaning', task: 'meaning' },
      { id: 'task', task: 'feed the zebra' },
      { id: 'answer', task: 'something', answer: 'ask the zebra keeper' },
      { id: 'neither', task: 'nothing of it' },
    ];
    const ids = await found({ embedder, rows }, looking('zebra query'));
    assert.deepEqual(ids.toSorted(), ['answer', 'meaning', 'task']);
  });

  it('shows ids, scores, tasks and the part of the answer that matters', async () => {
    const answer = `${'filler '.repeat(100)}the zebra stands here ${'filler '.repeat(100)}`;
    const { engine } = await openBench({ rows: [{ id: 'row', task: 'the task', answer, tags: ['one'] }] });
    const { results, more } = await engine.search(looking('zebra'));
    assert.equal(more, 0);
    const [{ snippet, score, ...hit } = assert.fail('nothing was found')] = results;
    const stored_at = 1_600_000_000;
    assert.deepEqual(hit, {
      entry_id: 'row',
      task_text: 'the task',
      tags: ['one'],
      kind: 'memory',
      stored_at,
    });
    assert.match(snippet, /^….*the zebra stands here.*…$/);
    assert.ok(snippet.length <= 240);
    assert.ok(score > 0 && score <= 1);
  });

  it('looks in this project and the global memories, in the global ones alone, or everywhere', async () => {
    const rows = [
      { id: 'mine', task: 'zebra' },
      { id: 'shared', task: 'zebra', project: '' },
      { id: 'foreign', task: 'zebra', project: OTHER_PROJECT },
    ];
    for (const [scope, expected] of [
      ['project', ['mine', 'shared']],
      ['global', ['shared']],
      ['all', ['foreign', 'mine', 'shared']],
    ] as const) {
      assert.deepEqual((await found({ rows }, looking('zebra', { scope }))).toSorted(), expected, scope);
    }
  });

  it('filters by kind and tags, and never shows expired or superseded rows', async () => {
    const rows = [
      { id: 'memory', task: 'zebra', tags: ['one', 'two'] },
      { id: 'episode', task: 'zebra', kind: 'episode' as const },
      { id: 'expired', task: 'zebra', expiresAt: 10 },
      { id: 'superseded', task: 'zebra', supersededBy: 'memory' },
    ];
    const ids = async (given: Partial<SearchRequest>) =>
      (await found({ rows }, looking('zebra', given))).toSorted();
    assert.deepEqual(await ids({}), ['episode', 'memory']);
    assert.deepEqual(await ids({ tags: [] }), ['episode', 'memory']);
    assert.deepEqual(await ids({ kind: 'episode' }), ['episode']);
    assert.deepEqual(await ids({ tags: ['two', 'three'] }), ['memory']);
  });

  it('finds a valid row behind 500 better ones that do not count', async () => {
    const invalid = [{ expiresAt: 10 }, { supersededBy: 'valid' }, { project: OTHER_PROJECT }];
    const better = Array.from({ length: 500 }, (_, n) => ({ task: 'zebra', ...invalid[n % invalid.length] }));
    const rows = [...better, { id: 'valid', task: 'a zebra among other words' }];
    assert.deepEqual(await found({ rows }, looking('zebra', { limit: 1 })), ['valid']);
  });

  it('works by words alone without a model, and says so', async () => {
    const { engine, embedder } = await openBench({
      rows: [{ id: 'row', task: 'feed the zebra' }, { task: 'x' }],
    });
    embedder.unavailable = 'The model file is missing.';
    const { results, degraded } = await engine.search(looking('zebra'));
    assert.deepEqual([results.map((hit) => hit.entry_id), degraded], [['row'], 'no_model']);
  });

  it('says how many more there are than the limit lets through', async () => {
    const { engine } = await openBench({
      rows: Array.from({ length: 7 }, (_, n) => ({ task: `zebra ${n}` })),
    });
    const { results, more } = await engine.search(looking('zebra', { limit: 3 }));
    assert.deepEqual([results.length, more], [3, 4]);
  });

  it('records nothing', async () => {
    const { engine, store } = await openBench({ rows: [{ task: 'zebra' }] });
    await engine.search(looking('zebra'));
    assert.deepEqual(await store.recalls(PROJECT), []);
  });

  it('counts every match, also those far beyond what it ranks', async () => {
    const rows = Array.from({ length: 1100 }, (_, n) => ({
      id: `row ${n}`,
      task: `zebra ${n}`,
      vector: false,
    }));
    const bench = await openBench({ rows });
    bench.embedder.unavailable = 'The model file is missing.';
    const { results, more } = await bench.engine.search(looking('zebra'));
    assert.equal(results.length + more, 1100);
  });
});

describe('the token budget of a search', () => {
  const texts = {
    words: 'zebra crossing with many words ',
    'Japanese and English': '縞馬zebraの飼育方法を説明する',
    Thai: 'zebra การเลี้ยงม้าลาย ',
    'signs that JSON escapes': 'zebra "\\\n\t\u0001 ',
    emoji: 'zebra 🦓🦓🦓 ',
  };
  for (const [name, text] of Object.entries(texts)) {
    it(`is never exceeded, always spent on something, and what is left out is counted: ${name}`, async () => {
      const rows = Array.from({ length: 30 }, (_, n) => ({
        id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
        task: text.repeat(1 + n * 3),
        answer: text.repeat(n * 20),
        tags: n % 3 === 0 ? ['first tag', '二番目'] : [],
      }));
      const { engine } = await openBench({ rows });
      const all = (await engine.search(looking('zebra', { limit: 100, maxTokens: 100_000 }))).results.length;
      assert.equal(all, 30);
      for (let maxTokens = 100; maxTokens <= 2000; maxTokens += 50) {
        const result = await engine.search(looking('zebra', { limit: 100, maxTokens }));
        const tokens = estimateTokens(JSON.stringify(result));
        assert.ok(tokens <= maxTokens, `${tokens} tokens in a budget of ${maxTokens}`);
        assert.ok(result.results.length > 0, `nothing in a budget of ${maxTokens}`);
        assert.equal(result.results.length + result.more, all);
      }
    });
  }

  it('is spent to the last token', async () => {
    const rows = Array.from({ length: 9 }, (_, n) => ({ id: `row ${n}`, task: `zebra ${n}` }));
    const { engine } = await openBench({ rows });
    const result = await engine.search(looking('zebra', { maxTokens: 250 }));
    const spent = estimateTokens(JSON.stringify(result));
    const count = async (maxTokens: number) =>
      (await engine.search(looking('zebra', { maxTokens }))).results.length;
    assert.ok(result.more > 0);
    assert.deepEqual(
      [await count(spent), await count(spent - 1)],
      [result.results.length, result.results.length - 1],
    );
  });

  it('is not blocked by an entry whose tags alone would fill it', async () => {
    const tags = Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(100, 'x'));
    const rows = [
      { id: 'huge', task: 'zebra', tags },
      { id: 'small', task: 'a zebra among other words' },
    ];
    const { engine } = await openBench({ rows });
    const { results, more } = await engine.search(looking('zebra'));
    assert.deepEqual([results.map((hit) => hit.entry_id), more], [['huge', 'small'], 0]);
    assert.ok((results[0]?.tags.length ?? 0) < 100, 'of its tags a few are shown');
  });

  it('passes over such an entry in the middle', async () => {
    const tags = Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(100, 'x'));
    const rows = [
      { id: 'last', task: 'a zebra among a good many other words' },
      { id: 'huge', task: 'zebra zebra crossing', tags },
      { id: 'first', task: 'zebra zebra' },
    ];
    const { engine } = await openBench({ rows });
    const { results, more } = await engine.search(looking('zebra'));
    assert.deepEqual([results.map((hit) => hit.entry_id), more], [['first', 'last'], 1]);
  });

  it('may be so small that nothing fits: then it says how much there is', async () => {
    const { engine } = await openBench({ rows: [{ id: 'row', task: 'zebra' }] });
    assert.deepEqual(await engine.search(looking('zebra', { maxTokens: 10 })), { results: [], more: 1 });
  });
});

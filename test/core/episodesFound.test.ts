import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GLOBAL_PROJECT } from '../../src/core/memory.js';
import { aSession, aTurn, keeping, ofProject, someTurns, statusesOf } from './episodeFixture.js';
import { asking, openBench, OTHER_PROJECT, PROJECT, untilFilled, type Bench } from './fixture.js';
import { WordEmbedder } from './wordEmbedder.js';

async function searched(
  { engine }: Bench,
  query: string,
  given: Partial<Parameters<Bench['engine']['search']>[0]> = {},
): Promise<string[]> {
  const request = { query, project: PROJECT, limit: 10, maxTokens: 2000, scope: 'project' } as const;
  return (await engine.search({ ...request, ...given })).results.map(({ entry_id }) => entry_id);
}

const echoed = async ({ engine }: Bench, task: string, project = PROJECT) =>
  (await engine.echo({ task, project, topK: 5 })).echoes.map(({ entry_id }) => entry_id);

describe('an episode', () => {
  it('never answers a recall, be it the identical text', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession([aTurn(1, { task: 'question' })]));
    await untilFilled(bench);
    for (const again of [bench, await bench.reopen()]) {
      const result = await again.engine.recall(asking('question', { threshold: 0 }));
      assert.deepEqual([result.hit, result.reason, result.nearest], [false, 'empty', undefined]);
    }
  });

  it('hides no memory from a recall, 500 nearer ones included', async () => {
    const embedder = new WordEmbedder();
    embedder.place('nearer', { question: 0.99 });
    embedder.place('memory', { question: 0.86 });
    const bench = await openBench({ embedder, rows: [{ id: 'memory', task: 'memory' }] });
    for (let n = 0; n < 500; n += 1) {
      const task = n % 2 === 0 ? 'nearer' : 'question';
      await bench.engine.ingest(aSession([aTurn(1, { task })], { sessionId: `session-${n}` }));
    }
    assert.equal(await untilFilled(bench, 5000), 0);
    const { entry_id, similarity } = await bench.engine.recall(asking('question'));
    assert.deepEqual([entry_id, similarity], ['memory', 0.86]);
    assert.deepEqual(await searched(bench, 'memory', { kind: 'memory' }), ['memory']);
  });

  it('is found by echo and by search, as what it is', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession([aTurn(1, { task: 'feed the zebra', outcome: 'it likes clover' })]));
    await untilFilled(bench);
    for (const again of [bench, await bench.reopen()]) {
      const { echoes } = await again.engine.echo({ task: 'feed the zebra', project: PROJECT, topK: 5 });
      assert.deepEqual(
        echoes.map(({ entry_id, kind, similarity }) => [entry_id, kind, similarity]),
        [['episode-1', 'episode', 1]],
      );
      const request = {
        query: 'clover',
        project: PROJECT,
        limit: 10,
        maxTokens: 2000,
        scope: 'project',
      } as const;
      const [hit] = (await again.engine.search(request)).results;
      assert.deepEqual([hit?.entry_id, hit?.kind, hit?.tags], ['episode-1', 'episode', ['episode']]);
      assert.match(hit?.snippet ?? '', /it likes clover/);
      assert.deepEqual(await searched(again, 'clover', { kind: 'episode' }), ['episode-1']);
      assert.deepEqual(await searched(again, 'clover', { kind: 'memory' }), []);
    }
    const { by_kind, total_entries, without_vector } = await bench.engine.stats(PROJECT);
    assert.deepEqual([by_kind, total_entries, without_vector], [{ memory: 0, episode: 1 }, 1, 0]);
  });

  it('is found by the words of every turn it has, and no longer by those it has lost', async () => {
    const bench = await openBench();
    bench.embedder.unavailable = 'The model file is missing.';
    await bench.engine.ingest(
      aSession([aTurn(1, { outcome: 'zebra' }), aTurn(2, { outcome: 'half an okapi', final: false })]),
    );
    await bench.engine.ingest(aSession([aTurn(3, { outcome: 'giraffe' })]));
    for (const word of ['zebra', 'okapi', 'giraffe'])
      assert.deepEqual(await searched(bench, word), ['episode-1']);
    await bench.engine.ingest(aSession([aTurn(2, { outcome: 'impala' })]));
    assert.deepEqual(await searched(bench, 'okapi'), []);
    assert.deepEqual(await searched(bench, 'impala'), ['episode-1']);
    await bench.engine.ingest(aSession(someTurns(4, 21)));
    assert.deepEqual(await searched(bench, 'zebra'), []);
    for (const word of ['impala', 'giraffe', 'outcome']) {
      assert.deepEqual(await searched(bench, word), ['episode-1'], word);
    }
  });

  it('keeps its vector when it grows', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession([aTurn(1, { task: 'feed the zebra' })]));
    await untilFilled(bench);
    const embedded = bench.embedder.calls.length;
    await bench.engine.ingest(aSession([aTurn(2)]));
    assert.equal((await bench.engine.stats(PROJECT)).without_vector, 0);
    assert.equal(bench.embedder.calls.length, embedded);
    assert.deepEqual(await echoed(await bench.reopen(), 'the zebra'), ['episode-1']);
  });

  it('is found in no other project', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession([aTurn(1, { task: 'feed the zebra' })], ofProject(OTHER_PROJECT)));
    await untilFilled(bench);
    assert.deepEqual(await echoed(bench, 'feed the zebra'), []);
    assert.deepEqual(await searched(bench, 'zebra'), []);
    await assert.rejects(
      bench.engine.get({ id: 'episode-1', project: PROJECT, scope: 'project' }),
      /in this project/,
    );
    assert.deepEqual(await echoed(bench, 'feed the zebra', OTHER_PROJECT), ['episode-1']);
    assert.equal(
      (await bench.engine.get({ id: 'episode-1', project: PROJECT, scope: 'all' })).kind,
      'episode',
    );
  });

  it('of the home folder is found there alone', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession([aTurn(1, { task: 'feed the zebra' })], ofProject(GLOBAL_PROJECT)));
    await untilFilled(bench);
    const listed = async (project: string) =>
      (await bench.engine.list({ project, limit: 10 })).entries.length;
    const everywhere = ['project', 'global'] as const;
    for (const scope of everywhere) {
      for (const kind of [undefined, 'episode'] as const) {
        assert.deepEqual(await searched(bench, 'zebra', { scope, kind }), [], scope);
        const home = { project: GLOBAL_PROJECT, scope, kind };
        assert.deepEqual(await searched(bench, 'zebra', home), ['episode-1'], scope);
      }
    }
    assert.deepEqual(await searched(bench, 'zebra', { scope: 'all' }), ['episode-1']);
    assert.deepEqual(await echoed(bench, 'feed the zebra'), []);
    assert.deepEqual(await echoed(bench, 'feed the zebra', GLOBAL_PROJECT), ['episode-1']);
    assert.deepEqual([await listed(PROJECT), await listed(GLOBAL_PROJECT)], [0, 1]);
    assert.equal(await bench.engine.forget('episode-1', PROJECT), false);
  });

  it('is no longer found once it was kept, discarded or forgotten; forgotten is discarded', async () => {
    const bench = await openBench();
    for (const n of [1, 2, 3]) {
      await bench.engine.ingest(aSession([aTurn(n, { task: `zebra ${n}` })], { sessionId: `session-${n}` }));
    }
    await untilFilled(bench);
    await bench.engine.keep(keeping('episode-1', { task: 'something else', answer: 'nothing of it' }));
    await bench.engine.discard(['episode-2']);
    assert.equal(await bench.engine.forget('episode-3', PROJECT), true);
    assert.deepEqual(await statusesOf(bench), {
      'episode-1': 'kept',
      'episode-2': 'discarded',
      'episode-3': 'discarded',
    });
    for (const again of [bench, await bench.reopen()]) {
      assert.deepEqual(await searched(again, 'zebra'), []);
      for (const n of [1, 2, 3]) assert.ok(!(await echoed(again, `zebra ${n}`)).includes(`episode-${n}`));
      assert.deepEqual((await again.engine.stats(PROJECT)).by_kind, { memory: 1, episode: 0 });
    }
    await assert.rejects(
      bench.engine.get({ id: 'episode-2', project: PROJECT, scope: 'project' }),
      /in the trash/,
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  allEpisodes,
  aSession,
  aTurn,
  keeping,
  listening,
  someTurns,
  statusesOf,
  tasksOf,
} from './episodeFixture.js';
import { openBench, PROJECT, type Bench } from './fixture.js';

describe('a session somebody has judged', () => {
  const judgements = {
    kept: (bench: Bench) => bench.engine.keep(keeping('episode-1')),
    discarded: (bench: Bench) => bench.engine.discard(['episode-1']),
    forgotten: (bench: Bench) => bench.engine.forget('episode-1', PROJECT),
  };
  for (const [name, judge] of Object.entries(judgements)) {
    it(`goes on in an episode of its own after it was ${name}; its old turns add nothing`, async () => {
      const bench = await openBench();
      await bench.engine.ingest(aSession(someTurns(1, 2)));
      await judge(bench);
      const before = await bench.store.episode('episode-1');
      for (const again of [bench, await bench.reopen()]) {
        const heard = listening(again);
        assert.equal(await again.engine.ingest(aSession(someTurns(1, 2))), false);
        assert.equal(
          await again.engine.ingest(aSession([aTurn(1, { outcome: 'better', revisedAt: 9e9 })])),
          false,
        );
        assert.deepEqual(heard, []);
        assert.equal((await allEpisodes(again)).length, 1);
      }
      assert.equal(await bench.engine.ingest(aSession(someTurns(1, 3))), true);
      await bench.engine.ingest(aSession([aTurn(4), aTurn(2)]));
      assert.deepEqual(await tasksOf(bench, 'episode-2'), ['task 3', 'task 4']);
      assert.equal((await bench.engine.episode('episode-2')).task_text, 'task 3');
      assert.deepEqual(await bench.store.episode('episode-1'), before);
    });
  }

  it('is not begun again by turns that had grown out of the episode', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession(someTurns(1, 5)));
    await bench.engine.ingest(aSession(someTurns(6, 25)));
    await bench.engine.discard(['episode-1']);
    assert.equal(await bench.engine.ingest(aSession(someTurns(1, 5))), false);
  });

  it('goes on in its newest episode where an older one was restored', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession([aTurn(1)]));
    await bench.engine.discard(['episode-1']);
    await bench.engine.ingest(aSession([aTurn(2, { outcome: 'half', final: false })]));
    await bench.engine.restore(['episode-1']);
    await bench.engine.ingest(
      aSession([aTurn(1), aTurn(2, { outcome: 'whole', revisedAt: aTurn(3).at }), aTurn(3)]),
    );
    assert.deepEqual(await tasksOf(bench, 'episode-1'), ['task 1']);
    assert.deepEqual(
      (await bench.engine.episode('episode-2')).turns.map(({ outcome }) => outcome),
      ['whole', 'outcome 3'],
    );
  });
});

describe('the id of an episode', () => {
  it('is never given twice, also when the episode is gone for good', async () => {
    const bench = await openBench();
    for (const n of [1, 2, 3]) await bench.engine.ingest(aSession([aTurn(n)], { sessionId: `session-${n}` }));
    await bench.engine.discard(['episode-1', 'episode-2', 'episode-3']);
    bench.sources.time += 31 * 24 * 3600;
    await bench.engine.tidy();
    assert.deepEqual(await statusesOf(bench), {});
    const again = await bench.reopen();
    await again.engine.ingest(aSession([aTurn(3)], { sessionId: 'session-3' }));
    assert.deepEqual(await statusesOf(again), { 'episode-4': 'ingested' });
  });
});

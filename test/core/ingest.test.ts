import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  allEpisodes,
  aSession,
  aTurn,
  listening,
  ofProject,
  redactWords,
  someTurns,
  tasksOf,
} from './episodeFixture.js';
import { openBench, OTHER_PROJECT, PROJECT } from './fixture.js';

describe('what a hook saw of a session', () => {
  it('becomes an episode of its project', async () => {
    const bench = await openBench();
    const heard = listening(bench);
    assert.equal(
      await bench.engine.ingest(aSession([aTurn(1), aTurn(2, { revisedAt: 1_600_000_009 })])),
      true,
    );
    const answer = 'TASK: task 1\nOUTCOME: outcome 1\n\nTASK: task 2\nOUTCOME: outcome 2';
    assert.deepEqual(await bench.store.get('episode-1'), {
      id: 'episode-1',
      kind: 'episode',
      project: PROJECT,
      task: 'task 1',
      answer,
      tags: ['episode'],
      source: 'stop_hook',
      storedAt: 1_600_000_009,
      expiresAt: null,
      supersededBy: null,
      deletedAt: null,
    });
    const shown = await bench.engine.get({ id: 'episode-1', project: PROJECT, scope: 'project' });
    assert.deepEqual([shown.kind, shown.task_text, shown.answer], ['episode', 'task 1', answer]);
    assert.deepEqual(heard, [{ ids: ['episode-1'], projects: [PROJECT] }]);
  });

  it('grows with the session, keeping its task and its id', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession([aTurn(1)]));
    const heard = listening(bench);
    assert.equal(await bench.engine.ingest(aSession([aTurn(2)])), true);
    await bench.engine.ingest(aSession(someTurns(1, 3)));
    const [episode, ...others] = await allEpisodes(bench);
    assert.deepEqual(others, []);
    assert.deepEqual([episode?.entry_id, episode?.task_text, episode?.turns], ['episode-1', 'task 1', 3]);
    assert.equal(episode?.stored_at, aTurn(3).at);
    assert.match(
      (await bench.store.get('episode-1'))?.answer ?? '',
      /task 1.*task 2.*task 3\nOUTCOME: outcome 3$/s,
    );
    assert.deepEqual(
      heard.map(({ ids }) => ids),
      [['episode-1'], ['episode-1']],
    );
  });

  it('changes nothing and tells nobody when it comes again, older copies too, in any order, after a restart', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession([aTurn(1, { outcome: 'not yet', final: false, revisedAt: 5 })]));
    await bench.engine.ingest(aSession(someTurns(1, 3)));
    const before = await bench.store.episode('episode-1');
    for (const again of [bench, await bench.reopen()]) {
      const heard = listening(again);
      for (const copy of [
        [aTurn(3)],
        someTurns(1, 3),
        [aTurn(2), aTurn(1)],
        [aTurn(1, { outcome: 'not yet', final: false, revisedAt: 5 })],
        [aTurn(3, { revisedAt: 1_600_000_500 })],
        [],
      ]) {
        assert.equal(await again.engine.ingest(aSession(copy)), false);
      }
      assert.deepEqual(heard, []);
      assert.deepEqual(await bench.store.episode('episode-1'), before);
      assert.equal((await allEpisodes(again)).length, 1);
    }
  });

  it('takes over a better outcome of a turn it has', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession([aTurn(1, { outcome: 'half', final: false }), aTurn(2)]));
    const { revisedAt } = aTurn(3);
    assert.equal(await bench.engine.ingest(aSession([aTurn(1, { outcome: 'whole', revisedAt })])), true);
    const { turns } = await bench.engine.episode('episode-1');
    assert.deepEqual(turns, [
      { task: 'task 1', outcome: 'whole', at: aTurn(1).at },
      { task: 'task 2', outcome: 'outcome 2', at: aTurn(2).at },
    ]);
    assert.equal((await bench.store.get('episode-1'))?.storedAt, revisedAt);
    assert.equal(
      await bench.engine.ingest(aSession([aTurn(1, { outcome: 'again half', final: false })])),
      false,
    );
  });

  it('takes over what was captured later of two last words', async () => {
    const bench = await openBench();
    const said = (outcome: string, revisedAt: number) => aSession([aTurn(1, { outcome, revisedAt })]);
    await bench.engine.ingest(said('first', 1));
    assert.equal(await bench.engine.ingest(said('second', 2)), true);
    assert.equal(await bench.engine.ingest(said('first', 1)), false);
    assert.equal((await bench.engine.episode('episode-1')).turns[0]?.outcome, 'second');
  });

  it('knows a last word when it hears one, although it says nothing new', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession([aTurn(1, { final: false })]));
    await bench.engine.ingest(aSession([aTurn(1, { revisedAt: aTurn(2).at })]));
    const unfinished = aTurn(1, { outcome: 'something else', final: false, revisedAt: aTurn(3).at });
    assert.equal(await bench.engine.ingest(aSession([unfinished])), false);
    assert.equal((await bench.engine.episode('episode-1')).turns[0]?.outcome, 'outcome 1');
  });

  it('is the same episode whatever the order of its captures', async () => {
    const captures = [100, 200, 300].flatMap((at, n) => [
      aTurn(n, { at, revisedAt: at, final: false, outcome: 'half' }),
      aTurn(n, { at: at + 1, revisedAt: at + 1, outcome: 'whole' }),
      aTurn(n, { at: at + 2, revisedAt: at + 2, final: false, outcome: 'after all' }),
    ]);
    const orders = fc.shuffledSubarray(captures, { minLength: captures.length });
    await fc.assert(
      fc.asyncProperty(orders, async (turns) => {
        const { engine } = await openBench();
        for (const turn of turns) await engine.ingest(aSession([turn]));
        const found = (await engine.episode('episode-1')).turns.map(({ task, outcome }) => [task, outcome]);
        assert.deepEqual(found, [
          ['task 0', 'whole'],
          ['task 1', 'whole'],
          ['task 2', 'whole'],
        ]);
      }),
      { numRuns: 50 },
    );
  });

  it('keeps its newest 20 turns, and takes none back that has grown out of it', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession(someTurns(1, 15)));
    await bench.engine.ingest(aSession(someTurns(10, 25)));
    const expected = someTurns(6, 25).map(({ task }) => task);
    assert.deepEqual(await tasksOf(bench, 'episode-1'), expected);
    assert.equal(await bench.engine.ingest(aSession(someTurns(1, 15))), false);
    assert.deepEqual(await tasksOf(bench, 'episode-1'), expected);
    assert.equal((await bench.engine.episode('episode-1')).task_text, 'task 1');
  });

  it('is one episode when two copies come at once', async () => {
    const bench = await openBench();
    const heard = listening(bench);
    const copies = [aSession([aTurn(1)]), aSession(someTurns(1, 2)), aSession([aTurn(2)])];
    assert.deepEqual(await Promise.all(copies.map((copy) => bench.engine.ingest(copy))), [true, true, false]);
    assert.deepEqual(await tasksOf(bench, 'episode-1'), ['task 1', 'task 2']);
    assert.equal(heard.length, 2);
  });

  it('is apart from another session, and from the same session id of another project', async () => {
    const bench = await openBench();
    const other = ofProject(OTHER_PROJECT);
    await bench.engine.ingest(aSession([aTurn(1)]));
    await bench.engine.ingest(aSession([aTurn(1)], { sessionId: 'session-2' }));
    await bench.engine.ingest(aSession([aTurn(1)], other));
    await bench.engine.ingest(aSession([aTurn(1)], ofProject('')));
    await bench.engine.ingest(aSession([aTurn(2)], other));
    const found = (await allEpisodes(bench)).map(({ entry_id, session_id, project, turns }) => [
      entry_id,
      session_id,
      project,
      turns,
    ]);
    assert.deepEqual(found, [
      ['episode-3', 'session-1', OTHER_PROJECT, 2],
      ['episode-4', 'session-1', '', 1],
      ['episode-2', 'session-2', 'Project A', 1],
      ['episode-1', 'session-1', 'Project A', 1],
    ]);
    assert.equal((await bench.store.get('episode-3'))?.project, OTHER_PROJECT);
    assert.equal((await bench.store.get('episode-4'))?.project, '');
    assert.deepEqual(bench.engine.projects().sort(), ['', PROJECT, OTHER_PROJECT]);
  });

  it('takes the latest name and folder of its project over', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession());
    const moved = aSession([aTurn(2)], { ...ofProject(PROJECT, '新しい名前'), directory: '/elsewhere' });
    await bench.engine.ingest(moved);
    const { project, directory } = await bench.engine.episode('episode-1');
    assert.deepEqual([project, directory], ['新しい名前', '/elsewhere']);
  });

  it('is not on top for ever where the clock was wrong when it was seen', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession([aTurn(1, { at: 9e9, revisedAt: 9e9 })]));
    assert.equal((await bench.store.get('episode-1'))?.storedAt, bench.sources.time);
    bench.sources.time += 60;
    await bench.engine.ingest(aSession([aTurn(2, { at: 9e9 + 1, revisedAt: 9e9 + 1 })]));
    assert.equal((await bench.store.get('episode-1'))?.storedAt, bench.sources.time);
  });

  it('is masked and cut, whatever its writer did: masked first, so that no half of a secret stays', async () => {
    const bench = await openBench({ engine: { redact: redactWords } });
    const half = '<private>nobody knows this</private>';
    const turn = aTurn(1, {
      task: `deploy with secret-alpha ${'x'.repeat(960)} ${half}`,
      outcome: `secret-beta ${'y'.repeat(1970)} ${half}`,
    });
    await bench.engine.ingest(aSession([turn, aTurn(2, { task: `it was ${half}` })]));
    const stored = JSON.stringify(await bench.store.episode('episode-1'));
    assert.doesNotMatch(stored, /secret-|alpha|beta|nobody/);
    const { task_text, turns } = await bench.engine.episode('episode-1');
    assert.match(task_text, /^deploy with \[REDACTED:token\] x+ \[RED.*…$/);
    assert.deepEqual(
      turns.map(({ task, outcome }) => [task.length, outcome.length]),
      [
        [1000, 2000],
        ['it was [REDACTED:private]'.length, 9],
      ],
    );
    assert.equal(await bench.engine.ingest(aSession([turn])), false, 'the same turn, unmasked again');
  });

  it('goes on after a clock that was ahead, whose turns do not stay the newest', async () => {
    const bench = await openBench();
    const ahead = bench.sources.time + 30 * 24 * 3600;
    const early = someTurns(1, 21).map((turn, n) => ({ ...turn, at: ahead + n, revisedAt: ahead + n }));
    for (const turn of early) await bench.engine.ingest(aSession([turn]));
    bench.sources.time += 10;
    await bench.engine.ingest(
      aSession([aTurn(22, { at: bench.sources.time, revisedAt: bench.sources.time })]),
    );
    assert.equal((await tasksOf(bench, 'episode-1')).at(-1), 'task 22');
  });

  it('takes no turn in that says nothing', async () => {
    const bench = await openBench();
    assert.equal(
      await bench.engine.ingest(aSession([aTurn(1, { task: ' ' }), aTurn(2, { outcome: '' })])),
      false,
    );
    assert.equal((await allEpisodes(bench)).length, 0);
  });
});

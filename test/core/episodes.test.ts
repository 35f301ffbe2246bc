import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EpisodesRequest } from '../../src/core/episodes.js';
import { MemoryError } from '../../src/core/errors.js';
import { aSession, aTurn, keeping, ofProject, someTurns } from './episodeFixture.js';
import { openBench, OTHER_PROJECT, PROJECT, rememberId, type Bench } from './fixture.js';

/** Sessions of one turn each, at these times; their episodes are numbered from 1. */
async function withSessions(bench: Bench, ...times: readonly number[]): Promise<void> {
  for (const at of times) {
    const session = { sessionId: `session of ${at}, ${bench.sources.newId()}` };
    await bench.engine.ingest(aSession([aTurn(1, { at, revisedAt: at })], session));
  }
}

const ask = (given: Partial<EpisodesRequest> = {}): EpisodesRequest => ({
  project: PROJECT,
  limit: 50,
  ...given,
});

async function idsOf({ engine }: Bench, given: Partial<EpisodesRequest> = {}): Promise<string[]> {
  return (await engine.episodes(ask(given))).episodes.map(({ entry_id }) => entry_id);
}

describe('the list of episodes', () => {
  it('shows what session each is of, how it began and what it came to', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession(someTurns(1, 3)));
    assert.deepEqual(await bench.engine.episodes(ask()), {
      counts: { pending: 0, ingested: 1, kept: 0, discarded: 0 },
      episodes: [
        {
          entry_id: 'episode-1',
          project: 'Project A',
          directory: '/home/me/project',
          session_id: 'session-1',
          status: 'ingested',
          stored_at: aTurn(3).at,
          task_text: 'task 1',
          turns: 3,
          outcome: 'outcome 3',
        },
      ],
    });
  });

  it('cuts long texts to 300 units', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession([aTurn(1, { task: 'x'.repeat(900), outcome: 'y'.repeat(1900) })]));
    const { episodes } = await bench.engine.episodes(ask());
    assert.deepEqual(
      episodes.map(({ task_text, outcome }) => [task_text, outcome]),
      [[`${'x'.repeat(299)}…`, `${'y'.repeat(299)}…`]],
    );
  });

  it('is empty where nothing was captured', async () => {
    const bench = await openBench({ rows: [{ task: 'a memory' }] });
    const counts = { pending: 0, ingested: 0, kept: 0, discarded: 0 };
    assert.deepEqual(await bench.engine.episodes(ask()), { counts, episodes: [] });
  });

  it('has the newest first, of the same time the one begun last', async () => {
    const bench = await openBench();
    await withSessions(bench, 200, 100, 300, 200);
    assert.deepEqual(await idsOf(bench), ['episode-3', 'episode-4', 'episode-1', 'episode-2']);
  });

  it('shows one state or all of them, and counts each whatever is asked for', async () => {
    const bench = await openBench();
    await withSessions(bench, 1, 2, 3, 4, 5, 6);
    for (const id of ['episode-1', 'episode-4']) {
      await bench.engine.keep(keeping(id, { task: `kept ${id}` }));
    }
    await bench.engine.discard(['episode-2', 'episode-3', 'episode-5']);
    for (const [status, ids] of [
      ['ingested', ['episode-6']],
      ['kept', ['episode-4', 'episode-1']],
      ['discarded', ['episode-5', 'episode-3', 'episode-2']],
      [undefined, [6, 5, 4, 3, 2, 1].map((n) => `episode-${n}`)],
    ] as const) {
      const { episodes, counts } = await bench.engine.episodes(ask({ status }));
      assert.deepEqual(
        episodes.map(({ entry_id }) => entry_id),
        ids,
      );
      assert.deepEqual(counts, { pending: 0, ingested: 1, kept: 2, discarded: 3 });
      if (status) assert.ok(episodes.every((episode) => episode.status === status));
    }
  });

  it('is of one project, or of all', async () => {
    const bench = await openBench();
    for (const key of [PROJECT, OTHER_PROJECT, '']) {
      await bench.engine.ingest(aSession([aTurn(1)], ofProject(key)));
    }
    const total = async (project: string | null) =>
      (await bench.engine.episodes(ask({ project }))).counts.ingested;
    for (const [project, ids] of [
      [PROJECT, ['episode-1']],
      [OTHER_PROJECT, ['episode-2']],
      ['', ['episode-3']],
      ['unknown', []],
      [null, ['episode-3', 'episode-2', 'episode-1']],
    ] as const) {
      assert.deepEqual(await idsOf(bench, { project }), ids);
      assert.equal(await total(project), ids.length);
    }
  });
});

describe('a page of episodes', () => {
  it('says where the next one begins, which no newer episode shifts', async () => {
    const bench = await openBench();
    await withSessions(bench, 100, 200, 200, 200, 300);
    const first = await bench.engine.episodes(ask({ limit: 2 }));
    assert.deepEqual(
      first.episodes.map(({ entry_id }) => entry_id),
      ['episode-5', 'episode-4'],
    );
    await withSessions(bench, 400, 200.5);
    await bench.engine.discard(['episode-4']);
    const second = await bench.engine.episodes(ask({ limit: 2, cursor: first.next }));
    assert.deepEqual(
      second.episodes.map(({ entry_id }) => entry_id),
      ['episode-3', 'episode-2'],
    );
    const { next, episodes } = await bench.engine.episodes(ask({ limit: 2, cursor: second.next }));
    assert.deepEqual(
      episodes.map(({ entry_id }) => entry_id),
      ['episode-1'],
    );
    assert.equal(next, undefined);
  });

  it('has none after it where it is just full', async () => {
    const bench = await openBench();
    await withSessions(bench, 1, 2);
    assert.equal((await bench.engine.episodes(ask({ limit: 2 }))).next, undefined);
    assert.notEqual((await bench.engine.episodes(ask({ limit: 1 }))).next, undefined);
  });

  it('is of the state and the project it was asked for', async () => {
    const bench = await openBench();
    await withSessions(bench, 1, 2, 3, 4);
    await bench.engine.ingest(aSession([aTurn(1, { at: 2, revisedAt: 2 })], ofProject(OTHER_PROJECT)));
    await bench.engine.discard(['episode-2']);
    const { next } = await bench.engine.episodes(ask({ limit: 2, status: 'ingested' }));
    assert.deepEqual(await idsOf(bench, { cursor: next, status: 'ingested' }), ['episode-1']);
    assert.deepEqual(await idsOf(bench, { cursor: next, status: 'discarded' }), ['episode-2']);
    assert.deepEqual(await idsOf(bench, { cursor: next, project: OTHER_PROJECT }), ['episode-5']);
  });

  it('is refused where the cursor is none, with what to do instead', async () => {
    const bench = await openBench();
    await withSessions(bench, 1);
    for (const cursor of [
      '',
      'x',
      '{}',
      'null',
      '7',
      '[]',
      '[1]',
      '["1",2]',
      '[1,"2"]',
      '[1,2,3]',
      '[null,1]',
    ]) {
      await assert.rejects(bench.engine.episodes(ask({ cursor })), (error) => {
        assert.ok(error instanceof MemoryError && error.reason === 'invalid', cursor);
        assert.match(error.message, /^cursor: .*Leave it out/);
        return true;
      });
    }
  });
});

describe('one episode', () => {
  it('is shown whole, in whatever state', async () => {
    const bench = await openBench();
    const long = { task: 'x'.repeat(900), outcome: 'y'.repeat(1900) };
    await bench.engine.ingest(aSession([aTurn(1, long), aTurn(2)]));
    const whole = {
      entry_id: 'episode-1',
      project: 'Project A',
      directory: '/home/me/project',
      session_id: 'session-1',
      status: 'ingested',
      stored_at: aTurn(2).at,
      task_text: long.task,
      turns: [
        { ...long, at: aTurn(1).at },
        { task: 'task 2', outcome: 'outcome 2', at: aTurn(2).at },
      ],
      kept_as: null,
    };
    assert.deepEqual(await bench.engine.episode('episode-1'), whole);
    await bench.engine.discard(['episode-1']);
    assert.deepEqual(await bench.engine.episode('episode-1'), { ...whole, status: 'discarded' });
    await bench.engine.restore(['episode-1']);
    const { entry_id } = await bench.engine.keep(keeping('episode-1'));
    assert.deepEqual(await bench.engine.episode('episode-1'), {
      ...whole,
      status: 'kept',
      kept_as: entry_id,
    });
  });

  it('has to be one: unknown ids and memories are refused, with where ids come from', async () => {
    const bench = await openBench();
    const memory = await rememberId(bench, 'the task');
    for (const id of ['episode-1', memory, '__proto__', '']) {
      await assert.rejects(bench.engine.episode(id), (error) => {
        assert.ok(error instanceof MemoryError && error.reason === 'not_found', id);
        assert.match(error.message, /Take an entry_id from the list of episodes/);
        return true;
      });
    }
  });
});

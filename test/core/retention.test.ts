import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Retention } from '../../src/core/parts.js';
import { allEpisodes, aSession, aTurn, keeping, listening, ofProject, statusesOf } from './episodeFixture.js';
import { openBench, OTHER_PROJECT, PROJECT, type Bench } from './fixture.js';

const DAY = 24 * 3600;

const withRetention = (retention: Partial<Retention>) =>
  openBench({ engine: { retention: { days: 90, episodes: 2000, ...retention } } });

/** Episodes `episode-1` and so on, of sessions that ended so many days ago. */
async function withSessions(bench: Bench, project: string, ...daysAgo: readonly number[]): Promise<void> {
  for (const days of daysAgo) {
    const at = bench.sources.time - days * DAY;
    const session = { ...ofProject(project), sessionId: bench.sources.newId() };
    await bench.engine.ingest(aSession([aTurn(1, { at, revisedAt: at })], session));
  }
}

/** Numbers of the episodes in this state. */
async function numbersOf(bench: Bench, status: 'ingested' | 'kept' | 'discarded'): Promise<number[]> {
  const episodes = await allEpisodes(bench, status);
  return episodes.map(({ entry_id }) => Number(entry_id.replace('episode-', ''))).sort((a, b) => a - b);
}

describe('episodes nobody looked at', () => {
  it('are discarded when they are older than so many days, and not a moment before', async () => {
    const bench = await withRetention({ days: 30 });
    await withSessions(bench, PROJECT, 40, 31, 30, 1);
    const heard = listening(bench);
    await bench.engine.tidy();
    assert.deepEqual(await numbersOf(bench, 'discarded'), [1, 2]);
    assert.deepEqual(
      heard.flatMap(({ ids }) => ids),
      ['episode-1', 'episode-2'],
    );
    bench.sources.time += 0.001;
    await bench.engine.tidy();
    assert.deepEqual(await numbersOf(bench, 'discarded'), [1, 2, 3]);
    const { by_kind, trash } = await bench.engine.stats(PROJECT);
    assert.deepEqual([by_kind.episode, trash], [1, 3]);
  });

  it('are discarded when a project has more than so many, the oldest first', async () => {
    const bench = await withRetention({ episodes: 2 });
    await withSessions(bench, PROJECT, 3, 5, 4, 1);
    await withSessions(bench, OTHER_PROJECT, 9, 8);
    await withSessions(bench, '', 7);
    await bench.engine.tidy();
    assert.deepEqual(await numbersOf(bench, 'discarded'), [2, 3]);
    assert.deepEqual(await numbersOf(bench, 'ingested'), [1, 4, 5, 6, 7]);
  });

  it('stay where they are few and young enough, and nobody is told anything', async () => {
    const bench = await withRetention({ days: 5, episodes: 3 });
    await withSessions(bench, PROJECT, 4, 3, 2);
    const heard = listening(bench);
    await bench.engine.tidy();
    assert.deepEqual([await numbersOf(bench, 'ingested'), heard], [[1, 2, 3], []]);
  });

  it('are young again when their session goes on', async () => {
    const bench = await withRetention({ days: 30 });
    const { time } = bench.sources;
    const [old, recent] = [time - 40 * DAY, time - DAY];
    await bench.engine.ingest(aSession([aTurn(1, { at: old, revisedAt: old })]));
    await bench.engine.ingest(aSession([aTurn(2, { at: recent, revisedAt: recent })]));
    await bench.engine.tidy();
    assert.deepEqual(await statusesOf(bench), { 'episode-1': 'ingested' });
  });

  it('are discarded a few hundred at a time, the rest when there is time again', async () => {
    const bench = await withRetention({ days: 30 });
    await withSessions(bench, PROJECT, ...Array.from({ length: 250 }, () => 31));
    await bench.engine.tidy();
    const left = await numbersOf(bench, 'ingested');
    assert.ok(left.length > 0 && left.length < 250, `${left.length} are left`);
    assert.equal(left[0], 251 - left.length, 'the first ones go first');
    await bench.engine.tidy();
    assert.deepEqual(await numbersOf(bench, 'ingested'), []);
  });

  it('can be taken back for 30 days, and are gone then', async () => {
    const bench = await withRetention({ days: 1 });
    await withSessions(bench, PROJECT, 2);
    await bench.engine.tidy();
    bench.sources.time += 30 * DAY - 1;
    await bench.engine.tidy();
    assert.deepEqual(await statusesOf(bench), { 'episode-1': 'discarded' });
    bench.sources.time += 1;
    await bench.engine.tidy();
    assert.deepEqual(await statusesOf(bench), {});
  });

  it('are discarded again where they are restored and still too old', async () => {
    const bench = await withRetention({ days: 30 });
    await withSessions(bench, PROJECT, 31);
    await bench.engine.tidy();
    await bench.engine.restore(['episode-1']);
    assert.deepEqual(await statusesOf(bench), { 'episode-1': 'ingested' });
    bench.sources.time += 60;
    await bench.engine.tidy();
    assert.deepEqual(await statusesOf(bench), { 'episode-1': 'discarded' });
    assert.equal((await bench.store.get('episode-1'))?.deletedAt, bench.sources.time);
  });
});

describe('episodes somebody looked at', () => {
  it('stay however old and many they are when they were kept, and take no place from others', async () => {
    const bench = await withRetention({ days: 30, episodes: 2 });
    await withSessions(bench, PROJECT, 400, 3, 2, 1);
    await bench.engine.keep(keeping('episode-1', { task: 'one' }));
    await bench.engine.keep(keeping('episode-4', { task: 'four' }));
    await bench.engine.tidy();
    assert.deepEqual(await numbersOf(bench, 'kept'), [1, 4]);
    assert.deepEqual(await numbersOf(bench, 'ingested'), [2, 3]);
    bench.sources.time += 400 * DAY;
    await bench.engine.tidy();
    assert.deepEqual(await numbersOf(bench, 'kept'), [1, 4]);
    assert.equal((await bench.engine.stats(PROJECT)).by_kind.memory, 2);
  });

  it('take no place from others when they were discarded', async () => {
    const bench = await withRetention({ episodes: 2 });
    await withSessions(bench, PROJECT, 3, 2, 1);
    await bench.engine.discard(['episode-3']);
    await bench.engine.tidy();
    assert.deepEqual(await numbersOf(bench, 'ingested'), [1, 2]);
  });
});

describe('memories', () => {
  it('are no matter of retention, however old and many', async () => {
    const rows = Array.from({ length: 5 }, (_, n) => ({ id: `memory-${n}`, task: `task ${n}`, storedAt: n }));
    const bench = await openBench({ rows, engine: { retention: { days: 1, episodes: 1 } } });
    await bench.engine.tidy();
    const { total_entries, trash } = await bench.engine.stats(PROJECT);
    assert.deepEqual([total_entries, trash], [5, 0]);
  });
});

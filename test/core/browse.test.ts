import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowseRequest } from '../../src/core/browse.js';
import type { Memory } from '../../src/core/memory.js';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId, type Bench } from './fixture.js';

const OWN = { key: PROJECT, name: 'Project A' };

const page = ({ engine }: Bench, given: Partial<BrowseRequest> = {}) =>
  engine.browse({ own: OWN, hidden: false, limit: 100, ...given });
const ids = async (bench: Bench, given: Partial<BrowseRequest> = {}) =>
  (await page(bench, given)).entries.map(({ entry_id }) => entry_id);

const ROWS: readonly Partial<Memory>[] = [
  { id: 'old', storedAt: 10, tags: ['a'], task: 'deploy the shop' },
  { id: 'global', storedAt: 20, project: '', tags: ['a', 'b'] },
  { id: 'other', storedAt: 30, project: OTHER_PROJECT, tags: [] },
  { id: 'expired', storedAt: 40, expiresAt: 50 },
  { id: 'superseded', storedAt: 50, supersededBy: 'old' },
  { id: 'episode', storedAt: 60, kind: 'episode' },
  { id: 'forgotten', storedAt: 70, deletedAt: 80 },
];

describe('the list of memories', () => {
  it('is of all projects, newest first, without episodes, trash and what is hidden', async () => {
    const bench = await openBench({ rows: ROWS });
    assert.deepEqual(await ids(bench), ['other', 'global', 'old']);
    assert.deepEqual(await ids(bench, { hidden: true }), ['superseded', 'expired', 'other', 'global', 'old']);
  });

  it('is narrowed by project, tag, time and words', async () => {
    const bench = await openBench({ rows: ROWS });
    assert.deepEqual(await ids(bench, { project: OTHER_PROJECT }), ['other']);
    assert.deepEqual(await ids(bench, { project: '' }), ['global']);
    assert.deepEqual(await ids(bench, { tag: 'a' }), ['global', 'old']);
    assert.deepEqual(await ids(bench, { tag: null }), ['other']);
    assert.deepEqual(await ids(bench, { from: 20, before: 30 }), ['global']);
    assert.deepEqual(await ids(bench, { filter: 'SHOP a' }), ['old']);
    assert.deepEqual(await ids(bench, { tag: 'a', project: 'nobody' }), []);
  });

  it('says of each what people want to know', async () => {
    const bench = await openBench();
    const first = await rememberId(bench, 'the task', { answer: 'one', source: 'import' });
    const second = await rememberId(bench, 'the task', { answer: 'two', supersedes: first });
    const id = await rememberId(bench, 'the task', { answer: 'three', supersedes: second, tags: ['x'] });
    await bench.engine.recall(asking('the task'));
    await bench.engine.recall(asking('THE task', { project: PROJECT }));
    const now = bench.sources.time;
    const [entry, older] = (await page(bench, { hidden: true })).entries;
    assert.deepEqual(entry, {
      entry_id: id,
      task_text: 'the task',
      tags: ['x'],
      project: OWN,
      source: 'remember',
      stored_at: now,
      expires_at: null,
      expired: false,
      superseded: false,
      hits: 2,
      versions: 1,
    });
    assert.deepEqual(
      [older?.entry_id, older?.superseded, older?.hits, older?.versions],
      [second, true, 0, 1],
    );
  });

  it('shows a long task cut off', async () => {
    const bench = await openBench({ rows: [{ task: 'x'.repeat(1000) }] });
    const [entry] = (await page(bench)).entries;
    assert.equal(entry?.task_text.length, 300);
  });

  it('goes on behind the last entry of the page before, whatever happens meanwhile', async () => {
    const rows = Array.from({ length: 25 }, (_, n) => ({ id: `row-${n}`, storedAt: Math.floor(n / 5) }));
    const bench = await openBench({ rows });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { total, entries, next } = await page(bench, { limit: 4, cursor });
      assert.equal(total, 25 - (seen.length > 0 ? 1 : 0));
      seen.push(...entries.map(({ entry_id }) => entry_id));
      if (cursor === undefined) await bench.engine.forget('row-24', PROJECT);
      cursor = next;
    } while (cursor !== undefined);
    assert.deepEqual(seen, rows.map(({ id }) => id).reverse());
    await assert.rejects(page(bench, { cursor: 'page 2' }), /cursor: .*Leave it out/);
  });
});

describe('the details of an entry', () => {
  it('are there in every state and project', async () => {
    const bench = await openBench({ rows: ROWS });
    const details = (id: string) => bench.engine.details(id, OWN);
    const { deleted_at, scope, project } = await details('forgotten');
    assert.deepEqual({ deleted_at, scope, project }, { deleted_at: 80, scope: 'project', project: OWN });
    assert.equal((await details('superseded')).superseded_by, 'old');
    assert.equal((await details('expired')).expired, true);
    assert.equal((await details('episode')).kind, 'episode');
    const other = await details('other');
    assert.deepEqual(
      [other.scope, other.project.key, other.answer],
      ['other_project', OTHER_PROJECT, 'an answer'],
    );
    assert.deepEqual((await details('old')).history, [
      { entry_id: 'superseded', kind: 'memory', task_text: 'a task', stored_at: 50 },
    ]);
    await assert.rejects(details('unknown'), /No entry unknown.*Take an entry_id/);
  });

  it('have a revision that changes with what a person can edit, and with nothing else', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task');
    const revision = async () => (await bench.engine.details(id, OWN)).revision;
    const before = await revision();
    await bench.engine.recall(asking('the task'));
    bench.sources.time += 5;
    await rememberId(bench, 'the task');
    assert.equal(await revision(), before);
    assert.equal((await bench.engine.details(id, OWN)).hits, 1);
    const seen = new Set([before]);
    const edits = [
      { task: 'x' },
      { answer: 'x' },
      { tags: ['x'] },
      { expiresAt: 9e9 },
      { scope: 'global' as const },
    ];
    for (const edit of edits) {
      await bench.engine.update({ id, project: PROJECT, anyProject: false, ...edit });
      seen.add(await revision());
    }
    assert.equal(seen.size, 6);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OTHER_PROJECT, PROJECT } from '../core/fixture.js';
import { check } from './checked.js';
import { openToolBench } from './fixture.js';

const ROWS = [
  { id: 'mine', tags: ['a'], storedAt: 10 },
  { id: 'bare', storedAt: 20 },
  { id: 'foreign', project: OTHER_PROJECT, storedAt: 30 },
  { id: 'gone', deletedAt: 40 },
];
const OWN = { key: PROJECT, name: 'Project A' };
const idsIn = (listing: Record<string, unknown>) =>
  (listing['entries'] as { entry_id: string }[]).map(({ entry_id }) => entry_id);

describe('the tools of the sidebar', () => {
  it('count what there is, by tag unless by time', async () => {
    const bench = await openToolBench({ rows: ROWS });
    const byTag = await check(bench, 'outline');
    assert.deepEqual([byTag['project'], byTag['total']], [OWN, 3]);
    assert.deepEqual((byTag['projects'] as object[])[0], {
      ...OWN,
      current: true,
      count: 2,
      newest: 20,
      groups: [
        { tag: 'a', count: 1 },
        { tag: null, count: 1 },
      ],
    });
    const byTime = await check(bench, 'outline', {
      group_by: 'time',
      since: [20, 5],
      filter: 'task',
      hidden: true,
    });
    const [{ groups }] = byTime['projects'] as [{ groups: object[] }];
    assert.deepEqual(groups, [
      { from: 20, count: 1 },
      { from: 5, count: 1 },
    ]);
    assert.match(await bench.refuse('outline', { since: [1, 2] }), /since must be newest first/);
    assert.match(await bench.refuse('outline', { filter: 'x'.repeat(1001) }), /filter is longer than 1000/);
  });

  it('list memories: null is what has no tag, nothing is any', async () => {
    const bench = await openToolBench({ rows: ROWS });
    assert.deepEqual(idsIn(await check(bench, 'list')), ['foreign', 'bare', 'mine']);
    assert.deepEqual(idsIn(await check(bench, 'list', { tag: null })), ['foreign', 'bare']);
    assert.deepEqual(idsIn(await check(bench, 'list', { tag: 'a' })), ['mine']);
    assert.deepEqual(idsIn(await check(bench, 'list', { project: PROJECT, from: 15, before: 25 })), ['bare']);
    const first = await check(bench, 'list', { limit: 2 });
    const second = await check(bench, 'list', { limit: 2, cursor: first['next'] });
    assert.deepEqual([idsIn(second), second['next'], second['total']], [['mine'], undefined, 3]);
  });

  it('edit a memory: null ends its end of life, nothing leaves it', async () => {
    const bench = await openToolBench({ rows: [{ id: 'row', expiresAt: 9e9 }] });
    const { revision } = await check(bench, 'get_entry', { entry_id: 'row' });
    const edited = await check(bench, 'update', { entry_id: 'row', answer: 'better', tags: ['x'], revision });
    assert.equal(edited['changed'], true);
    assert.equal((await bench.store.get('row'))?.expiresAt, 9e9);
    await check(bench, 'update', { entry_id: 'row', expires_at: null, scope: 'global' });
    const { expiresAt, project, tags } = (await bench.store.get('row')) ?? assert.fail();
    assert.deepEqual([expiresAt, project, tags], [null, '', ['x']]);
    const conflict = await check(bench, 'update', { entry_id: 'row', answer: 'late', revision });
    assert.deepEqual([conflict['changed'], conflict['conflict']], [false, true]);
    const entry = await check(bench, 'get_entry', { entry_id: 'row' });
    assert.equal(conflict['revision'], entry['revision']);
    const [version] = entry['history'] as [{ entry_id: string }];
    assert.equal(version.entry_id, edited['previous']);
    assert.equal((await check(bench, 'get_entry', { entry_id: version.entry_id }))['superseded_by'], 'row');
    const unchanged = { entry_id: 'row', task: null, answer: null, tags: null, scope: null, revision: null };
    assert.equal((await bench.succeed('update', unchanged))['changed'], false);
    const typed = await check(bench, 'update', { entry_id: 'row', answer: 'typing', keep_version: false });
    assert.deepEqual([typed['changed'], typed['previous']], [true, undefined]);
    assert.match(
      await bench.refuse('update', { entry_id: 'row', task: ' ' }),
      /task must be a non-empty string/,
    );
    assert.match(await bench.refuse('update', { entry_id: version.entry_id, task: 'x' }), /replaced by row/);
  });

  it('forget, show the trash, restore, and empty it', async () => {
    const bench = await openToolBench({ rows: ROWS });
    const entry_ids = ['mine', 'foreign', 'unknown'];
    assert.deepEqual(await check(bench, 'forget_entries', { entry_ids }), { forgotten: ['mine'] });
    const everywhere = await check(bench, 'forget_entries', { entry_ids, any_project: true });
    assert.deepEqual(everywhere, { forgotten: ['foreign'] });
    const trash = await check(bench, 'trash', { limit: 2 });
    assert.deepEqual([trash['total'], idsIn(trash).sort()], [3, ['foreign', 'mine']]);
    const rest = await check(bench, 'trash', { cursor: trash['next'] });
    assert.deepEqual(idsIn(rest), ['gone']);
    await check(bench, 'restore', { entry_ids: ['mine'] });
    assert.deepEqual(await check(bench, 'empty_trash', { dry_run: true }), { entries: 2 });
    assert.deepEqual(await check(bench, 'empty_trash'), { entries: 2 });
    assert.deepEqual(await check(bench, 'trash'), { total: 0, entries: [] });
    assert.deepEqual(idsIn(await check(bench, 'list')), ['bare', 'mine']);
  });

  it('show what drifts until somebody has looked at it', async () => {
    const bench = await openToolBench();
    bench.embedder.axis('the task');
    const { entry_id } = await bench.succeed('remember', { task: 'the task', answer: 'x' });
    for (const [question, similarity] of [
      ['near', 0.95],
      ['far', 0.6],
      ['farther', 0.55],
    ] as const) {
      bench.embedder.place(question, { 'the task': similarity });
      await bench.succeed('recall', { task: question, threshold: 0.5 });
    }
    const { candidates } = await check(bench, 'drift');
    assert.deepEqual(
      (candidates as { entry_id: unknown; questions: unknown[] }[]).map((one) => [
        one.entry_id,
        one.questions.length,
      ]),
      [[entry_id, 3]],
    );
    const marked = await check(bench, 'mark_reviewed', { entry_ids: [entry_id, 'unknown'] });
    assert.deepEqual(marked, { marked: [entry_id] });
    assert.deepEqual(await check(bench, 'drift'), { analyzed_recalls: 3, candidates: [] });
    const all = await check(bench, 'drift', { reviewed: true });
    assert.equal((all['candidates'] as unknown[]).length, 1);
    assert.equal((await bench.succeed('drift_report'))['entries_with_hits'], 1);
  });
});

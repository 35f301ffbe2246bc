import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import { openBench, OTHER_PROJECT, PROJECT, rememberId, type Bench } from './fixture.js';

const page = ({ engine }: Bench, limit: number, cursor?: string) =>
  engine.list({ project: PROJECT, limit, cursor });

const idsOf = ({ entries }: { entries: readonly { entry_id: string }[] }) =>
  entries.map(({ entry_id }) => entry_id);

/** Ids page by page, up to the last one. */
async function allPages(bench: Bench, limit: number, cursor?: string): Promise<string[][]> {
  const found = await page(bench, limit, cursor);
  return [idsOf(found), ...(found.next === undefined ? [] : await allPages(bench, limit, found.next))];
}

const rows = (count: number, given: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ id: `row-${n}`, task: `task ${n}`, storedAt: n, ...given }));

describe('a listing', () => {
  it('shows an entry with everything but its answer', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task', { tags: ['one'], ttlSeconds: 60 });
    assert.deepEqual(await page(bench, 10), {
      total: 1,
      entries: [
        {
          entry_id: id,
          kind: 'memory',
          task_text: 'the task',
          tags: ['one'],
          scope: 'project',
          source: 'remember',
          stored_at: bench.sources.time,
          expires_at: bench.sources.time + 60,
          expired: false,
        },
      ],
    });
  });

  it('shows the first 300 characters of a task', async () => {
    const bench = await openBench();
    await rememberId(bench, 'x'.repeat(1000));
    assert.equal((await page(bench, 1)).entries[0]?.task_text, `${'x'.repeat(299)}…`);
  });

  it('is empty for an empty store', async () => {
    assert.deepEqual(await page(await openBench(), 10), { total: 0, entries: [] });
  });

  it('has what this project sees and is current: global, expired and episode rows too', async () => {
    const bench = await openBench({
      rows: [
        { id: 'mine' },
        { id: 'global', project: '' },
        { id: 'expired', expiresAt: 10 },
        { id: 'episode', kind: 'episode' },
        { id: 'other', project: OTHER_PROJECT },
        { id: 'replaced', supersededBy: 'mine' },
        { id: 'forgotten' },
      ],
    });
    await bench.engine.forget('forgotten', PROJECT);
    const { total, entries } = await page(bench, 10);
    assert.equal(total, 4);
    assert.deepEqual(
      entries.map(({ entry_id, kind, scope, expired }) => [entry_id, kind, scope, expired]),
      [
        ['episode', 'episode', 'project', false],
        ['expired', 'memory', 'project', true],
        ['global', 'memory', 'global', false],
        ['mine', 'memory', 'project', false],
      ],
    );
  });

  it('is sorted by time, newest first, and by the order of storing where that is the same', async () => {
    const times = [5, 9, 5, 7, 9, 5];
    const bench = await openBench({ rows: times.map((storedAt, n) => ({ id: `row-${n}`, storedAt })) });
    const expected = ['row-4', 'row-1', 'row-3', 'row-5', 'row-2', 'row-0'];
    assert.deepEqual(idsOf(await page(bench, 6)), expected);
    for (let limit = 1; limit <= 7; limit += 1) {
      const pages = await allPages(bench, limit);
      assert.deepEqual(pages.flat(), expected, `pages of ${limit}`);
      assert.equal(pages.length, Math.ceil(6 / limit), `pages of ${limit}`);
    }
  });

  it('counts all of it on every page', async () => {
    const bench = await openBench({ rows: rows(5) });
    const first = await page(bench, 3);
    const second = await page(bench, 3, first.next);
    assert.deepEqual([first.total, second.total, second.next], [5, 5, undefined]);
  });
});

describe('the next page of a listing', () => {
  it('neither repeats nor leaves out anything when rows were added and forgotten meanwhile', async () => {
    for (const storedAt of [undefined, 100]) {
      const given = storedAt === undefined ? {} : { storedAt };
      const bench = await openBench({ rows: rows(10, given) });
      const first = await page(bench, 4);
      assert.deepEqual(idsOf(first), ['row-9', 'row-8', 'row-7', 'row-6']);
      for (const id of ['row-8', 'row-6', 'row-4']) await bench.engine.forget(id, PROJECT);
      await rememberId(bench, 'added');
      const pages = await allPages(bench, 4, first.next);
      assert.deepEqual(pages.flat(), ['row-5', 'row-3', 'row-2', 'row-1', 'row-0']);
    }
  });

  it('goes on after a restart, although rows before it are gone', async () => {
    const bench = await openBench({ rows: rows(10, { storedAt: 100 }) });
    const first = await page(bench, 4);
    await bench.engine.forget('row-0', PROJECT);
    await bench.engine.forget('row-3', PROJECT);
    const pages = await allPages(await bench.reopen(), 10, first.next);
    assert.deepEqual(pages.flat(), ['row-5', 'row-4', 'row-2', 'row-1']);
  });

  it('leaves out what is forgotten while the page is read', async () => {
    const bench = await openBench({ rows: rows(3) });
    const get = bench.store.get.bind(bench.store);
    bench.store.get = async (id) => {
      if (id === 'row-2') await bench.store.trash('row-1', 5);
      return get(id);
    };
    assert.deepEqual(idsOf(await page(bench, 3)), ['row-2', 'row-0']);
  });

  it('needs a cursor that a listing gave', async () => {
    const bench = await openBench({ rows: rows(3) });
    for (const cursor of [
      '',
      'x',
      'null',
      '{}',
      '[]',
      '[1,2]',
      '["1",2,"a"]',
      '[1,null,"a"]',
      '[1,2,"a",4]',
    ]) {
      await assert.rejects(
        page(bench, 1, cursor),
        (error) =>
          error instanceof MemoryError && error.reason === 'invalid' && /Leave it out/.test(error.message),
        cursor,
      );
    }
  });
});

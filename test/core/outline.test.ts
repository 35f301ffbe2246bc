import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OutlineRequest } from '../../src/core/outline.js';
import { openBench, OTHER_PROJECT, PROJECT, type Bench } from './fixture.js';

const OWN = { key: PROJECT, name: 'Project A' };

const outlined = ({ engine }: Bench, given: Partial<OutlineRequest> = {}) =>
  engine.outline({ project: OWN, groupBy: 'tag', since: [], hidden: false, ...given });
/** Of the asker's project. */
const groups = async (bench: Bench, given: Partial<OutlineRequest> = {}) =>
  (await outlined(bench, given)).projects[0]?.groups;

describe('an outline by tag', () => {
  it("counts every project: the asker's first, then what is global, then by newest memory", async () => {
    const bench = await openBench({
      rows: [
        { project: 'path:/srv/old', storedAt: 1 },
        { project: 'path:/srv/new', storedAt: 3, tags: ['x'] },
        { project: 'path:/srv/new', storedAt: 2 },
        { project: '', storedAt: 0.5 },
      ],
    });
    assert.deepEqual(await outlined(bench), {
      project: OWN,
      projects: [
        { ...OWN, current: true, count: 0, newest: null, groups: [] },
        { key: '', name: 'global', current: false, count: 1, newest: 0.5, groups: [{ tag: null, count: 1 }] },
        {
          key: 'path:/srv/new',
          name: 'new',
          current: false,
          count: 2,
          newest: 3,
          groups: [
            { tag: 'x', count: 1 },
            { tag: null, count: 1 },
          ],
        },
        {
          key: 'path:/srv/old',
          name: 'old',
          current: false,
          count: 1,
          newest: 1,
          groups: [{ tag: null, count: 1 }],
        },
      ],
      total: 4,
    });
  });

  it('names what is global once where that is where the asker is', async () => {
    const bench = await openBench({ rows: [{ project: '' }] });
    const { projects } = await outlined(bench, { project: { key: '', name: 'global' } });
    assert.deepEqual(
      projects.map(({ key, current }) => [key, current]),
      [['', true]],
    );
  });

  it('has the most used tags first, of equal ones by the alphabet, and what has none last', async () => {
    const bench = await openBench({
      rows: [
        { tags: [] },
        { tags: [] },
        { tags: [] },
        { tags: ['b', 'often', 'B'] },
        { tags: ['often', 'often', 'a'] },
      ],
    });
    assert.deepEqual(await groups(bench), [
      { tag: 'often', count: 2 },
      { tag: 'a', count: 1 },
      { tag: 'B', count: 1 },
      { tag: 'b', count: 1 },
      { tag: null, count: 3 },
    ]);
  });

  it('names the 300 most used tags of a project and counts the others', async () => {
    const tags = Array.from({ length: 340 }, (_, n) => `tag-${String(n).padStart(3, '0')}`);
    const bench = await openBench({
      rows: [...tags.reverse().map((tag) => ({ tags: [tag] })), { tags: ['tag-339'] }, { tags: [] }],
    });
    const [project] = (await outlined(bench)).projects;
    assert.equal(project?.more_tags, 40);
    const expected = ['tag-339', ...tags.reverse().slice(0, 299), null];
    assert.deepEqual(
      project.groups.map((group) => ('tag' in group ? group.tag : group)),
      expected,
    );
  });

  it('counts neither episodes nor what was forgotten, and what is hidden only where that is wanted', async () => {
    const bench = await openBench({
      rows: [
        { tags: ['current'] },
        { tags: ['expired'], expiresAt: 1_700_000_000.5 },
        { tags: ['superseded'], supersededBy: 'another' },
        { tags: ['forgotten'], deletedAt: 5 },
        { tags: ['episode'], kind: 'episode' },
      ],
    });
    assert.deepEqual(await groups(bench), [{ tag: 'current', count: 1 }]);
    const all = await outlined(bench, { hidden: true });
    assert.deepEqual(all.projects[0]?.groups, [
      { tag: 'current', count: 1 },
      { tag: 'expired', count: 1 },
      { tag: 'superseded', count: 1 },
    ]);
    assert.equal(all.total, 3);
  });
});

describe('an outline that is filtered', () => {
  it('counts where every word is part of the task or of a tag, whatever case and form', async () => {
    const bench = await openBench({
      rows: [
        { task: 'Deploy  the SHOP', tags: ['Ops'] },
        { task: 'deploy', tags: ['workshop', 'ops'] },
        { task: 'deploy the shop' },
        { task: 'ｄｅｐｌｏｙ STRASSE', tags: ['shopping', 'OPS'], project: OTHER_PROJECT },
      ],
    });
    const total = async (filter: string) => (await outlined(bench, { filter })).total;
    assert.equal(await total(' shop\n DEPLOY\tops '), 3);
    assert.equal(await total('deploy straße'), 1);
    assert.equal(await total('ops shop x'), 0);
    assert.equal(await total('op s'), 4, 'each word for itself');
    assert.equal(await total(' \t '), 4);
  });
});

describe('an outline by time', () => {
  const rows = [5, 10, 19.5, 20, 1e9].map((storedAt) => ({ storedAt }));

  it('has groups from their starts on, newest first, older memories at the end, none of them empty', async () => {
    const bench = await openBench({ rows });
    assert.deepEqual(await groups(bench, { groupBy: 'time', since: [2e9, 20, 15, 12, 10] }), [
      { from: 20, count: 2 },
      { from: 15, count: 1 },
      { from: 10, count: 1 },
      { from: null, count: 1 },
    ]);
    assert.deepEqual(await groups(bench, { groupBy: 'time' }), [{ from: null, count: 5 }]);
  });
});

describe('a large outline', () => {
  it('lets others have turns, and counts nothing twice that is edited meanwhile', async () => {
    const bench = await openBench({
      rows: Array.from({ length: 3500 }, (_, n) => ({ id: `row-${n}`, vector: false })),
    });
    let turns = 0;
    const { turn } = bench.sources;
    Object.assign(bench.sources, {
      turn: async () => {
        turns += 1;
        if (turns === 1) {
          const index = bench.engine.update({
            id: 'row-0',
            task: 'other',
            project: PROJECT,
            anyProject: false,
          });
          await Promise.race([index, turn()]);
        }
        await turn();
      },
    });
    assert.equal((await outlined(bench)).total, 3500);
    assert.ok(turns >= 3, `${turns} turns`);
  });
});

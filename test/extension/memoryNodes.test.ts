import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ListedMemory, OutlinedProject, ProjectRef } from '../../src/extension/results.js';
import {
  nodeId,
  belowProject,
  projectNodes,
  type GroupNode,
  type MemoryNode,
  type Node,
  type ProjectNode,
} from '../../src/extension/views/memoryNodes.js';

const PROJECT: ProjectRef = { key: 'path:/srv/shop', name: 'shop' };

function project(key: string, change: Partial<ProjectNode['project']> = {}): ProjectNode {
  return {
    kind: 'project',
    project: { key, name: 'shop', current: true, count: 1, groups: [], ...change },
    groups: [],
    unfolded: false,
  };
}

function tagGroup(tag: string | null, of: ProjectRef = PROJECT, change: Partial<GroupNode> = {}): GroupNode {
  return {
    kind: 'group',
    project: of,
    group: { tag, count: 1 },
    index: 0,
    before: null,
    unfolded: false,
    ...change,
  };
}

function timeGroup(index: number, from: number | null, count = 1): GroupNode {
  return {
    kind: 'group',
    project: PROJECT,
    group: { from, count },
    index,
    before: null,
    unfolded: index === 0,
  };
}

function memory(parent: GroupNode, entry_id: string, change: Partial<ListedMemory> = {}): MemoryNode {
  const listed: ListedMemory = {
    entry_id,
    task_text: 'Release',
    tags: [],
    project: PROJECT,
    source: 'remember',
    stored_at: 0,
    expires_at: null,
    expired: false,
    superseded: false,
    hits: 0,
    versions: 0,
    ...change,
  };
  return { kind: 'memory', memory: listed, parent };
}

function version(current: MemoryNode, entry_id: string): Node {
  const one = { entry_id, kind: 'memory', task_text: 'Release', stored_at: 0 } as const;
  return { kind: 'version', version: one, current: current.memory, parent: current };
}

function more(parent: GroupNode, left: number): Node {
  return { kind: 'more', parent, left };
}

describe('the id of a row', () => {
  it('is the same after a refresh that brought other words, numbers and times', () => {
    const same: readonly (readonly [Node, Node])[] = [
      [project('a'), project('a', { name: 'other', current: false, count: 7 })],
      [tagGroup('npm'), tagGroup('npm', { ...PROJECT, name: 'other' }, { index: 5, unfolded: true })],
      [timeGroup(1, 1_000_000), timeGroup(1, 1_086_400, 9)],
      [
        memory(timeGroup(0, 5), '1'),
        memory(timeGroup(0, 6), '1', { task_text: 'Other', hits: 3, expired: true }),
      ],
      [version(memory(timeGroup(0, 5), '1'), '2'), version(memory(timeGroup(0, 6), '1', { hits: 9 }), '2')],
      [more(tagGroup('npm'), 5), more(tagGroup('npm'), 900)],
    ];
    for (const [before, after] of same) assert.equal(nodeId(after), nodeId(before));
  });

  it('is another one for each row that is shown together', () => {
    const rows: Node[] = [
      ...['', 'a', 'a b', 'problem', 'path:/a'].map((key) => project(key)),
      ...[
        null,
        '',
        '0',
        '1',
        'null',
        'a',
        'a b',
        ' a',
        'A',
        '"a"',
        "a'",
        '],["a',
        'a"] 1',
        '日本',
        '\n',
        '\\',
      ].map((tag) => tagGroup(tag)),
      ...[0, 1, 2, 3, 4].map((index) => timeGroup(index, index === 4 ? null : 100 - index)),
      tagGroup('a', { key: '', name: 'shop' }),
      tagGroup('a', { key: 'namespace:shop', name: 'shop' }),
    ];
    const groups = rows.filter((row) => row.kind === 'group');
    const below = groups.flatMap((group): Node[] => [
      memory(group, '1'),
      memory(group, '2'),
      version(memory(group, '1'), '9'),
      more(group, 1),
    ]);
    const versions = [version(memory(timeGroup(0, 1), '1'), '3'), version(memory(timeGroup(0, 1), '1'), '4')];
    const all = [...rows, ...below, ...versions, { kind: 'problem' as const, message: 'x' }];
    assert.equal(new Set(all.map(nodeId)).size, all.length);
  });

  it('tells any two tags of any two projects apart, and their memories', () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc
        .array(fc.constantFrom('"', '[', ']', ',', ' ', '\\', 'a', '1', 'more'), { maxLength: 6 })
        .map((c) => c.join('')),
    );
    const place = fc.tuple(odd, fc.option(odd), odd);
    const rows = ([key, tag, id]: readonly [string, string | null, string]) => {
      const group = tagGroup(tag, { key, name: key });
      return [group, memory(group, id), more(group, 1), project(key)].map(nodeId);
    };
    fc.assert(
      fc.property(place, place, (one, other) => {
        const [group, row, rest, top] = rows(one);
        const [otherGroup, otherRow, otherRest, otherTop] = rows(other);
        const isSameGroup = one[0] === other[0] && one[1] === other[1];
        assert.equal(group === otherGroup, isSameGroup);
        assert.equal(rest === otherRest, isSameGroup);
        assert.equal(row === otherRow, isSameGroup && one[2] === other[2]);
        assert.equal(top === otherTop, one[0] === other[0]);
        assert.equal(new Set([group, row, rest, top]).size, 4);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('what is unfolded', () => {
  const outlined = (key: string, counts: readonly number[], current = false): OutlinedProject => ({
    key,
    name: key,
    current,
    count: counts.reduce((sum, count) => sum + count, 0),
    groups: counts.map((count, index) => ({ tag: `tag ${index}`, count })),
  });
  /** Of each project: whether it is unfolded, and how many of its groups are, from the top. */
  const unfolded = (projects: readonly OutlinedProject[], filtered: boolean) =>
    projectNodes(projects, [], filtered).map(({ groups, ...project }) => {
      const open = groups.filter((group) => group.unfolded);
      assert.deepEqual(open, groups.slice(0, open.length));
      return [project.project.key, project.unfolded, open.length];
    });
  const ones = (count: number) => Array.from({ length: count }, () => 1);

  it('is the first group of the current project', () => {
    const projects = [outlined('mine', [3, 2], true), outlined('', [1]), outlined('other', [9, 9])];
    assert.deepEqual(unfolded(projects, false), [
      ['mine', true, 1],
      ['', false, 0],
      ['other', false, 0],
    ]);
  });

  it('is everything that a filter found in few groups, in whichever project', () => {
    const projects = [outlined('mine', [3, 2], true), outlined('other', [9, 9, 9])];
    assert.deepEqual(unfolded(projects, true), [
      ['mine', true, 2],
      ['other', true, 3],
    ]);
  });

  it('is not all that a filter found in many groups: each one is a question to the server', () => {
    const projects = [outlined('mine', ones(15), true), outlined('a', ones(300)), outlined('b', ones(2))];
    assert.deepEqual(unfolded(projects, true), [
      ['mine', true, 15],
      ['a', true, 5],
      ['b', false, 0],
    ]);
  });

  it('is never a project in which a filter found nothing: that is not shown', () => {
    assert.deepEqual(unfolded([outlined('mine', [], true), outlined('a', [1])], true), [['a', true, 1]]);
  });
});

describe('a group of time', () => {
  it('begins where the editor said and ends where the one before it begins', () => {
    const [node] = projectNodes(
      [
        {
          ...PROJECT,
          current: true,
          count: 6,
          groups: [
            { from: 300, count: 1 },
            { from: 100, count: 2 },
            { from: null, count: 3 },
          ],
        },
      ],
      [300, 200, 100],
      false,
    );
    assert.deepEqual(
      node?.groups.map(({ index, before }) => [index, before]),
      [
        [0, null],
        [2, 200],
        [3, 100],
      ],
    );
  });
});

describe('below a project', () => {
  it('are its groups, and a row for the tags that have none', () => {
    const some = { ...project('shop'), groups: [tagGroup('ci')] };
    assert.deepEqual(belowProject(some), some.groups);
    const many = { ...some, project: { ...some.project, more_tags: 40 } };
    assert.deepEqual(belowProject(many), [
      ...some.groups,
      { kind: 'moreTags', project: many.project, left: 40 },
    ]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ListedMemory, ProjectRef } from '../../src/extension/results.js';
import {
  nodeId,
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
    starts: [],
  };
}

function tagGroup(tag: string | null, of: ProjectRef = PROJECT, change: Partial<GroupNode> = {}): GroupNode {
  return {
    kind: 'group',
    project: of,
    group: { tag, count: 1 },
    index: 0,
    before: null,
    first: false,
    ...change,
  };
}

function timeGroup(index: number, from: number | null, count = 1): GroupNode {
  return { kind: 'group', project: PROJECT, group: { from, count }, index, before: null, first: index === 0 };
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
      [tagGroup('npm'), tagGroup('npm', { ...PROJECT, name: 'other' }, { index: 5, first: true })],
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

import type { Group, ListedMemory, OutlinedProject, ProjectRef, Version } from '../results.js';
import type { ProblemNode } from './problem.js';

export interface ProjectNode {
  readonly kind: 'project';
  readonly project: OutlinedProject;
  readonly groups: readonly GroupNode[];
  /** Shown so until the user folds it. */
  readonly unfolded: boolean;
}

/** Memories of one project with the same tag or of the same time. */
export interface GroupNode {
  readonly kind: 'group';
  readonly project: ProjectRef;
  readonly group: Group;
  /** Position among its siblings, for the name of a time. */
  readonly index: number;
  /** End of the group, in epoch seconds; null: up to now. */
  readonly before: number | null;
  /** Shown so until the user folds it. */
  readonly unfolded: boolean;
}

export interface MemoryNode {
  readonly kind: 'memory';
  readonly memory: ListedMemory;
  readonly parent: GroupNode;
}

/** What a memory replaced. */
export interface VersionNode {
  readonly kind: 'version';
  readonly version: Version;
  readonly current: ListedMemory;
  readonly parent: MemoryNode;
}

/** Stands for the rows of a group that are not shown yet. */
export interface MoreNode {
  readonly kind: 'more';
  readonly parent: GroupNode;
  readonly left: number;
}

/** Stands for the tags of a project that have no group: a filter finds what has them. */
export interface MoreTagsNode {
  readonly kind: 'moreTags';
  readonly project: ProjectRef;
  readonly left: number;
}

export type Node = ProjectNode | GroupNode | MemoryNode | VersionNode | MoreNode | MoreTagsNode | ProblemNode;

/** Groups that are unfolded where there is a filter: each of them asks the server for its rows. */
const UNFOLDED = 20;

/**
 * The projects with their groups. Unfolded is the current one with its first group or, where there is a filter, what it
 * found, from the top.
 * @param starts of the groups of time, newest first, in epoch seconds
 */
export function projectNodes(
  projects: readonly OutlinedProject[],
  starts: readonly number[],
  filtered: boolean,
): ProjectNode[] {
  let above = 0;
  return projects
    .filter(({ count }) => count > 0)
    .map((project) => {
      const most = filtered ? UNFOLDED - above : project.current ? 1 : 0;
      above += project.groups.length;
      const groups = project.groups.map((group, at): GroupNode => {
        const index = group.from == null ? starts.length : starts.indexOf(group.from);
        const before = group.from === undefined ? null : (starts[index - 1] ?? null);
        return { kind: 'group', project, group, index, before, unfolded: at < most };
      });
      return { kind: 'project', project, groups, unfolded: most > 0 };
    });
}

/** What stands below a project. */
export function belowProject({ project, groups }: ProjectNode): (GroupNode | MoreTagsNode)[] {
  const { more_tags: left = 0 } = project;
  return left === 0 ? [...groups] : [...groups, { kind: 'moreTags', project, left }];
}

/** The same for the same row after a refresh, so that it stays expanded and selected. */
export function nodeId(node: Node): string {
  switch (node.kind) {
    case 'project':
      return `project ${node.project.key}`;
    case 'group':
      return groupId(node);
    case 'memory':
      return `${groupId(node.parent)} ${node.memory.entry_id}`;
    case 'version':
      // Of each place where its memory stands.
      return `version ${nodeId(node.parent)} ${node.version.entry_id}`;
    case 'more':
      return `more ${groupId(node.parent)}`;
    case 'moreTags':
      return `tags ${node.project.key}`;
    case 'problem':
      return 'problem';
  }
}

export function groupId({ project, group, index }: GroupNode): string {
  // The start of a day moves on; its place in the list does not.
  const which = group.tag === undefined ? index : group.tag;
  return JSON.stringify([project.key, which]);
}

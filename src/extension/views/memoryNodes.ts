import type { Group, ListedMemory, OutlinedProject, ProjectRef, Version } from '../results.js';
import type { ProblemNode } from './problem.js';

export interface ProjectNode {
  readonly kind: 'project';
  readonly project: OutlinedProject;
  /** Of the groups of time, newest first, in epoch seconds. */
  readonly starts: readonly number[];
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
  /** The first one of the current project, which is shown unfolded. */
  readonly first: boolean;
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

export type Node = ProjectNode | GroupNode | MemoryNode | VersionNode | MoreNode | ProblemNode;

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
    case 'problem':
      return 'problem';
  }
}

export function groupId({ project, group, index }: GroupNode): string {
  // The start of a day moves on; its place in the list does not.
  const which = group.tag === undefined ? index : group.tag;
  return JSON.stringify([project.key, which]);
}

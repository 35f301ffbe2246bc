import { GLOBAL_PROJECT } from './memory.js';
import type { Row } from './memoryIndex.js';
import type { Parts } from './parts.js';
import { namedProject, type NamedProject } from './projectName.js';
import { browsedBy, eachRow, type Browsed } from './rowWalk.js';
import { foldIdentity } from './text.js';

export interface OutlineRequest extends Browsed {
  /** The asker's. */
  readonly project: NamedProject;
  readonly groupBy: 'tag' | 'time';
  /** Starts of the groups by time in epoch seconds, newest first; what is older is a group of its own. */
  readonly since: readonly number[];
}

export type OutlineGroup =
  | { readonly tag: string | null; readonly count: number }
  | { readonly from: number | null; readonly count: number };

export interface OutlinedProject extends NamedProject {
  readonly current: boolean;
  readonly count: number;
  /** Epoch seconds; null where there is none. */
  readonly newest: number | null;
  /** By tag: most used first, what has no tag last. By time: newest first. None is empty. */
  readonly groups: readonly OutlineGroup[];
  /** Tags beyond the {@link MOST_TAGS} most used ones, where there are any. */
  readonly more_tags?: number;
}

export interface Outline {
  readonly project: NamedProject;
  /** The asker's own first, then what is global, then by newest memory. */
  readonly projects: readonly OutlinedProject[];
  readonly total: number;
}

/** Tags of a project that are named. */
const MOST_TAGS = 300;

interface Tally {
  count: number;
  newest: number | null;
  /** By tag, or by place in `since`; null for what has none. */
  readonly groups: Map<string | number | null, number>;
}

/** How many memories there are in each project, and in which groups. */
export async function outline(parts: Parts, request: OutlineRequest): Promise<Outline> {
  const accept = browsedBy(request, parts.sources.now());
  const groupsOf = request.groupBy === 'tag' ? tagsOf : (row: Row) => [timeGroup(row, request.since)];
  const tallies = new Map([[request.project.key, emptyTally()]]);
  let total = 0;
  await eachRow(parts, (row) => {
    if (!accept(row)) return;
    total += 1;
    const tally = tallies.get(row.project) ?? emptyTally();
    tallies.set(row.project, tally);
    tally.count += 1;
    tally.newest = Math.max(tally.newest ?? row.storedAt, row.storedAt);
    for (const group of groupsOf(row)) tally.groups.set(group, (tally.groups.get(group) ?? 0) + 1);
  });
  const projects: OutlinedProject[] = [];
  for (const [key, { count, newest, groups }] of inOrder(tallies, request.project.key)) {
    const current = key === request.project.key;
    const grouped = request.groupBy === 'tag' ? byTag(groups) : byTime(groups, request.since);
    projects.push({ ...namedProject(key, request.project), current, count, newest, ...grouped });
    await parts.sources.turn();
  }
  return { project: request.project, projects, total };
}

function emptyTally(): Tally {
  return { count: 0, newest: null, groups: new Map() };
}

function tagsOf({ tags }: Row): readonly (string | null)[] {
  return tags.length === 0 ? [null] : [...new Set(tags)];
}

function timeGroup({ storedAt }: Row, since: readonly number[]): number | null {
  const group = since.findIndex((from) => storedAt >= from);
  return group === -1 ? null : group;
}

function inOrder(tallies: ReadonlyMap<string, Tally>, own: string): [string, Tally][] {
  const rank = (key: string) => (key === own ? 0 : key === GLOBAL_PROJECT ? 1 : 2);
  return [...tallies].sort(
    ([a, { newest: newestOfA }], [b, { newest: newestOfB }]) =>
      rank(a) - rank(b) || (newestOfB ?? 0) - (newestOfA ?? 0) || (a < b ? -1 : 1),
  );
}

function byTag(groups: Tally['groups']): Pick<OutlinedProject, 'groups' | 'more_tags'> {
  const tags: { tag: string; count: number }[] = [];
  for (const [tag, count] of groups) if (typeof tag === 'string') tags.push({ tag, count });
  const most = mostUsed(tags);
  const untagged = groups.get(null);
  return {
    groups: untagged === undefined ? most : [...most, { tag: null, count: untagged }],
    ...(tags.length > most.length ? { more_tags: tags.length - most.length } : {}),
  };
}

/** Sorted while they are chosen: to sort a hundred thousand tags would hold up everybody. */
function mostUsed(tags: readonly { readonly tag: string; readonly count: number }[]): OutlineGroup[] {
  const best: { tag: string; count: number; fold: string }[] = [];
  for (const { tag, count } of tags) {
    const last = best.at(-1);
    if (best.length === MOST_TAGS && last && count < last.count) continue;
    const one = { tag, count, fold: foldIdentity(tag) };
    if (best.length === MOST_TAGS && last && precedes(last, one)) continue;
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = best[middle];
      if (other && precedes(other, one)) low = middle + 1;
      else high = middle;
    }
    best.splice(low, 0, one);
    if (best.length > MOST_TAGS) best.pop();
  }
  return best.map(({ tag, count }) => ({ tag, count }));
}

interface UsedTag {
  readonly tag: string;
  readonly count: number;
  readonly fold: string;
}

function precedes(a: UsedTag, b: UsedTag): boolean {
  if (a.count !== b.count) return a.count > b.count;
  return a.fold === b.fold ? a.tag < b.tag : a.fold < b.fold;
}

function byTime(groups: Tally['groups'], since: readonly number[]): Pick<OutlinedProject, 'groups'> {
  const places = [...since.keys(), null];
  return {
    groups: places.flatMap((place) => {
      const count = groups.get(place);
      return count === undefined ? [] : [{ from: place === null ? null : (since[place] ?? null), count }];
    }),
  };
}

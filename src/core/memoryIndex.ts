import type { Accept, Ranked } from '../search/ranked.js';
import { VectorMatrix } from '../search/vectorMatrix.js';
import { WordIndex } from '../search/wordIndex.js';
import { GLOBAL_PROJECT, isExpired, type Memory, type MemoryKind } from './memory.js';
import { hasOneOf } from './tags.js';
import { foldIdentity } from './text.js';

/** What the filters need of a row; texts stay in the store. */
export interface Row {
  readonly slot: number;
  /** The task, folded: equal for what counts as the identical question. */
  readonly text: string;
  readonly id: string;
  readonly kind: MemoryKind;
  readonly project: string;
  readonly tags: readonly string[];
  readonly storedAt: number;
  readonly expiresAt: number | null;
  readonly superseded: boolean;
}

export interface Filter {
  /** Project keys to look in, the asker's own first; null looks everywhere. */
  readonly projects: readonly string[] | null;
  readonly kind?: MemoryKind | undefined;
  /** At least one of these; empty filters nothing. */
  readonly tags?: readonly string[] | undefined;
  /** Rows expired at this time are refused; absent accepts them. */
  readonly now?: number | undefined;
  readonly except?: string | undefined;
}

/** The current project and the memories everybody shares. */
export function visibleTo(project: string): readonly string[] {
  return project === GLOBAL_PROJECT ? [GLOBAL_PROJECT] : [project, GLOBAL_PROJECT];
}

/**
 * Whether a row is seen from these projects, the asker's own first; null is everywhere. Sessions in the home folder,
 * which is no project, are nobody else's business.
 */
export function isSeenFrom(
  projects: readonly string[] | null,
  { kind, project }: Pick<Row, 'kind' | 'project'>,
): boolean {
  if (projects === null) return true;
  return kind === 'episode' ? project === projects[0] : projects.includes(project);
}

/** The searchable picture of the live rows: vectors, words and identical texts, in memory. */
export class MemoryIndex {
  private readonly rows = new Map<number, Row>();
  private readonly slots = new Map<string, number>();
  private readonly same = new Map<string, number[]>();
  private readonly vectors: VectorMatrix;
  /** Slots without a vector, in order of storing. */
  private readonly bare = new Set<number>();
  private readonly words = new WordIndex();
  private nextSlot = 0;

  /** @param dimension components of a vector; 0 where there is no model, so that none will come. */
  constructor(private readonly dimension: number) {
    this.vectors = new VectorMatrix(Math.max(1, dimension));
  }

  row(id: string): Row | undefined {
    const slot = this.slots.get(id);
    return slot === undefined ? undefined : this.rows.get(slot);
  }

  at(slot: number): Row | undefined {
    return this.rows.get(slot);
  }

  values(): IterableIterator<Row> {
    return this.rows.values();
  }

  add(memory: Memory, vector: Float32Array | null): void {
    const slot = this.nextSlot;
    this.nextSlot += 1;
    const { id } = memory;
    const key = foldIdentity(memory.task);
    this.rows.set(slot, rowOf(slot, key, memory));
    this.slots.set(id, slot);
    const twins = this.same.get(key);
    if (twins) twins.push(slot);
    else this.same.set(key, [slot]);
    this.words.add(slot, indexedText(memory));
    this.setVectorAt(slot, vector);
  }

  /** @param memory the row as it was added: its text finds the words to take out. */
  remove(memory: Memory): void {
    const slot = this.slots.get(memory.id);
    if (slot === undefined) return;
    this.rows.delete(slot);
    this.slots.delete(memory.id);
    const key = foldIdentity(memory.task);
    const twins = (this.same.get(key) ?? []).filter((twin) => twin !== slot);
    if (twins.length > 0) this.same.set(key, twins);
    else this.same.delete(key);
    this.words.remove(slot, indexedText(memory));
    this.vectors.delete(slot);
    this.bare.delete(slot);
  }

  /** Takes over a row with other text. Where the task changed, its vector has to be found anew. */
  replace(old: Memory, memory: Memory): void {
    const row = this.row(old.id);
    if (!row) return;
    if (old.task !== memory.task) {
      this.remove(old);
      this.add(memory, null);
      return;
    }
    this.words.remove(row.slot, indexedText(old));
    this.words.add(row.slot, indexedText(memory));
    this.refresh(memory);
  }

  /** A copy; null where the row has none yet. */
  vectorOf(id: string): Float32Array | null {
    const slot = this.slots.get(id);
    return slot === undefined ? null : (this.vectors.get(slot) ?? null);
  }

  setVector(id: string, vector: Float32Array): void {
    const slot = this.slots.get(id);
    if (slot !== undefined) this.setVectorAt(slot, vector);
  }

  /** Current rows of these projects (null: of all), whatever their kind or expiry. */
  count(projects: readonly string[] | null): number {
    let count = 0;
    for (const row of this.rows.values()) {
      if (!row.superseded && isSeenFrom(projects, row)) count += 1;
    }
    return count;
  }

  /** Takes over what may change without a change of text. */
  refresh(memory: Memory): void {
    const row = this.row(memory.id);
    if (!row) return;
    this.rows.set(row.slot, rowOf(row.slot, row.text, memory));
  }

  /** Ids of rows that no vector stands for yet, oldest first. */
  withoutVector(limit: number, except: (id: string) => boolean): string[] {
    const ids: string[] = [];
    for (const slot of this.bare) {
      if (ids.length >= limit) break;
      const row = this.rows.get(slot);
      if (row && !except(row.id)) ids.push(row.id);
    }
    return ids;
  }

  get pending(): number {
    return this.bare.size;
  }

  accept(filter: Filter): Accept {
    const { projects, kind, tags, now, except } = filter;
    const isTagged = tags === undefined || tags.length === 0 ? null : hasOneOf(tags);
    return (slot) => {
      const row = this.rows.get(slot);
      return (
        row !== undefined &&
        !row.superseded &&
        isSeenFrom(projects, row) &&
        (kind === undefined || row.kind === kind) &&
        (now === undefined || !isExpired(row, now)) &&
        (isTagged === null || isTagged(row.tags)) &&
        row.id !== except
      );
    };
  }

  /** Rows whose task is the same text (NFKC, case and white space folded), newest first. */
  identical(task: string, filter: Filter): Row[] {
    const accept = this.accept(filter);
    return (this.same.get(foldIdentity(task)) ?? [])
      .filter(accept)
      .flatMap((slot) => this.rows.get(slot) ?? [])
      .sort((a, b) => b.storedAt - a.storedAt || b.slot - a.slot);
  }

  nearest(vector: Float32Array, limit: number, filter: Filter): Ranked[] {
    return this.vectors.nearest(vector, limit, this.accept(filter));
  }

  /** Of the row at `slot` to a unit vector; undefined where it has none yet. */
  cosine(slot: number, vector: Float32Array): number | undefined {
    return this.vectors.similarity(slot, vector);
  }

  byWords(query: string, limit: number, filter: Filter): Ranked[] {
    return this.words.search(query, limit, this.accept(filter));
  }

  /** A vector of another length is of a model that is not in use, and counts as none. */
  private setVectorAt(slot: number, vector: Float32Array | null): void {
    if (vector?.length === this.dimension) {
      this.vectors.set(slot, vector);
      this.bare.delete(slot);
    } else if (!this.vectors.has(slot)) this.bare.add(slot);
  }
}

function rowOf(slot: number, text: string, memory: Memory): Row {
  const { id, kind, project, tags, storedAt, expiresAt } = memory;
  return {
    slot,
    text,
    id,
    kind,
    project,
    tags,
    storedAt,
    expiresAt,
    superseded: memory.supersededBy !== null,
  };
}

/** Characters of a row that are indexed: taking words out of more would hold up everybody else. */
const INDEXED_LENGTH = 200_000;

/** Task and answer as one text: an agent asks for either. */
function indexedText({ task, answer }: Memory): string {
  return `${task}\n${answer}`.slice(0, INDEXED_LENGTH);
}

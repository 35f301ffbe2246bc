import type { EpisodeStatus, StoredEpisode } from '../core/episode.js';
import type { Memory, RecallRecord, Vector } from '../core/memory.js';
import type {
  EpisodeQuery,
  LedgerRow,
  MemoryStore,
  Receipt,
  Results,
  StoredMemory,
  StoreState,
  TrashedRow,
  TrashQuery,
  UpdateOptions,
  Usage,
  WriteOptions,
} from '../core/ports.js';
import { MemoryError } from '../core/errors.js';
import { duplicateId, unknownId } from './entryErrors.js';
import { InMemoryEpisodes } from './inMemoryEpisodes.js';
import { InMemoryRecalls } from './inMemoryRecalls.js';
import { InMemoryResults } from './inMemoryResults.js';
import { MIGRATIONS } from './schema.js';

/** A store that lives as long as the process: nothing is written anywhere. */
export function createInMemoryStore(): MemoryStore {
  return new InMemoryStore();
}

class InMemoryStore implements MemoryStore {
  private readonly memories = new Map<string, Memory>();
  private readonly captures = new InMemoryEpisodes(this.memories);
  /** By memory id, then by model. */
  private readonly vectors = new Map<string, Map<string, Float32Array>>();
  private readonly results = new InMemoryResults();
  private readonly recallLog = new InMemoryRecalls();
  /** By project, then by entry. */
  private readonly reviewed = new Map<string, Map<string, number>>();
  private closed = false;

  async *all(model: string): AsyncIterable<StoredMemory> {
    this.requireOpen();
    await Promise.resolve();
    for (const memory of this.memories.values()) {
      if (memory.deletedAt !== null) continue;
      const values = this.vectors.get(memory.id)?.get(model);
      yield { memory, vector: values ? { model, values: values.slice() } : null };
    }
  }

  get(id: string): Promise<Memory | null> {
    return this.settle(() => this.memories.get(id) ?? null);
  }

  replacedBy(id: string): Promise<Memory[]> {
    return this.settle(() => {
      const replaced = new Set([id]);
      // A set visits what is added while it is walked: the chain is followed to its end, cycles included.
      for (const newer of replaced) {
        for (const memory of this.memories.values())
          if (memory.supersededBy === newer) replaced.add(memory.id);
      }
      replaced.delete(id);
      return [...this.memories.values()]
        .filter((memory) => replaced.has(memory.id) && memory.deletedAt === null)
        .reverse()
        .sort((a, b) => b.storedAt - a.storedAt);
    });
  }

  insert({ memory, vector }: StoredMemory, options: WriteOptions = {}): Promise<void> {
    return this.settle(() => {
      if (this.memories.has(memory.id)) throw duplicateId(memory.id);
      this.put(memory);
      if (vector) this.setVector(memory.id, vector);
      this.finish(memory.id, options);
    });
  }

  update(memory: Memory, { version, ...options }: UpdateOptions = {}): Promise<void> {
    return this.settle(() => {
      const stored = this.memories.get(memory.id);
      if (!stored) throw unknownId(memory.id);
      if (version) {
        if (this.memories.has(version.id)) throw duplicateId(version.id);
        this.put(version);
        const copies = this.vectors.get(memory.id) ?? [];
        for (const [model, values] of copies) this.setVector(version.id, { model, values });
      }
      if (stored.task !== memory.task) this.vectors.delete(memory.id);
      this.put(memory);
      this.finish(memory.id, options);
    });
  }

  trash(id: string, at: number, results: Pick<Results, 'ledger'> = {}): Promise<boolean> {
    return this.settle(() => {
      const moved = this.setDeletedAt(id, at);
      if (moved) this.results.keep(results);
      return moved;
    });
  }

  restore(id: string): Promise<boolean> {
    return this.settle(() => this.setDeletedAt(id, null));
  }

  purge(ids: readonly string[]): Promise<number> {
    return this.settle(() => {
      const present = new Set(ids.filter((id) => this.memories.has(id)));
      if (present.size === 0) return 0;
      for (const id of present) {
        this.memories.delete(id);
        this.captures.delete(id);
        this.vectors.delete(id);
        for (const marks of this.reviewed.values()) marks.delete(id);
      }
      this.recallLog.forget(present);
      this.results.forget(present);
      return present.size;
    });
  }

  trashedBefore(at: number): Promise<string[]> {
    return this.settle(() =>
      [...this.memories.values()]
        .flatMap(({ id, deletedAt }) => (deletedAt !== null && deletedAt <= at ? [{ id, deletedAt }] : []))
        .sort((a, b) => a.deletedAt - b.deletedAt)
        .map(({ id }) => id),
    );
  }

  trashed({ limit, after }: TrashQuery): Promise<TrashedRow[]> {
    type Place = Pick<TrashedRow, 'deletedAt' | 'id'>;
    const order = (a: Place, b: Place) =>
      b.deletedAt - a.deletedAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
    return this.settle(() =>
      [...this.memories.values()]
        .flatMap(({ id, kind, project, task, supersededBy, deletedAt }) =>
          deletedAt === null ? [] : [{ id, kind, project, task, supersededBy, deletedAt }],
        )
        .filter((row) => !after || order(row, after) > 0)
        .sort(order)
        .slice(0, limit),
    );
  }

  usage(ids: readonly string[]): Promise<Map<string, Usage>> {
    return this.settle(() => {
      const found = new Map<string, Usage>(
        ids.map((id) => [id, { hits: this.recallLog.hitsOf(id), versions: 0 }]),
      );
      for (const { supersededBy, deletedAt } of this.memories.values()) {
        const usage = supersededBy === null || deletedAt !== null ? undefined : found.get(supersededBy);
        if (supersededBy !== null && usage)
          found.set(supersededBy, { ...usage, versions: usage.versions + 1 });
      }
      return found;
    });
  }

  reviews(project: string): Promise<Map<string, number>> {
    return this.settle(() => new Map(this.reviewed.get(project)));
  }

  markReviewed(project: string, ids: readonly string[], at: number): Promise<void> {
    return this.settle(() => {
      const marks = this.reviewed.get(project) ?? new Map<string, number>();
      this.reviewed.set(project, marks);
      for (const id of ids) if (this.memories.has(id)) marks.set(id, at);
    });
  }

  setVectors(vectors: readonly { id: string; vector: Vector }[]): Promise<void> {
    return this.settle(() => {
      for (const { id, vector } of vectors) if (this.memories.has(id)) this.setVector(id, vector);
    });
  }

  appendRecall(record: RecallRecord, maxBytes: number): Promise<void> {
    return this.settle(() => this.recallLog.append(record, maxBytes));
  }

  recalls(project: string, last?: number): Promise<RecallRecord[]> {
    return this.settle(() => this.recallLog.ofProject(project, last));
  }

  lastHitAt(project: string): Promise<number | null> {
    return this.settle(() => this.recallLog.lastHitAt(project));
  }

  mostRecalled(project: string, limit: number): Promise<{ entryId: string; hits: number }[]> {
    return this.settle(() => this.recallLog.mostRecalled(project, limit));
  }

  episode(id: string): Promise<StoredEpisode | null> {
    return this.settle(() => this.captures.get(id));
  }

  episodesOf(project: string, sessionId: string): Promise<StoredEpisode[]> {
    return this.settle(() => this.captures.ofSession(project, sessionId));
  }

  episodes(query: EpisodeQuery): Promise<StoredEpisode[]> {
    return this.settle(() => this.captures.list(query));
  }

  episodeCounts(projects: readonly string[] | null): Promise<Record<EpisodeStatus, number>> {
    return this.settle(() => this.captures.counts(projects));
  }

  nextEpisode(): Promise<number> {
    return this.settle(() => this.captures.next());
  }

  surplusEpisodes(before: number, keep: number): Promise<string[]> {
    return this.settle(() => this.captures.surplus(before, keep));
  }

  keep(results: Results): Promise<void> {
    return this.settle(() => this.results.keep(results));
  }

  receipt(key: string): Promise<Receipt | null> {
    return this.settle(() => this.results.receipt(key));
  }

  ledgerRow(key: string): Promise<LedgerRow | null> {
    return this.settle(() => this.results.ledgerRow(key));
  }

  state(): Promise<StoreState> {
    return this.settle(() => ({
      storeBytes: 0,
      logBytes: 0,
      schemaVersion: MIGRATIONS.length,
      trashed: [...this.memories.values()].filter(({ deletedAt }) => deletedAt !== null).length,
      notes: [],
    }));
  }

  snapshot(): Promise<void> {
    return this.settle(() => undefined);
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }

  private put(memory: Memory): void {
    this.memories.set(memory.id, { ...memory, tags: [...memory.tags] });
  }

  private setVector(id: string, { model, values }: Vector): void {
    const models = this.vectors.get(id) ?? new Map<string, Float32Array>();
    this.vectors.set(id, models.set(model, values.slice()));
  }

  private finish(id: string, { supersedes, episode, ...results }: WriteOptions): void {
    if (episode) this.captures.put(id, episode);
    const old = supersedes === undefined ? undefined : this.memories.get(supersedes);
    if (old) this.put({ ...old, supersededBy: id });
    this.results.keep(results);
  }

  private setDeletedAt(id: string, at: number | null): boolean {
    const stored = this.memories.get(id);
    if (!stored || (stored.deletedAt === null) === (at === null)) return false;
    this.put({ ...stored, deletedAt: at });
    return true;
  }

  private requireOpen(): void {
    if (this.closed) throw new MemoryError('storage', 'The store is closed. Open it again to read or write.');
  }

  /** Runs `work` at once; what it throws rejects the promise. */
  private settle<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => {
      this.requireOpen();
      resolve(work());
    });
  }
}

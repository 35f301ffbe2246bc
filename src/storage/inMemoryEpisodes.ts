import { statusOf, type EpisodeRecord, type EpisodeStatus, type StoredEpisode } from '../core/episode.js';
import type { Memory } from '../core/memory.js';
import type { EpisodeQuery } from '../core/ports.js';

/** What {@link EpisodeTable} reads from tables, over maps. */
export class InMemoryEpisodes {
  private readonly records = new Map<string, EpisodeRecord>();
  private last = 0;

  constructor(private readonly memories: ReadonlyMap<string, Memory>) {}

  put(id: string, record: EpisodeRecord): void {
    this.records.set(id, structuredClone(record));
    this.last = Math.max(this.last, record.number);
  }

  delete(id: string): void {
    this.records.delete(id);
  }

  get(id: string): StoredEpisode | null {
    return this.all().find(({ memory }) => memory.id === id) ?? null;
  }

  ofSession(project: string, sessionId: string): StoredEpisode[] {
    return this.all().filter(
      ({ record }) => record.project.key === project && record.sessionId === sessionId,
    );
  }

  list({ projects, status, limit, after }: EpisodeQuery): StoredEpisode[] {
    return this.all()
      .filter(({ record }) => projects === null || projects.includes(record.project.key))
      .filter(({ memory }) => status === undefined || statusOf(memory) === status)
      .filter(
        ({ memory, record }) =>
          !after ||
          memory.storedAt < after.storedAt ||
          (memory.storedAt === after.storedAt && record.number < after.number),
      )
      .sort(newestFirst)
      .slice(0, limit);
  }

  counts(projects: readonly string[] | null): Record<EpisodeStatus, number> {
    const counts = { ingested: 0, kept: 0, discarded: 0 };
    for (const { memory } of this.list({ projects, limit: Infinity })) counts[statusOf(memory)] += 1;
    return counts;
  }

  next(): number {
    return this.last + 1;
  }

  surplus(before: number, keep: number): string[] {
    const open = this.list({ projects: null, status: 'ingested', limit: Infinity });
    const seen = new Map<string, number>();
    const surplus = open.filter(({ memory }) => {
      const place = (seen.get(memory.project) ?? 0) + 1;
      seen.set(memory.project, place);
      return memory.storedAt < before || place > keep;
    });
    return surplus.sort((a, b) => a.record.number - b.record.number).map(({ memory }) => memory.id);
  }

  private all(): StoredEpisode[] {
    return [...this.records]
      .sort(([, a], [, b]) => a.number - b.number)
      .flatMap(([id, record]) => {
        const memory = this.memories.get(id);
        return memory ? [{ memory, record }] : [];
      });
  }
}

function newestFirst(a: StoredEpisode, b: StoredEpisode): number {
  return b.memory.storedAt - a.memory.storedAt || b.record.number - a.record.number;
}

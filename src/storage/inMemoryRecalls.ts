import type { RecallRecord } from '../core/memory.js';
import { OUTCOMES_KEPT, recallBytes } from './limits.js';

/** What {@link RecallTable} does with a table, over a list. */
export class InMemoryRecalls {
  private records: RecallRecord[] = [];

  append(record: RecallRecord, maxBytes: number): void {
    this.records.push({ ...record });
    const asked = this.records.filter(({ project, query }) => project === record.project && query !== null);
    const size = asked.reduce((sum, { query }) => sum + recallBytes(query ?? ''), 0);
    const forgotten = new Set(size > maxBytes ? asked.slice(0, Math.floor(asked.length / 2)) : []);
    this.records = this.records.map((one) =>
      forgotten.has(one) ? { ...one, query: null, entryId: null } : one,
    );
    const own = this.ofProject(record.project);
    const kept = new Set([...own.slice(-OUTCOMES_KEPT), own.filter(({ hit }) => hit).at(-1)]);
    this.records = this.records.filter(
      (one) => one.project !== record.project || one.query !== null || kept.has(one),
    );
  }

  ofProject(project: string, last?: number): RecallRecord[] {
    const own = this.records.filter((record) => record.project === project);
    return last === undefined ? own : own.slice(Math.max(0, own.length - last));
  }

  lastHitAt(project: string): number | null {
    const hits = this.records.filter((record) => record.project === project && record.hit);
    return hits.reduce<number | null>(
      (latest, { at }) => (latest === null || at > latest ? at : latest),
      null,
    );
  }

  mostRecalled(project: string, limit: number): { entryId: string; hits: number }[] {
    const found = new Map<string, { hits: number; last: number }>();
    for (const [last, { hit, entryId, project: of }] of this.records.entries()) {
      if (hit && entryId !== null && of === project)
        found.set(entryId, { hits: (found.get(entryId)?.hits ?? 0) + 1, last });
    }
    return [...found]
      .sort(([, a], [, b]) => b.hits - a.hits || b.last - a.last)
      .slice(0, limit)
      .map(([entryId, { hits }]) => ({ entryId, hits }));
  }

  /** Of all projects. */
  hitsOf(id: string): number {
    return this.records.filter(({ hit, entryId }) => hit && entryId === id).length;
  }

  /** Removes the records of these entries. */
  forget(ids: ReadonlySet<string>): void {
    this.records = this.records.filter(({ entryId }) => entryId === null || !ids.has(entryId));
  }
}

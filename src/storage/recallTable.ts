import type { RecallRecord } from '../core/memory.js';
import type { DurableDatabase } from './durableDatabase.js';
import { RECALL_OVERHEAD, recallBytes } from './limits.js';
import type { Change } from './logPayload.js';
import { numberOrNull, recallOf, SELECTED_RECALL, text } from './rows.js';
import * as statements from './statements.js';

/** Records read before other work gets a turn. */
const SLICE = 1000;

/** The recall log of every project, each with a cap of its own. */
export class RecallTable {
  /** Bytes of each project's questions, as `recallBytes` counts; measured when first needed. */
  private readonly sizes = new Map<string, number>();

  constructor(private readonly database: DurableDatabase) {}

  /** See `MemoryStore.appendRecall`. */
  append(record: RecallRecord, maxBytes: number): void {
    const { project, query } = record;
    const added = query === null ? 0 : recallBytes(query);
    const size = (this.sizes.get(project) ?? this.measure(project)) + added;
    const full = size > maxBytes;
    const changes: Change[] = [statements.recallInsertion(record)];
    if (full) changes.push(statements.recallForgetting(project, Math.floor((this.count(project) + 1) / 2)));
    if (full || query === null) changes.push(statements.outcomeTrim(project));
    this.database.write(changes, { sync: false });
    if (full) this.sizes.delete(project);
    else this.sizes.set(project, size);
  }

  /** Sizes are measured anew: something else has changed the table. */
  changed(): void {
    this.sizes.clear();
  }

  async all(project: string): Promise<RecallRecord[]> {
    const sql = `SELECT seq, ${SELECTED_RECALL} FROM recalls WHERE project = ? AND seq > ? ORDER BY seq LIMIT ?`;
    const records: RecallRecord[] = [];
    let last = -1;
    for (;;) {
      const rows = this.database.rows(sql, [project, last, SLICE]);
      for (const row of rows) records.push(recallOf(row.slice(1)));
      if (rows.length < SLICE) return records;
      last = Number(rows.at(-1)?.[0]);
      await new Promise(setImmediate);
    }
  }

  newest(project: string, count: number): RecallRecord[] {
    const sql = `SELECT ${SELECTED_RECALL} FROM recalls WHERE project = ? ORDER BY seq DESC LIMIT ?`;
    return this.database.rows(sql, [project, count]).map(recallOf).reverse();
  }

  lastHitAt(project: string): number | null {
    const sql = 'SELECT max(at) FROM recalls WHERE project = ? AND hit = 1';
    return numberOrNull(this.database.row(sql, [project])?.[0]);
  }

  mostRecalled(project: string, limit: number): { entryId: string; hits: number }[] {
    const sql =
      'SELECT entry_id, count(*) AS hits FROM recalls WHERE project = ? AND hit = 1 AND entry_id IS NOT NULL ' +
      'GROUP BY entry_id ORDER BY hits DESC, max(seq) DESC LIMIT ?';
    return this.database
      .rows(sql, [project, limit])
      .map(([id, hits]) => ({ entryId: text(id), hits: Number(hits) }));
  }

  private measure(project: string): number {
    const sql =
      'SELECT total(length(CAST(query AS BLOB))) + count(*) * ? FROM recalls WHERE project = ? AND query IS NOT NULL';
    return Number(this.database.row(sql, [RECALL_OVERHEAD, project])?.[0]);
  }

  private count(project: string): number {
    const sql = 'SELECT count(*) FROM recalls WHERE project = ? AND query IS NOT NULL';
    return Number(this.database.row(sql, [project])?.[0]);
  }
}

import type { Usage } from '../core/ports.js';
import type { DurableDatabase } from './durableDatabase.js';
import { text } from './rows.js';
import * as statements from './statements.js';

const IN_LIST = 'IN (SELECT value FROM json_each(?))';

/** What is known of entries beside their rows: how often they were hit, what they replaced, who looked at that. */
export class UsageTable {
  constructor(private readonly database: DurableDatabase) {}

  /** See `MemoryStore.usage`. */
  of(ids: readonly string[]): Map<string, Usage> {
    const list = [JSON.stringify(ids)];
    const hits = this.database.rows(
      `SELECT entry_id, count(*) FROM recalls WHERE hit = 1 AND entry_id IS NOT NULL AND entry_id ${IN_LIST} GROUP BY entry_id`,
      list,
    );
    const versions = this.database.rows(
      `SELECT superseded_by, count(*) FROM memories WHERE superseded_by IS NOT NULL AND superseded_by ${IN_LIST} ` +
        'AND deleted_at IS NULL GROUP BY superseded_by',
      list,
    );
    const found = new Map<string, Usage>();
    for (const [id, count] of hits) found.set(text(id), { hits: Number(count), versions: 0 });
    for (const [id, count] of versions)
      found.set(text(id), { hits: found.get(text(id))?.hits ?? 0, versions: Number(count) });
    return found;
  }

  reviews(project: string): Map<string, number> {
    const rows = this.database.rows('SELECT entry, at FROM reviews WHERE project = ? ORDER BY seq', [
      project,
    ]);
    return new Map(rows.map(([entry, at]) => [text(entry), Number(at)]));
  }

  markReviewed(project: string, ids: readonly string[], at: number): void {
    this.database.write([statements.reviewChange(project, ids, at)]);
  }
}

import type { TrashedRow, TrashQuery } from '../core/ports.js';
import type { MemoryKind } from '../core/memory.js';
import type { DurableDatabase } from './durableDatabase.js';
import type { Change } from './logPayload.js';
import { asWritten, text, textOrNull } from './rows.js';
import * as statements from './statements.js';

/** Rows that were forgotten and can still be taken back. */
export class TrashTable {
  constructor(private readonly database: DurableDatabase) {}

  get size(): number {
    return Number(this.database.row('SELECT count(*) FROM memories WHERE deleted_at IS NOT NULL')?.[0]);
  }

  /** Moves a row into the trash, or with null out of it; false where it is there already. */
  move(id: string, at: number | null, results: readonly Change[]): boolean {
    const stored = this.database.row('SELECT deleted_at FROM memories WHERE id = ?', [id]);
    if (stored === null || (stored[0] === null) === (at === null)) return false;
    this.database.write([statements.trashing(id, at), ...results]);
    return true;
  }

  before(at: number): string[] {
    const sql = 'SELECT id FROM memories WHERE deleted_at <= ? ORDER BY deleted_at, seq';
    return this.database.rows(sql, [at]).map(([id]) => text(id));
  }

  list({ limit, after }: TrashQuery): TrashedRow[] {
    const sql =
      `SELECT id, kind, project, ${asWritten('task')}, superseded_by, deleted_at FROM memories ` +
      `WHERE deleted_at IS NOT NULL ${after ? 'AND (deleted_at, id) < (?, ?)' : ''} ` +
      'ORDER BY deleted_at DESC, id DESC LIMIT ?';
    const params = after ? [after.deletedAt, after.id, limit] : [limit];
    return this.database.rows(sql, params).map(([id, kind, project, task, supersededBy, deletedAt]) => ({
      id: text(id),
      kind: text(kind) as MemoryKind,
      project: text(project),
      task: text(task),
      supersededBy: textOrNull(supersededBy),
      deletedAt: Number(deletedAt),
    }));
  }
}

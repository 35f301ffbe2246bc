import type { EpisodeRecord, EpisodeStatus, StoredEpisode, Turn } from '../core/episode.js';
import type { EpisodeQuery } from '../core/ports.js';
import type { DurableDatabase } from './durableDatabase.js';
import type { SqlValue } from './logPayload.js';
import { asWritten, memoryOf, selectedMemory, text } from './rows.js';

const RECORD = ['c.seq', 'c.project', asWritten('c.name'), asWritten('c.directory'), asWritten('c.session')];
const SELECTED = [...RECORD, asWritten('c.turns'), selectedMemory('m')].join(', ');
const FROM = 'FROM captures c JOIN memories m ON m.id = c.id';

const IN_STATE: Readonly<Record<EpisodeStatus, string>> = {
  ingested: 'm.deleted_at IS NULL AND m.superseded_by IS NULL',
  kept: 'm.deleted_at IS NULL AND m.superseded_by IS NOT NULL',
  discarded: 'm.deleted_at IS NOT NULL',
};

/** Reads episodes: their rows and what they have beside them. */
export class EpisodeTable {
  constructor(private readonly database: DurableDatabase) {}

  get(id: string): StoredEpisode | null {
    const row = this.database.row(`SELECT ${SELECTED} ${FROM} WHERE c.id = ?`, [id]);
    return row && episodeOf(row);
  }

  ofSession(project: string, sessionId: string): StoredEpisode[] {
    const sql = `SELECT ${SELECTED} ${FROM} WHERE c.project = ? AND c.session = ? ORDER BY c.seq`;
    return this.database.rows(sql, [project, sessionId]).map(episodeOf);
  }

  list({ projects, status, limit, after }: EpisodeQuery): StoredEpisode[] {
    const conditions = [projectCondition(projects), status === undefined ? 'TRUE' : IN_STATE[status]];
    const params: SqlValue[] = projects === null ? [] : [JSON.stringify(projects)];
    if (after) {
      conditions.push('(m.stored_at, c.seq) < (?, ?)');
      params.push(after.storedAt, after.number);
    }
    const sql = `SELECT ${SELECTED} ${FROM} WHERE ${conditions.join(' AND ')} ORDER BY m.stored_at DESC, c.seq DESC LIMIT ?`;
    return this.database.rows(sql, [...params, limit]).map(episodeOf);
  }

  counts(projects: readonly string[] | null): Record<EpisodeStatus, number> {
    const sums = Object.values(IN_STATE).map((condition) => `total(${condition})`);
    const sql = `SELECT ${sums.join(', ')} ${FROM} WHERE ${projectCondition(projects)}`;
    const row = this.database.row(sql, projects === null ? [] : [JSON.stringify(projects)]) ?? [];
    const [ingested = 0, kept = 0, discarded = 0] = row.map(Number);
    return { ingested, kept, discarded };
  }

  /** SQLite remembers the highest number, also when its row is gone. */
  next(): number {
    return Number(this.database.row("SELECT seq FROM sqlite_sequence WHERE name = 'captures'")?.[0] ?? 0) + 1;
  }

  surplus(before: number, keep: number): string[] {
    const sql =
      'SELECT id FROM (SELECT c.id, c.seq, m.stored_at AS at, ' +
      `row_number() OVER (PARTITION BY c.project ORDER BY m.stored_at DESC, c.seq DESC) AS place ${FROM} ` +
      `WHERE ${IN_STATE.ingested}) WHERE at < ? OR place > ? ORDER BY seq`;
    return this.database.rows(sql, [before, keep]).map(([id]) => text(id));
  }
}

function projectCondition(projects: readonly string[] | null): string {
  return projects === null ? 'TRUE' : 'c.project IN (SELECT value FROM json_each(?))';
}

function episodeOf(row: readonly SqlValue[]): StoredEpisode {
  const [number, project, name, directory, session, turns, ...memory] = row;
  const record: EpisodeRecord = {
    number: Number(number),
    project: { key: text(project), name: text(name) },
    directory: text(directory),
    sessionId: text(session),
    turns: JSON.parse(text(turns)) as Turn[],
  };
  return { memory: memoryOf(memory), record };
}

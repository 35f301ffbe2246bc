import type { EpisodeRecord } from '../core/episode.js';
import type { Memory, RecallRecord, Vector } from '../core/memory.js';
import type { LedgerRow, Receipt, StoredMemory } from '../core/ports.js';
import { CALLS_KEPT, CALL_SECONDS, OUTCOMES_KEPT, RECEIPTS_KEPT, RECEIPT_SECONDS } from './limits.js';
import type { Change } from './logPayload.js';
import { MEMORY_COLUMNS, RECALL_COLUMNS, memoryValues, recallValues, vectorBytes } from './rows.js';

/**
 * The statements of each write. They are kept in the change log and done again after a crash, by this version or
 * a later one: everything they depend on is in the tables or in the parameters.
 */
export function insertion({ memory, vector }: StoredMemory): Change[] {
  const row = {
    sql: `INSERT INTO memories (${MEMORY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: memoryValues(memory),
  };
  return vector ? [row, vectorChange(memory.id, vector)] : [row];
}

export function overwriting(memory: Memory, keepVectors: boolean): Change[] {
  const [id = null, ...values] = memoryValues(memory);
  const row = {
    sql:
      'UPDATE memories SET kind = ?, project = ?, task = ?, answer = ?, tags = ?, source = ?, stored_at = ?, ' +
      'expires_at = ?, superseded_by = ?, deleted_at = ? WHERE id = ?',
    params: [...values, id],
  };
  const vectors = {
    sql: 'DELETE FROM vectors WHERE memory = (SELECT seq FROM memories WHERE id = ?)',
    params: [memory.id],
  };
  return keepVectors ? [row] : [row, vectors];
}

/** A row of its own for what another one was, with a copy of its vectors; before that one is overwritten. */
export function versionChanges(version: Memory, of: string): Change[] {
  const vectors = {
    sql:
      'INSERT INTO vectors (memory, model, dimension, data) SELECT n.seq, v.model, v.dimension, v.data ' +
      'FROM memories n, memories m JOIN vectors v ON v.memory = m.seq WHERE n.id = ? AND m.id = ? ORDER BY v.seq',
    params: [version.id, of],
  };
  return [...insertion({ memory: version, vector: null }), vectors];
}

/** What an episode has beside its row, in place of what it had. */
export function episodeChange(id: string, record: EpisodeRecord): Change {
  const { number, project, directory, sessionId, turns } = record;
  return {
    sql: 'INSERT OR REPLACE INTO captures (seq, id, project, name, directory, session, turns) VALUES (?, ?, ?, ?, ?, ?, ?)',
    params: [number, id, project.key, project.name, directory, sessionId, JSON.stringify(turns)],
  };
}

export function superseding(old: string, by: string): Change {
  return { sql: 'UPDATE memories SET superseded_by = ? WHERE id = ?', params: [by, old] };
}

export function trashing(id: string, at: number | null): Change {
  return { sql: 'UPDATE memories SET deleted_at = ? WHERE id = ?', params: [at, id] };
}

/** Of the entries that exist. */
export function reviewChange(project: string, ids: readonly string[], at: number): Change {
  return {
    sql:
      'INSERT OR REPLACE INTO reviews (project, entry, at) SELECT ?, id, ? FROM memories ' +
      'WHERE id IN (SELECT value FROM json_each(?)) ORDER BY seq',
    params: [project, at, JSON.stringify(ids)],
  };
}

/** Stores the vector where the row exists. */
export function vectorChange(id: string, vector: Vector): Change {
  return {
    sql:
      'INSERT OR REPLACE INTO vectors (memory, model, dimension, data) ' +
      'SELECT seq, ?, ?, ? FROM memories WHERE id = ?',
    params: [vector.model, vector.values.length, vectorBytes(vector), id],
  };
}

export function receiptChanges({ key, result, at }: Receipt): Change[] {
  return [
    { sql: 'INSERT OR REPLACE INTO receipts (key, result, at) VALUES (?, ?, ?)', params: [key, result, at] },
    { sql: 'DELETE FROM receipts WHERE at < ?', params: [at - RECEIPT_SECONDS] },
    {
      sql: 'DELETE FROM receipts WHERE seq IN (SELECT seq FROM receipts ORDER BY seq DESC LIMIT -1 OFFSET ?)',
      params: [RECEIPTS_KEPT],
    },
  ];
}

/** A key written again gets a new, highest `seq`, so that counting down from it needs no walk over the rows. */
export function ledgerChanges({ key, digest, result, at }: LedgerRow): Change[] {
  return [
    {
      sql: 'INSERT OR REPLACE INTO calls (key, digest, result, at) VALUES (?, ?, ?, ?)',
      params: [key, digest, result, at],
    },
    { sql: 'DELETE FROM calls WHERE at < ?', params: [at - CALL_SECONDS] },
    { sql: 'DELETE FROM calls WHERE seq <= (SELECT max(seq) FROM calls) - ?', params: [CALLS_KEPT] },
  ];
}

export function recallInsertion(record: RecallRecord): Change {
  return {
    sql: `INSERT INTO recalls (${RECALL_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    params: recallValues(record),
  };
}

/** Takes question and entry out of the `count` oldest records of a project that have them. */
export function recallForgetting(project: string, count: number): Change {
  return {
    sql:
      'UPDATE recalls SET query = NULL, entry_id = NULL WHERE seq IN (SELECT seq FROM recalls WHERE project = ? ' +
      'AND query IS NOT NULL ORDER BY seq LIMIT ?)',
    params: [project, count],
  };
}

/** Removes the records of a project without a question that neither the hit rate nor the last hit needs. */
export function outcomeTrim(project: string): Change {
  return {
    sql:
      'DELETE FROM recalls WHERE project = ?1 AND query IS NULL ' +
      'AND seq NOT IN (SELECT seq FROM recalls WHERE project = ?1 ORDER BY seq DESC LIMIT ?2) ' +
      'AND seq NOT IN (SELECT seq FROM recalls WHERE project = ?1 AND hit = 1 ORDER BY seq DESC LIMIT 1)',
    params: [project, OUTCOMES_KEPT],
  };
}

/**
 * Removes rows with their vectors, recall records and reviews, and the receipts and calls under these keys. Rows they
 * replaced keep their `superseded_by`: they stay hidden.
 */
export function purging(
  ids: readonly string[],
  receipts: readonly string[],
  calls: readonly string[],
): Change[] {
  const list = JSON.stringify(ids);
  const inList = 'IN (SELECT value FROM json_each(?))';
  return [
    {
      sql: `DELETE FROM vectors WHERE memory IN (SELECT seq FROM memories WHERE id ${inList})`,
      params: [list],
    },
    { sql: `DELETE FROM recalls WHERE entry_id ${inList}`, params: [list] },
    { sql: `DELETE FROM reviews WHERE entry ${inList}`, params: [list] },
    { sql: `DELETE FROM receipts WHERE key ${inList}`, params: [JSON.stringify(receipts)] },
    { sql: `DELETE FROM calls WHERE key ${inList}`, params: [JSON.stringify(calls)] },
    { sql: `DELETE FROM captures WHERE id ${inList}`, params: [list] },
    { sql: `DELETE FROM memories WHERE id ${inList}`, params: [list] },
  ];
}

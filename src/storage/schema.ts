import type { SqlDatabase } from './database.js';

/**
 * Numbered steps: the n-th turns schema n into n + 1. A step that was released is never edited.
 * `seq` columns fix the order of storing: SQLite may renumber rows of tables without an integer key. `captures` says
 * which session an episode is of; the view `episodes` is for people who ask with SQL. `reviews` says when
 * somebody looked at what recalls say of an entry.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE memories (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    project TEXT NOT NULL,
    task TEXT NOT NULL,
    answer TEXT NOT NULL,
    tags TEXT NOT NULL,
    source TEXT NOT NULL,
    stored_at REAL NOT NULL,
    expires_at REAL,
    superseded_by TEXT,
    deleted_at REAL
  );
  CREATE INDEX memories_superseded ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
  CREATE INDEX memories_trash ON memories (deleted_at) WHERE deleted_at IS NOT NULL;
  CREATE TABLE vectors (
    seq INTEGER PRIMARY KEY,
    memory INTEGER NOT NULL REFERENCES memories (seq),
    model TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    data BLOB NOT NULL
  );
  CREATE UNIQUE INDEX vectors_memory ON vectors (memory, model);
  CREATE TABLE recalls (
    seq INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    project TEXT NOT NULL,
    query TEXT,
    entry_id TEXT,
    similarity REAL NOT NULL,
    hit INTEGER NOT NULL,
    threshold REAL NOT NULL
  );
  CREATE INDEX recalls_project ON recalls (project);
  CREATE INDEX recalls_hit ON recalls (project, at) WHERE hit = 1;
  CREATE TABLE receipts (
    seq INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    result TEXT NOT NULL,
    at REAL NOT NULL
  );
  CREATE INDEX receipts_at ON receipts (at);`,
  `CREATE TABLE calls (
    seq INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL,
    result TEXT NOT NULL,
    at REAL NOT NULL
  );
  CREATE INDEX calls_at ON calls (at);`,
  `CREATE TABLE captures (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    project TEXT NOT NULL,
    name TEXT NOT NULL,
    directory TEXT NOT NULL,
    session TEXT NOT NULL,
    turns TEXT NOT NULL
  );
  CREATE INDEX captures_session ON captures (project, session);
  CREATE VIEW episodes (ts, namespace, project, session_id, content, status) AS
    SELECT m.stored_at, c.name, c.directory, c.session, m.answer, CASE
      WHEN m.deleted_at IS NOT NULL THEN 'discarded'
      WHEN m.superseded_by IS NOT NULL THEN 'kept'
      ELSE 'ingested' END
    FROM captures c JOIN memories m ON m.id = c.id ORDER BY c.seq;`,
  `CREATE TABLE reviews (
    seq INTEGER PRIMARY KEY,
    project TEXT NOT NULL,
    entry TEXT NOT NULL,
    at REAL NOT NULL
  );
  CREATE UNIQUE INDEX reviews_entry ON reviews (entry, project);
  CREATE INDEX recalls_entry ON recalls (entry_id) WHERE hit = 1 AND entry_id IS NOT NULL;`,
];

/** Brings the tables up to schema `target`. Does nothing where they are there already. */
export function migrate(database: SqlDatabase, target: number, migrations: readonly string[]): void {
  for (let version = database.schema(); version < target; version += 1) {
    database.begin();
    database.execute(migrations[version] ?? '');
    database.execute(`PRAGMA user_version = ${version + 1}`);
    database.commit();
  }
}

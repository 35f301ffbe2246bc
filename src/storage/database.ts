import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import initSqlJs from 'sql.js';
import type { Database, SqlJsStatic, Statement } from 'sql.js';
import { MemoryError } from '../core/errors.js';
import { reasonOf } from './refusal.js';
import type { Change, SqlValue } from './logPayload.js';

/** A SQLite database in memory. Statements are prepared once and kept. */
export class SqlDatabase {
  private readonly statements = new Map<string, Statement>();

  private constructor(private readonly raw: Database) {
    this.applyPragmas();
  }

  /** Opens the image of a database file, or an empty database for null. */
  static async open(image: Uint8Array | null): Promise<SqlDatabase> {
    const sqlite = await loadSqlite();
    return new SqlDatabase(new sqlite.Database(image));
  }

  /** Runs one changing statement and returns how many rows it touched. */
  run({ sql, params }: Change): number {
    const statement = this.prepared(sql);
    try {
      statement.bind([...params]);
      statement.step();
      return this.raw.getRowsModified();
    } finally {
      statement.reset();
    }
  }

  rows(sql: string, params: readonly SqlValue[] = []): SqlValue[][] {
    const statement = this.prepared(sql);
    try {
      statement.bind([...params]);
      const rows: SqlValue[][] = [];
      while (statement.step()) rows.push(statement.get());
      return rows;
    } finally {
      statement.reset();
    }
  }

  /** First column of the first row; null where there is no row. */
  value(sql: string, params: readonly SqlValue[] = []): SqlValue {
    return this.rows(sql, params)[0]?.[0] ?? null;
  }

  /** Runs statements that take no parameters. */
  execute(sql: string): void {
    this.raw.run(sql);
  }

  begin(): void {
    this.execute('BEGIN');
  }

  commit(): void {
    this.execute('COMMIT');
  }

  rollback(): void {
    try {
      this.execute('ROLLBACK');
    } catch {
      // After running out of memory SQLite has rolled back by itself, and there is no transaction left.
    }
  }

  schema(): number {
    return Number(this.value('PRAGMA user_version'));
  }

  /** Rebuilds every page, so that no remains of deleted text are left in unused space. */
  compact(): void {
    this.execute('VACUUM');
  }

  /** The database as a file image. */
  image(): Uint8Array {
    // Some versions of sql.js close statements and reset pragmas here.
    for (const statement of this.statements.values()) statement.free();
    this.statements.clear();
    const image = this.raw.export();
    this.applyPragmas();
    return image;
  }

  close(): void {
    this.statements.clear();
    this.raw.close();
  }

  private prepared(sql: string): Statement {
    const known = this.statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.raw.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }

  private applyPragmas(): void {
    // The file lives in memory: durability is the change log's part, the journal only serves ROLLBACK.
    this.execute(
      'PRAGMA page_size = 8192; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; ' +
        'PRAGMA secure_delete = ON;',
    );
  }
}

let loading: Promise<SqlJsStatic> | undefined;

async function loadSqlite(): Promise<SqlJsStatic> {
  loading ??= readEngine().then((wasmBinary) => initSqlJs({ wasmBinary }));
  try {
    return await loading;
  } catch (error) {
    loading = undefined;
    throw new MemoryError(
      'storage',
      `The database engine (sql-wasm.wasm) could not be loaded: ${reasonOf(error)}. Install the program again.`,
      { cause: error },
    );
  }
}

/** Node's types do not declare it. */
const { WebAssembly: webAssembly } = globalThis as unknown as {
  WebAssembly: { validate(bytes: Uint8Array): boolean };
};

/** Checked here: what sql.js does with a damaged one ends the process. */
async function readEngine(): Promise<ArrayBuffer> {
  const path = wasmPath();
  const bytes = new Uint8Array(await readFile(path));
  if (!webAssembly.validate(bytes)) throw new Error(`${path} is damaged`);
  return bytes.buffer;
}

/** Beside the bundle in an installed program, in the package when run from source. */
function wasmPath(): string {
  const beside = fileURLToPath(new URL('sql-wasm.wasm', import.meta.url));
  if (existsSync(beside)) return beside;
  try {
    return createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');
  } catch (error) {
    throw new Error(`${beside} is missing`, { cause: error });
  }
}

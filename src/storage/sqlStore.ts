import type { EpisodeStatus, StoredEpisode } from '../core/episode.js';
import type { Memory, RecallRecord, Vector } from '../core/memory.js';
import type {
  EpisodeQuery,
  HealthNote,
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
import { DurableDatabase } from './durableDatabase.js';
import { duplicateId, remainsLeft, unknownId } from './entryErrors.js';
import { EpisodeTable } from './episodeTable.js';
import { StoreDirectory } from './files.js';
import type { FileCalls } from './files.js';
import type { Change } from './logPayload.js';
import { mentions } from './mentions.js';
import { keptNotes } from './notes.js';
import { RecallTable } from './recallTable.js';
import { asWritten, memoryOf, selectedMemory, text, vectorOf } from './rows.js';
import { MIGRATIONS } from './schema.js';
import * as statements from './statements.js';
import { TrashTable } from './trashTable.js';
import { UsageTable } from './usageTable.js';

/** Rows read before other work gets a turn. */
const SLICE = 64;

/** What tests put in the place of the machine. */
export interface Surroundings {
  readonly platform?: NodeJS.Platform;
  readonly fs?: FileCalls;
  /** Epoch seconds; only for the name of a damaged file that is set aside. */
  readonly now?: () => number;
  readonly migrations?: readonly string[];
  /** What the caller knows of the directory; part of every `state()`. */
  readonly notes?: readonly HealthNote[];
}

/**
 * Opens the store in an existing directory; an empty one is an empty store, and nothing is created before the
 * first write. Only one process may have it open. Rejects with a `MemoryError` (reason `storage`) where the files
 * cannot be read, hold no good state or come from a newer version; they stay untouched then.
 */
export async function openSqlStore(path: string, surroundings: Surroundings = {}): Promise<MemoryStore> {
  const { platform, fs, now = () => Date.now() / 1000, migrations = MIGRATIONS, notes = [] } = surroundings;
  const directory = new StoreDirectory(path, fs, platform);
  const database = await DurableDatabase.open(directory, now, migrations);
  return new SqlStore(directory, database, migrations.length, notes);
}

/** Every operation runs to its end in one turn, so that none sees half of another. */
class SqlStore implements MemoryStore {
  private readonly recallTable: RecallTable;
  private readonly episodeTable: EpisodeTable;
  private readonly trashTable: TrashTable;
  private readonly usageTable: UsageTable;

  constructor(
    private readonly directory: StoreDirectory,
    private readonly database: DurableDatabase,
    private readonly schemaVersion: number,
    private readonly given: readonly HealthNote[],
  ) {
    this.recallTable = new RecallTable(database);
    this.episodeTable = new EpisodeTable(database);
    this.trashTable = new TrashTable(database);
    this.usageTable = new UsageTable(database);
  }

  async *all(model: string): AsyncIterable<StoredMemory> {
    const sql =
      `SELECT m.seq, v.data, ${selectedMemory('m')} FROM memories m LEFT JOIN vectors v ON v.memory = m.seq AND v.model = ? ` +
      'WHERE m.seq > ? AND m.deleted_at IS NULL ORDER BY m.seq LIMIT ?';
    let last = -1;
    for (;;) {
      const rows = this.database.rows(sql, [model, last, SLICE]);
      for (const [seq, data, ...memory] of rows) {
        last = Number(seq);
        yield { memory: memoryOf(memory), vector: vectorOf(model, data) };
      }
      if (rows.length < SLICE) return;
      await new Promise(setImmediate);
    }
  }

  get(id: string): Promise<Memory | null> {
    const sql = `SELECT ${selectedMemory()} FROM memories WHERE id = ?`;
    return settle(() => {
      const row = this.database.row(sql, [id]);
      return row && memoryOf(row);
    });
  }

  replacedBy(id: string): Promise<Memory[]> {
    const sql =
      'WITH RECURSIVE replaced (id) AS (SELECT id FROM memories WHERE superseded_by = ?1 UNION ' +
      'SELECT m.id FROM memories m JOIN replaced r ON m.superseded_by = r.id) ' +
      `SELECT ${selectedMemory()} FROM memories WHERE id IN (SELECT id FROM replaced) AND id <> ?1 ` +
      'AND deleted_at IS NULL ORDER BY stored_at DESC, seq DESC';
    return settle(() => this.database.rows(sql, [id]).map(memoryOf));
  }

  insert(entry: StoredMemory, options: WriteOptions = {}): Promise<void> {
    return settle(() => {
      if (this.has(entry.memory.id)) throw duplicateId(entry.memory.id);
      this.database.write([...statements.insertion(entry), ...consequences(entry.memory.id, options)]);
    });
  }

  update(memory: Memory, { version, ...options }: UpdateOptions = {}): Promise<void> {
    return settle(() => {
      const stored = this.database.row(`SELECT ${asWritten('task')} FROM memories WHERE id = ?`, [memory.id]);
      if (stored === null) throw unknownId(memory.id);
      if (version && this.has(version.id)) throw duplicateId(version.id);
      const kept = version ? statements.versionChanges(version, memory.id) : [];
      const overwriting = statements.overwriting(memory, text(stored[0]) === memory.task);
      this.database.write([...kept, ...overwriting, ...consequences(memory.id, options)]);
    });
  }

  trash(id: string, at: number, results: Pick<Results, 'ledger'> = {}): Promise<boolean> {
    return settle(() => this.trashTable.move(id, at, resultChanges(results)));
  }

  restore(id: string): Promise<boolean> {
    return settle(() => this.trashTable.move(id, null, []));
  }

  purge(ids: readonly string[], { more = false }: { readonly more?: boolean } = {}): Promise<number> {
    return settle(() => {
      const present = new Set(ids.filter((id) => this.has(id)));
      if (present.size === 0) return 0;
      const receipts = this.keysNaming('SELECT key, result FROM receipts', present);
      const calls = this.keysNaming('SELECT key, result FROM calls', present);
      const changes = statements.purging([...present], receipts, calls);
      this.database.write(changes, { sync: true, purged: [...present] });
      this.recallTable.changed();
      if (!more) this.removeRemains();
      return present.size;
    });
  }

  trashedBefore(at: number): Promise<string[]> {
    return settle(() => this.trashTable.before(at));
  }

  trashed(query: TrashQuery): Promise<TrashedRow[]> {
    return settle(() => this.trashTable.list(query));
  }

  usage(ids: readonly string[]): Promise<Map<string, Usage>> {
    return settle(() => this.usageTable.of(ids));
  }

  reviews(project: string): Promise<Map<string, number>> {
    return settle(() => this.usageTable.reviews(project));
  }

  markReviewed(project: string, ids: readonly string[], at: number): Promise<void> {
    return settle(() => this.usageTable.markReviewed(project, ids, at));
  }

  setVectors(vectors: readonly { id: string; vector: Vector }[]): Promise<void> {
    return settle(() => {
      const present = vectors.filter(({ id }) => this.has(id));
      if (present.length === 0) return;
      const changes = present.map(({ id, vector }) => statements.vectorChange(id, vector));
      this.database.write(changes, { sync: false });
    });
  }

  appendRecall(record: RecallRecord, maxBytes: number): Promise<void> {
    return settle(() => this.recallTable.append(record, maxBytes));
  }

  recalls(project: string, last?: number): Promise<RecallRecord[]> {
    if (last === undefined) return this.recallTable.all(project);
    return settle(() => this.recallTable.newest(project, last));
  }

  lastHitAt(project: string): Promise<number | null> {
    return settle(() => this.recallTable.lastHitAt(project));
  }

  mostRecalled(project: string, limit: number): Promise<{ entryId: string; hits: number }[]> {
    return settle(() => this.recallTable.mostRecalled(project, limit));
  }

  episode(id: string): Promise<StoredEpisode | null> {
    return settle(() => this.episodeTable.get(id));
  }

  episodesOf(project: string, sessionId: string): Promise<StoredEpisode[]> {
    return settle(() => this.episodeTable.ofSession(project, sessionId));
  }

  episodes(query: EpisodeQuery): Promise<StoredEpisode[]> {
    return settle(() => this.episodeTable.list(query));
  }

  episodeCounts(projects: readonly string[] | null): Promise<Record<EpisodeStatus, number>> {
    return settle(() => this.episodeTable.counts(projects));
  }

  nextEpisode(): Promise<number> {
    return settle(() => this.episodeTable.next());
  }

  surplusEpisodes(before: number, keep: number): Promise<string[]> {
    return settle(() => this.episodeTable.surplus(before, keep));
  }

  keep(results: Results): Promise<void> {
    return settle(() => this.database.write(resultChanges(results)));
  }

  receipt(key: string): Promise<Receipt | null> {
    return settle(() => {
      const row = this.database.row('SELECT result, at FROM receipts WHERE key = ?', [key]);
      return row && { key, result: text(row[0]), at: Number(row[1]) };
    });
  }

  ledgerRow(key: string): Promise<LedgerRow | null> {
    return settle(() => {
      const row = this.database.row('SELECT digest, result, at FROM calls WHERE key = ?', [key]);
      return row && { key, digest: text(row[0]), result: text(row[1]), at: Number(row[2]) };
    });
  }

  state(): Promise<StoreState> {
    return settle(() => ({
      ...this.database.sizes,
      schemaVersion: this.schemaVersion,
      trashed: this.trashTable.size,
      notes: [...this.given, ...keptNotes(this.directory.list()), ...this.database.notes()],
    }));
  }

  snapshot(): Promise<void> {
    return settle(() => this.database.snapshot());
  }

  close(): Promise<void> {
    return settle(() => this.database.close());
  }

  private has(id: string): boolean {
    return this.database.row('SELECT 1 FROM memories WHERE id = ?', [id]) !== null;
  }

  /** Keys of kept results that name one of these rows. */
  private keysNaming(sql: string, ids: ReadonlySet<string>): string[] {
    const kept = this.database.rows(sql);
    return kept.filter(([, result]) => mentions(text(result), ids)).map(([key]) => text(key));
  }

  /** The rows are gone already; a failure here is about what is left of their text on disk. */
  private removeRemains(): void {
    try {
      this.database.snapshot();
    } catch (error) {
      throw remainsLeft(error, this.directory.path);
    }
  }
}

function consequences(id: string, { supersedes, episode, ...results }: WriteOptions): Change[] {
  return [
    ...(episode ? [statements.episodeChange(id, episode)] : []),
    ...(supersedes === undefined ? [] : [statements.superseding(supersedes, id)]),
    ...resultChanges(results),
  ];
}

function resultChanges({ receipt, ledger }: Results): Change[] {
  return [
    ...(receipt ? statements.receiptChanges(receipt) : []),
    ...(ledger ? statements.ledgerChanges(ledger) : []),
  ];
}

/** Runs `work` at once; what it throws rejects the promise. */
function settle<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}

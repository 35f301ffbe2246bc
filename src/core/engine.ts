import { fillVectors } from './backfill.js';
import type { Brief } from './brief.js';
import { browse, type BrowsePage, type BrowseRequest } from './browse.js';
import { ChangeFeed, type ChangeListener } from './changes.js';
import { entryDetails, type EntryDetails } from './details.js';
import { driftReport, type DriftReport, type DriftRequest } from './drift.js';
import { markReviewed, reviewDrift, type DriftReview, type DriftReviewRequest } from './driftReview.js';
import { echo, type EchoRequest, type EchoResult } from './echo.js';
import type { CapturedSession } from './episode.js';
import {
  getEpisode,
  listEpisodes,
  type Episode,
  type EpisodeListing,
  type EpisodesRequest,
} from './episodes.js';
import { forget, getEntry, type Entry, type GetRequest } from './entries.js';
import { MemoryError } from './errors.js';
import { ingest } from './ingest.js';
import { listEntries, type Listing, type ListRequest } from './listing.js';
import { makeBrief } from './makeBrief.js';
import { MemoryIndex } from './memoryIndex.js';
import { outline, type Outline, type OutlineRequest } from './outline.js';
import { createExclusive, type Parts, type EngineOptions } from './parts.js';
import type { Call, Embedder, MemoryStore, Sources } from './ports.js';
import type { NamedProject } from './projectName.js';
import { recall, type RecallRequest, type RecallResult } from './recall.js';
import { remember, type RememberRequest, type RememberResult } from './remember.js';
import { discardEpisodes, keepEpisode, restoreEntries, retireEpisodes, type KeepRequest } from './review.js';
import { search, type SearchRequest, type SearchResult } from './search.js';
import { stats, type Stats } from './stats.js';
import {
  emptyTrash,
  forgetEntries,
  listTrash,
  type ForgetRequest,
  type TrashListing,
  type TrashRequest,
} from './trash.js';
import { updateEntry, type UpdateRequest, type UpdateResult } from './update.js';

/** How long a forgotten row can be taken back, in seconds. */
const TRASH_LIFETIME = 30 * 24 * 3600;

/**
 * How long what was removed from the trash may stay in the files at most, where nobody is ever idle, in milliseconds.
 */
const CLEANING_WAIT = 60_000;

/** The use-cases over one store and one model. One engine per storage directory. */
export class Engine {
  private filling: Promise<void> | null = null;
  private readonly failures = new Map<string, number>();
  private modelEnded = false;
  /** Runs while purged text is in the files. */
  private cleaning: ReturnType<Sources['timer']> | null = null;

  private constructor(
    private readonly parts: Parts,
    private readonly report: EngineOptions['report'],
  ) {}

  /** Reads every live row into the search index; resolves when recall can answer. */
  static async open(
    store: MemoryStore,
    embedder: Embedder,
    sources: Sources,
    { report, ...options }: EngineOptions,
  ): Promise<Engine> {
    const index = new MemoryIndex(embedder.dimension);
    for await (const { memory, vector } of store.all(embedder.model))
      index.add(memory, vector?.values ?? null);
    const changes = new ChangeFeed(report);
    const exclusive = createExclusive(sources);
    const parts = { ...options, store, index, embedder, sources, changes, exclusive };
    const engine = new Engine(parts, report);
    engine.fill();
    // Not only when idle: whoever lowers a limit sees it hold from the next start on.
    void retireEpisodes(parts).catch(report);
    return engine;
  }

  recall(request: RecallRequest): Promise<RecallResult> {
    return recall(this.parts, request);
  }

  async remember(request: RememberRequest): Promise<RememberResult> {
    const result = await remember(this.parts, request);
    this.fill();
    return result;
  }

  echo(request: EchoRequest): Promise<EchoResult> {
    return echo(this.parts, request);
  }

  driftReport(request: DriftRequest): Promise<DriftReport> {
    return driftReport(this.parts, request);
  }

  search(request: SearchRequest): Promise<SearchResult> {
    return search(this.parts, request);
  }

  get(request: GetRequest): Promise<Entry> {
    return getEntry(this.parts, request);
  }

  list(request: ListRequest): Promise<Listing> {
    return listEntries(this.parts, request);
  }

  forget(id: string, project: string, call?: Call): Promise<boolean> {
    return forget(this.parts, id, project, call);
  }

  forgetEntries(request: ForgetRequest): Promise<string[]> {
    return forgetEntries(this.parts, request);
  }

  outline(request: OutlineRequest): Promise<Outline> {
    return outline(this.parts, request);
  }

  browse(request: BrowseRequest): Promise<BrowsePage> {
    return browse(this.parts, request);
  }

  /** `own`: the asker's project. */
  details(id: string, own: NamedProject): Promise<EntryDetails> {
    return entryDetails(this.parts, id, own);
  }

  async update(request: UpdateRequest): Promise<UpdateResult> {
    const result = await updateEntry(this.parts, request);
    this.fill();
    return result;
  }

  reviewDrift(request: DriftReviewRequest): Promise<DriftReview> {
    return reviewDrift(this.parts, request);
  }

  markReviewed(ids: readonly string[], project: string): Promise<string[]> {
    return markReviewed(this.parts, ids, project);
  }

  trash(request: TrashRequest): Promise<TrashListing> {
    return listTrash(this.parts, request);
  }

  /**
   * Removes for good what lies in the trash, or with `dryRun` only says how much that is, in rows. The files are cleaned
   * when nobody waits, a minute later at the latest, or at the end; where the process dies, by the next one.
   */
  async emptyTrash({ dryRun }: { readonly dryRun: boolean }): Promise<number> {
    if (dryRun) return (await this.parts.store.state()).trashed;
    const purged = await emptyTrash(this.parts, Number.MAX_VALUE);
    if (purged > 0) this.cleanLater();
    return purged;
  }

  /** See {@link ingest}: takes what a hook saw of a session into memory; false where nothing of it is new. */
  async ingest(session: CapturedSession): Promise<boolean> {
    const changed = await ingest(this.parts, session);
    if (changed) this.fill();
    return changed;
  }

  episodes(request: EpisodesRequest): Promise<EpisodeListing> {
    return listEpisodes(this.parts, request);
  }

  /** `project`: of which it has to be; null for any, as below. */
  episode(id: string, project: string | null = null): Promise<Episode> {
    return getEpisode(this.parts, id, project);
  }

  async keep(request: KeepRequest): Promise<RememberResult> {
    const result = await keepEpisode(this.parts, request);
    this.fill();
    return result;
  }

  discard(ids: readonly string[], project: string | null = null): Promise<string[]> {
    return discardEpisodes(this.parts, ids, project);
  }

  async restore(ids: readonly string[], project: string | null = null): Promise<string[]> {
    const restored = await restoreEntries(this.parts, ids, project);
    this.fill();
    return restored;
  }

  /** What a session of this project is told at its start. */
  brief(project: string): Promise<Brief> {
    return makeBrief(this.parts, project);
  }

  /** Keys of every project that has an entry. */
  projects(): string[] {
    return [...new Set([...this.parts.index.values()].map(({ project }) => project))];
  }

  /**
   * Tells `listener` of every change from now on, once it is on disk and can be found. Returns what ends that.
   * A call that changed nothing, or was answered from the ledger, is no change.
   */
  onChange(listener: ChangeListener): () => void {
    return this.parts.changes.listen(listener);
  }

  stats(project: string): Promise<Stats> {
    return stats(this.parts, project);
  }

  /** What can wait until nobody does: missing vectors, old trash, bringing the store into one compact file. */
  async tidy(): Promise<void> {
    this.fill();
    await retireEpisodes(this.parts);
    await emptyTrash(this.parts, this.parts.sources.now() - TRASH_LIFETIME);
    this.endCleaning();
    await this.parts.exclusive(() => this.parts.store.snapshot());
  }

  /** Calls are answered without the model from now on, and no vectors are filled in. */
  async endModel(): Promise<void> {
    this.modelEnded = true;
    await this.parts.embedder.close();
  }

  /** Finishes the change under way, then closes model and store. */
  async close(): Promise<void> {
    const { exclusive, store } = this.parts;
    this.endCleaning();
    await this.endModel();
    await this.filling;
    await exclusive(() => store.close());
  }

  private cleanLater(): void {
    if (this.cleaning) return;
    const timer = this.parts.sources.timer(CLEANING_WAIT);
    this.cleaning = timer;
    void timer.done
      .then(async () => {
        if (this.cleaning !== timer) return;
        this.cleaning = null;
        await this.parts.exclusive(() => this.parts.store.snapshot());
      })
      .catch(this.report);
  }

  private endCleaning(): void {
    const timer = this.cleaning;
    this.cleaning = null;
    timer?.cancel();
  }

  /** One run at a time; a failed one is taken up again by the next remember or tidying. */
  private fill(): void {
    if (this.filling || this.modelEnded) return;
    this.filling = fillVectors(this.parts, { stopped: () => this.modelEnded, failures: this.failures })
      .catch((error: unknown) => {
        if (!(error instanceof MemoryError && error.reason === 'no_model')) this.report(error);
      })
      .finally(() => {
        this.filling = null;
      });
  }
}

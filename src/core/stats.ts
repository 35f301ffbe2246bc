import { isExpired } from './memory.js';
import { isSeenFrom, visibleTo } from './memoryIndex.js';
import { fourDecimals, type Parts } from './parts.js';
import type { HealthNote } from './ports.js';

export interface Stats {
  readonly total_entries: number;
  readonly last_hit_at: number | null;
  readonly hit_rate_last_100: number;
  readonly by_kind: { readonly memory: number; readonly episode: number };
  readonly expired: number;
  readonly superseded: number;
  readonly trash: number;
  readonly without_vector: number;
  readonly all_projects_entries: number;
  readonly model: {
    readonly name: string;
    readonly state: string;
    readonly runtime: string;
    readonly dimension: number;
    readonly reason?: string;
  };
  readonly store_bytes: number;
  readonly log_bytes: number;
  readonly schema_version: number;
  readonly health: readonly HealthNote[];
}

/** Counts of what this project sees, and how the store and the model are. */
export async function stats(parts: Parts, project: string): Promise<Stats> {
  const state = await parts.store.state();
  const recalls = await parts.store.recalls(project, 100);
  const hits = recalls.filter((record) => record.hit).length;
  return {
    total_entries: parts.index.count(visibleTo(project)),
    last_hit_at: await parts.store.lastHitAt(project),
    hit_rate_last_100: recalls.length === 0 ? 0 : fourDecimals(hits / recalls.length),
    ...countRows(parts, project),
    trash: state.trashed,
    without_vector: parts.index.pending,
    all_projects_entries: parts.index.count(null),
    model: describeModel(parts),
    store_bytes: state.storeBytes,
    log_bytes: state.logBytes,
    schema_version: state.schemaVersion,
    health: [...state.notes, ...modelNote(parts), ...parts.notes()],
  };
}

function countRows(parts: Parts, project: string) {
  const projects = visibleTo(project);
  const now = parts.sources.now();
  const counts = { by_kind: { memory: 0, episode: 0 }, expired: 0, superseded: 0 };
  for (const row of parts.index.values()) {
    if (!isSeenFrom(projects, row)) continue;
    if (row.superseded) counts.superseded += 1;
    else {
      counts.by_kind[row.kind] += 1;
      if (isExpired(row, now)) counts.expired += 1;
    }
  }
  return counts;
}

function describeModel({ embedder }: Parts): Stats['model'] {
  const { model: name, runtime, dimension, state } = embedder;
  const reason = state.status === 'unavailable' ? { reason: state.reason } : {};
  return { name, state: state.status, runtime, dimension, ...reason };
}

function modelNote({ embedder }: Parts): HealthNote[] {
  if (embedder.state.status !== 'unavailable') return [];
  const consequence = 'Until that is mended recall finds identical text only, and search ranks by words.';
  return [{ code: 'no_model', message: `No vectors: ${embedder.state.reason} ${consequence}` }];
}

/** What the server's tools answer, as far as it is used here. Times are epoch seconds. */

export interface ProjectRef {
  readonly key: string;
  readonly name: string;
}

export interface Group {
  /** null: those without a tag. */
  readonly tag?: string | null;
  /** Start of the group; null: all that is older. */
  readonly from?: number | null;
  readonly count: number;
}

export interface OutlinedProject extends ProjectRef {
  readonly current: boolean;
  readonly count: number;
  readonly groups: readonly Group[];
  /** Tags of it that have no group, as there are too many. */
  readonly more_tags?: number;
}

export interface Outline {
  readonly project: ProjectRef;
  readonly projects: readonly OutlinedProject[];
  readonly total: number;
}

export interface ListedMemory {
  readonly entry_id: string;
  readonly task_text: string;
  readonly tags: readonly string[];
  readonly project: ProjectRef;
  readonly source: string;
  readonly stored_at: number;
  readonly expires_at: number | null;
  readonly expired: boolean;
  readonly superseded: boolean;
  readonly hits: number;
  readonly versions: number;
}

export interface Listing {
  readonly total: number;
  readonly entries: readonly ListedMemory[];
  readonly next?: string;
}

export interface Version {
  readonly entry_id: string;
  readonly kind: 'memory' | 'episode';
  readonly task_text: string;
  readonly stored_at: number;
}

export interface Entry {
  readonly entry_id: string;
  readonly kind: 'memory' | 'episode';
  readonly task_text: string;
  readonly answer: string;
  readonly tags: readonly string[];
  readonly project: ProjectRef;
  readonly scope: 'project' | 'global' | 'other_project';
  readonly source: string;
  readonly stored_at: number;
  readonly expires_at: number | null;
  readonly expired: boolean;
  readonly superseded_by: string | null;
  readonly deleted_at: number | null;
  readonly hits: number;
  readonly revision: string;
  readonly history: readonly Version[];
}

export interface Updated {
  readonly entry_id: string;
  readonly changed: boolean;
  readonly conflict?: boolean;
  readonly revision: string;
  readonly warnings?: readonly string[];
}

export interface Stored {
  readonly stored: boolean;
  readonly entry_id?: string;
  readonly refreshed?: boolean;
  readonly warning?: string;
  readonly nearest_task?: string;
  readonly nearest_entry_id?: string;
  readonly note?: string;
  readonly warnings?: readonly string[];
}

export interface ListedEpisode {
  readonly entry_id: string;
  readonly project: string;
  readonly directory: string;
  readonly session_id: string;
  readonly status: 'ingested' | 'kept' | 'discarded';
  readonly stored_at: number;
  readonly turns: number;
  readonly task_text: string;
  readonly outcome: string;
}

export interface EpisodeListing {
  readonly counts: { readonly pending: number; readonly ingested: number };
  readonly episodes: readonly ListedEpisode[];
  readonly next?: string;
}

export interface Episode extends Omit<ListedEpisode, 'turns' | 'outcome'> {
  readonly turns: readonly { readonly task: string; readonly outcome: string; readonly at: number }[];
  readonly kept_as: string | null;
}

export interface Question {
  readonly text: string;
  readonly similarity_min: number;
  readonly similarity_max: number;
  readonly count: number;
  readonly last_at: number;
}

export interface DriftCandidate {
  readonly entry_id: string;
  readonly task_text: string;
  readonly hits: number;
  readonly distinct_queries: number;
  readonly similarity_min: number;
  readonly similarity_max: number;
  readonly similarity_spread: number;
  readonly reviewed: boolean;
  readonly questions: readonly Question[];
}

export interface Drift {
  readonly analyzed_recalls: number;
  readonly candidates: readonly DriftCandidate[];
}

export interface Recalled {
  readonly hit: boolean;
  readonly answer?: string;
  readonly similarity: number;
  readonly entry_id?: string;
  readonly task_text?: string;
  readonly reason?: string;
}

export interface SearchHit {
  readonly entry_id: string;
  readonly score: number;
  readonly task_text: string;
  readonly snippet: string;
  readonly tags: readonly string[];
  readonly kind: 'memory' | 'episode';
  readonly stored_at: number;
}

export interface Trashed {
  readonly total: number;
  readonly entries: readonly {
    readonly entry_id: string;
    readonly kind: 'memory' | 'episode';
    readonly task_text: string;
    readonly project: ProjectRef;
    readonly deleted_at: number;
  }[];
  readonly next?: string;
}

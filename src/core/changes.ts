import { GLOBAL_PROJECT, type Memory } from './memory.js';

/** Rows of which something is different from now on: what was stored, renewed, replaced, forgotten or used. */
export interface Change {
  readonly ids: readonly string[];
  /** Keys of the projects these rows belong to. */
  readonly projects: readonly string[];
  /** Set where a memory that every project sees is among them. */
  readonly shared?: boolean;
  /** Set where some of them are not to be seen any more. */
  readonly forgotten?: boolean;
  /** Set where the rows are as they were, and only what is known of them has changed: their use, what lies in the trash. */
  readonly bookkeeping?: boolean;
}

export type ChangeListener = (change: Change) => void;

/** Tells everybody who listens; what a listener throws goes to `report`. */
export class ChangeFeed {
  private readonly listeners = new Set<{ readonly hear: ChangeListener }>();

  constructor(private readonly report: (error: unknown) => void) {}

  /** Returns what ends the listening. */
  listen(hear: ChangeListener): () => void {
    const listener = { hear };
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  tell(
    rows: readonly Pick<Memory, 'id' | 'kind' | 'project'>[],
    { forgotten = false, bookkeeping = false }: Pick<Change, 'forgotten' | 'bookkeeping'> = {},
  ): void {
    const shared = rows.some(({ kind, project }) => kind === 'memory' && project === GLOBAL_PROJECT);
    const change = {
      ids: rows.map(({ id }) => id),
      projects: [...new Set(rows.map(({ project }) => project))],
      ...(shared ? { shared } : {}),
      ...(forgotten ? { forgotten } : {}),
      ...(bookkeeping ? { bookkeeping } : {}),
    };
    for (const { hear } of [...this.listeners]) {
      try {
        hear(change);
      } catch (error) {
        this.report(error);
      }
    }
  }
}

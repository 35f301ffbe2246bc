import { isExpired } from './memory.js';
import type { Row } from './memoryIndex.js';
import type { Parts } from './parts.js';
import { foldIdentity } from './text.js';

/** Rows looked at before others have a turn: far below what anybody notices. */
const SLICE = 1000;

/** Shows every row as it is now to `visit`, in order of storing. Others have turns in between. */
export async function eachRow(parts: Parts, visit: (row: Row) => void): Promise<void> {
  // A copy: a row that is written again meanwhile must not be seen twice.
  for (const [at, row] of [...parts.index.values()].entries()) {
    if (at % SLICE === SLICE - 1) await parts.sources.turn();
    visit(row);
  }
}

/** What people look through. */
export interface Browsed {
  /** Words that all have to be part of the task or of a tag, whatever their case. */
  readonly filter?: string | undefined;
  /** Expired and superseded memories, too. */
  readonly hidden: boolean;
}

/** Whether a row is a memory people want to see. `now` is epoch seconds. */
export function browsedBy({ filter = '', hidden }: Browsed, now: number): (row: Row) => boolean {
  const words = foldIdentity(filter)
    .split(' ')
    .filter((word) => word !== '');
  // The same few tags are on most rows.
  const folds = new Map<string, string>();
  const folded = (tag: string) => {
    const known = folds.get(tag) ?? foldIdentity(tag);
    folds.set(tag, known);
    return known;
  };
  return (row) => {
    if (row.kind !== 'memory') return false;
    if (!hidden && (row.superseded || isExpired(row, now))) return false;
    return words.every(
      (word) => row.text.includes(word) || row.tags.some((tag) => folded(tag).includes(word)),
    );
  };
}

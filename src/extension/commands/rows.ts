import type { DriftNode } from '../views/driftView.js';
import { focusedRows, type Selecting } from '../views/focusedRows.js';
import type { InboxNode } from '../views/inboxView.js';
import type { Node } from '../views/memoryNodes.js';
import type { Window } from '../window.js';

export type Row = Node | InboxNode | DriftNode;

/**
 * The rows a command is about. With the mouse the editor hands over the row under the pointer and, where that is one of
 * them, the selected ones; with a key it hands over nothing.
 */
export async function rowsOf(
  { views }: Pick<Window, 'views'>,
  row: Row | undefined,
  selected?: readonly Row[],
): Promise<readonly Row[]> {
  if (selected && selected.length > 0) return selected;
  if (row !== undefined) return [row];
  const all: readonly Selecting<Row>[] = [views.memories.view, views.inbox.view, views.drift.view];
  return await focusedRows(all);
}

/** Each of what has the same id once. */
export function eachOnce<Named>(named: readonly Named[], id: (one: Named) => string): Named[] {
  return [...new Map(named.map((one) => [id(one), one])).values()];
}

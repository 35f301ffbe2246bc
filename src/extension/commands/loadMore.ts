import type { Window } from '../window.js';
import { rowsOf, type Row } from './rows.js';

/** Shows more rows of what the row stands for. */
export async function loadMore(window: Window, row?: Row): Promise<void> {
  const [end] = await rowsOf(window, row);
  if (end?.kind === 'more') window.views.memories.loadMore(end);
  if (end?.kind === 'older') window.views.inbox.loadMore();
}

import * as vscode from 'vscode';
import { VIEWS } from '../contributions.js';
import { openDocument } from '../documents/openDocument.js';
import type { EpisodeListing, ListedEpisode } from '../results.js';
import type { InboxNode } from '../views/inboxView.js';
import type { Window } from '../window.js';
import { confirmed, offerUndo, requireTrust } from './confirm.js';
import { inBatches } from './longWork.js';
import { restore, rowsOf, shortened } from './memories.js';

export async function showInbox(): Promise<void> {
  await vscode.commands.executeCommand(`${VIEWS.inbox}.focus`);
}

export async function openTranscript(_window: Window, row?: InboxNode): Promise<void> {
  const episode = episodesOf(row ? [row] : [])[0];
  if (episode) await openDocument({ kind: 'episode', id: episode.entry_id }, episode.task_text);
}

/** Opens a draft of the memory an episode would become; saving it keeps the episode. */
export async function keepEpisode({ views }: Window, row?: InboxNode): Promise<void> {
  requireTrust();
  const [episode] = episodesOf(row ? [row] : views.inbox.selection);
  if (episode)
    await openDocument({ kind: 'keep', id: episode.entry_id }, episode.task_text, { preview: false });
}

export async function discardEpisodes(
  window: Window,
  row?: InboxNode,
  selected?: readonly InboxNode[],
): Promise<void> {
  requireTrust();
  const episodes = episodesOf(rowsOf(row, selected, window.views.inbox.selection));
  await discard(window, episodes);
}

/** Discards an episode and whatever waits longer than it, of all projects. */
export async function discardOlder(window: Window, row?: InboxNode): Promise<void> {
  requireTrust();
  const [newest] = episodesOf(row ? [row] : window.views.inbox.selection);
  if (!newest) return;
  const episodes: ListedEpisode[] = [];
  let cursor: string | undefined;
  do {
    const page: EpisodeListing = await window.memory.call<EpisodeListing>('episodes', {
      scope: 'all',
      status: 'ingested',
      limit: 200,
      ...(cursor !== undefined && { cursor }),
    });
    episodes.push(...page.episodes);
    cursor = page.next;
  } while (cursor !== undefined);
  // Of the same time those behind it in the list.
  const at = episodes.findIndex(({ entry_id }) => entry_id === newest.entry_id);
  const older = at === -1 ? [] : episodes.slice(at);
  const question = vscode.l10n.t('Discard {0} sessions, of all projects?', older.length);
  const detail = vscode.l10n.t('They stay in the trash for 30 days and can be restored from there.');
  if (older.length > 1 && !(await confirmed(question, detail, vscode.l10n.t('Discard')))) return;
  await discard(window, older);
}

async function discard({ memory }: Window, episodes: readonly ListedEpisode[]): Promise<void> {
  const [first] = episodes;
  if (!first) return;
  const discarded = await inBatches(
    vscode.l10n.t('Discarding'),
    episodes.map(({ entry_id }) => entry_id),
    async (ids) =>
      (await memory.call<{ discarded: string[] }>('discard', { entry_ids: ids, any_project: true }))
        .discarded,
  );
  if (discarded.length === 0) return;
  const done =
    discarded.length === 1
      ? vscode.l10n.t('Discarded "{0}".', shortened(first.task_text))
      : vscode.l10n.t('Discarded {0} sessions.', discarded.length);
  void offerUndo(done, () => restore(memory, discarded));
}

function episodesOf(rows: readonly InboxNode[]): ListedEpisode[] {
  const found = rows.flatMap((row) => ('episode' in row ? [row.episode] : []));
  return [...new Map(found.map((episode) => [episode.entry_id, episode])).values()];
}

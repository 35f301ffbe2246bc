import * as vscode from 'vscode';
import { VIEWS } from '../contributions.js';
import { openDocument } from '../documents/openDocument.js';
import type { EpisodeListing, ListedEpisode } from '../results.js';
import type { Window } from '../window.js';
import { offerUndo } from './attempt.js';
import { confirmed, listed, requireTrust } from './confirm.js';
import { withMany } from './longWork.js';
import { restore, shortened } from './memories.js';
import { eachOnce, rowsOf, type Row } from './rows.js';

export async function showInbox(): Promise<void> {
  await vscode.commands.executeCommand(`${VIEWS.inbox}.focus`);
}

export async function openTranscript(window: Window, row?: Row): Promise<void> {
  const [episode] = await episodesOf(window, row);
  await openDocument({ kind: 'episode', id: episode.entry_id }, episode.task_text);
}

/** Opens a draft of the memory an episode would become; saving it keeps the episode. */
export async function keepEpisode(window: Window, row?: Row): Promise<void> {
  requireTrust();
  const [episode] = await episodesOf(window, row);
  await openDocument({ kind: 'keep', id: episode.entry_id }, episode.task_text, { preview: false });
}

/** Discards what is selected, and offers to take that back; of several it asks first. */
export async function discardEpisodes(window: Window, row?: Row, selected?: readonly Row[]): Promise<void> {
  requireTrust();
  const episodes = await episodesOf(window, row, selected);
  const question = vscode.l10n.t('Discard {0} sessions?', episodes.length);
  if (episodes.length > 1 && !(await confirmDiscard(question, episodes))) return;
  await discard(window, episodes);
}

/** Discards an episode and whatever waits longer than it, of all projects. */
export async function discardOlder(window: Window, row?: Row): Promise<void> {
  requireTrust();
  const [newest] = await episodesOf(window, row);
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
  if (older.length > 1 && !(await confirmDiscard(question, older))) return;
  await discard(window, older);
}

async function confirmDiscard(question: string, episodes: readonly ListedEpisode[]): Promise<boolean> {
  const stay = vscode.l10n.t('They stay in the trash for 30 days and can be restored from there.');
  const names = listed(episodes.map(({ task_text }) => shortened(task_text)));
  return await confirmed(question, `${names}\n\n${stay}`, vscode.l10n.t('Discard'));
}

async function discard(window: Window, episodes: readonly ListedEpisode[]): Promise<void> {
  const discarded = await withMany(
    vscode.l10n.t('Discarding'),
    episodes.map(({ entry_id }) => entry_id),
    async (ids) =>
      (await window.memory.call<{ discarded: string[] }>('discard', { entry_ids: ids, any_project: true }))
        .discarded,
  );
  const [first] = episodes.filter(({ entry_id }) => discarded.includes(entry_id));
  if (!first) throw new Error(vscode.l10n.t('Nothing was discarded: it no longer waits in the inbox.'));
  const done =
    episodes.length === 1
      ? vscode.l10n.t('Discarded "{0}".', shortened(first.task_text))
      : discarded.length === episodes.length
        ? vscode.l10n.t('Discarded {0} sessions.', discarded.length)
        : vscode.l10n.t('Discarded {0} of {1} sessions.', discarded.length, episodes.length);
  void offerUndo(window, done, () => restore(window, discarded));
}

/** The episodes that rows stand for, each once; at least one. */
async function episodesOf(
  window: Window,
  row: Row | undefined,
  selected?: readonly Row[],
): Promise<[ListedEpisode, ...ListedEpisode[]]> {
  const rows = await rowsOf(window, row, selected);
  const found = rows.flatMap((one) => ('episode' in one ? [one.episode] : []));
  const [first, ...others] = eachOnce(found, ({ entry_id }) => entry_id);
  if (!first) throw new Error(vscode.l10n.t('Choose a session in the inbox first.'));
  return [first, ...others];
}

import * as vscode from 'vscode';
import { commandId, type CommandName } from '../contributions.js';
import type { Window } from '../window.js';
import { attempt } from './attempt.js';
import { connectClient, disconnectClient } from './clients.js';
import { addGuidance, removeGuidance } from './guidance.js';
import { runDoctor } from './doctor.js';
import { markReviewed, rewriteTask, showDriftReport, splitMemory } from './drift.js';
import { openMemory, recall, search } from './find.js';
import { installClaudeHooks, removeClaudeHooks } from './hooks.js';
import { discardEpisodes, discardOlder, keepEpisode, openTranscript, showInbox } from './inbox.js';
import { compareVersion, copyAnswer, editMemory, filterMemories, forgetMemories } from './memories.js';
import { loadMore } from './loadMore.js';
import { rememberSelection } from './remember.js';
import { emptyTrash, restoreFromTrash } from './trash.js';
import { chooseProject, openSettings, restartServer } from './window.js';

/** The editor hands over the row under the pointer and, of a view, the selected ones. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Act = (window: Window, row?: any, selected?: any) => unknown;

const ACTS: Readonly<Record<CommandName, Act>> = {
  rememberSelection,
  recall,
  search,
  openMemory,
  showDriftReport,
  showInbox,
  connectClient,
  disconnectClient,
  addGuidance,
  removeGuidance,
  installHooks: installClaudeHooks,
  removeHooks: removeClaudeHooks,
  runDoctor,
  chooseProject,
  openSettings,
  showLog: ({ log }) => log.show(),
  restartServer,
  restoreFromTrash,
  emptyTrash,
  refresh: ({ views }) => {
    for (const view of Object.values(views)) view.refresh();
  },
  filterMemories,
  clearFilter: ({ views }) => views.memories.setFilter(''),
  groupByTag: ({ views }) => views.memories.setState({ groupBy: 'tag' }),
  groupByTime: ({ views }) => views.memories.setState({ groupBy: 'time' }),
  showHidden: ({ views }) => views.memories.setState({ hidden: true }),
  hideHidden: ({ views }) => views.memories.setState({ hidden: false }),
  loadMore,
  copyAnswer,
  editMemory,
  forgetMemories,
  compareVersion,
  keepEpisode,
  discardEpisodes,
  discardOlder,
  openTranscript,
  splitMemory,
  rewriteTask,
  markReviewed,
};

/** Registers every command; one that fails says why in the editor and in the log. */
export function registerCommands(window: Window): vscode.Disposable {
  const registrations = Object.entries(ACTS).map(([name, act]) =>
    vscode.commands.registerCommand(commandId(name as CommandName), (row: unknown, selected: unknown) =>
      attempt(window, name, () => act(window, row, selected)),
    ),
  );
  return vscode.Disposable.from(...registrations);
}

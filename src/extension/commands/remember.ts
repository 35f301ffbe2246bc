import { basename } from 'node:path/posix';
import * as vscode from 'vscode';
import { openDocument } from '../documents/openDocument.js';
import { plainMessage } from '../plainMessage.js';
import type { Stored } from '../results.js';
import type { Window } from '../window.js';
import { attempt, offerUndo, type Saying } from './attempt.js';
import { requireTrust } from './confirm.js';

const TASK_LENGTH = 200;

/** Stores the selected text under a task the user may word, with the language and the file as tags. */
export async function rememberSelection(window: Window): Promise<void> {
  requireTrust();
  const editor = vscode.window.activeTextEditor;
  const answer = editor?.document.getText(editor.selection) ?? '';
  if (!editor || answer.trim() === '') {
    throw new Error(vscode.l10n.t('Nothing is selected. Select the text to remember in an editor first.'));
  }
  const task = await vscode.window.showInputBox({
    title: vscode.l10n.t('Remember Selection'),
    prompt: vscode.l10n.t('The task it answers, in one sentence: it is found again by that.'),
    value: firstLine(answer),
    validateInput: (text) =>
      text.trim() === '' ? vscode.l10n.t('Write the task in one sentence.') : undefined,
  });
  if (task === undefined) return;
  const { languageId, uri } = editor.document;
  const tags = [...new Set([languageId, basename(uri.path)].filter((tag) => tag !== ''))];
  const stored = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Remembering') },
    () => window.memory.call<Stored>('remember', { task, answer, tags }),
  );
  say(window, stored, task);
}

/** Tells what came of storing something, and offers what may be wanted next. */
export function say(window: Saying & Pick<Window, 'memory'>, stored: Stored, task: string): void {
  const id = stored.entry_id;
  for (const warning of stored.warnings ?? []) void vscode.window.showWarningMessage(plainMessage(warning));
  if (stored.warning === 'near_duplicate' && stored.nearest_entry_id !== undefined) {
    const nearest = { id: stored.nearest_entry_id, task: stored.nearest_task ?? '' };
    const open = vscode.l10n.t('Open the Other');
    const words = vscode.l10n.t('Remembered. Another memory is close to it: "{0}".', nearest.task);
    void attempt(window, 'open', async () => {
      if ((await vscode.window.showWarningMessage(plainMessage(words), open)) === open)
        await openDocument({ kind: 'memory', id: nearest.id }, nearest.task);
    });
    return;
  }
  if (id === undefined) return;
  if (stored.refreshed === true) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('This was remembered already; it is as new now.'),
    );
    return;
  }
  void offerUndo(
    window,
    vscode.l10n.t('Remembered "{0}".', task.length > 80 ? `${task.slice(0, 79)}…` : task),
    async () => {
      type Forgotten = { readonly forgotten: readonly string[] };
      const asked = { entry_ids: [id], any_project: true };
      const { forgotten } = await window.memory.call<Forgotten>('forget_entries', asked);
      if (forgotten.length === 0)
        throw new Error(vscode.l10n.t('Nothing was forgotten: it is no longer there.'));
    },
  );
}

/** The first line with a letter in it, without the signs of a comment. */
function firstLine(text: string): string {
  const line = text.split('\n').find((one) => /\p{L}/u.test(one)) ?? '';
  return line
    .trim()
    .replace(/^(?:\/\/+|\/?\*+|#+|--|<!--|;+|%+)\s*/, '')
    .slice(0, TASK_LENGTH)
    .trim();
}

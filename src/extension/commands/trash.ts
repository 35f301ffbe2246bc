import * as vscode from 'vscode';
import { oneLine } from '../documents/reports.js';
import type { Trashed } from '../results.js';
import { ageOf } from '../views/age.js';
import type { Window } from '../window.js';
import { confirmed, requireTrust } from './confirm.js';

const SHOWN = 200;

/** Lets the user pick from what was forgotten, newest first. */
export async function restoreFromTrash({ memory }: Window): Promise<void> {
  requireTrust();
  const { entries, total } = await memory.call<Trashed>('trash', { limit: SHOWN });
  if (total === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The trash is empty.'));
    return;
  }
  const now = Date.now() / 1000;
  const items = entries.map(({ entry_id, kind, task_text, project, deleted_at }) => ({
    id: entry_id,
    label: `$(${kind === 'episode' ? 'comment-discussion' : 'note'}) ${oneLine(task_text)}`,
    description: [
      project.key === '' ? vscode.l10n.t('All projects') : project.name,
      ageOf(deleted_at, now, vscode.env.language),
    ].join(' · '),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Restore from Trash (newest first)'),
    canPickMany: true,
    matchOnDescription: true,
  });
  if (!picked || picked.length === 0) return;
  const { restored } = await memory.call<{ restored: string[] }>('restore', {
    entry_ids: picked.map(({ id }) => id),
    any_project: true,
  });
  void vscode.window.showInformationMessage(
    restored.length === 1
      ? vscode.l10n.t('Restored 1 entry.')
      : vscode.l10n.t('Restored {0} entries.', restored.length),
  );
}

/** Removes for good what was forgotten, having said how much that is. */
export async function emptyTrash({ memory }: Window): Promise<void> {
  requireTrust();
  const { entries } = await memory.call<{ entries: number }>('empty_trash', { dry_run: true });
  if (entries === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The trash is empty.'));
    return;
  }
  const question =
    entries === 1
      ? vscode.l10n.t('Delete the 1 entry in the trash for good?')
      : vscode.l10n.t('Delete the {0} entries in the trash for good?', entries);
  const detail = vscode.l10n.t('They belong to all projects. This cannot be undone.');
  if (!(await confirmed(question, detail, vscode.l10n.t('Delete')))) return;
  const done = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Emptying the trash') },
    () => memory.call<{ entries: number }>('empty_trash'),
  );
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The trash is empty now; {0} deleted.', done.entries),
  );
}

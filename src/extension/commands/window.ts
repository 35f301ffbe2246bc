import * as vscode from 'vscode';
import { choosePlace, diskFolders } from '../place.js';
import type { Outline } from '../results.js';
import type { Window } from '../window.js';

/** Whose memory this window uses: a folder's, or that of a project with a name. Kept for this workspace. */
export async function chooseProject(window: Window): Promise<void> {
  const { projects } = await window.memory.call<Outline>('outline');
  type Item = vscode.QuickPickItem & {
    readonly choose?: () => Promise<{ folder?: string; project?: string } | null>;
  };
  const current = window.place();
  const mark = (is: boolean) => (is ? vscode.l10n.t('current') : '');
  const folders = diskFolders().map(({ name, uri }): Item => ({
    label: `$(folder) ${name}`,
    description: mark(current.project === null && current.directory === uri.fsPath),
    detail: uri.fsPath,
    choose: () => Promise.resolve({ folder: uri.toString() }),
  }));
  const named = projects
    .filter(({ key }) => key.startsWith('namespace:'))
    .map(({ name, count }): Item => ({
      label: `$(bookmark) ${name}`,
      description: [vscode.l10n.t('{0} memories', count), mark(current.project === name)]
        .filter((part) => part !== '')
        .join(' · '),
      choose: () => Promise.resolve({ project: name }),
    }));
  const other: Item = {
    label: `$(edit) ${vscode.l10n.t('Another name...')}`,
    detail: vscode.l10n.t('Windows and clients with the same name share one memory, whatever their folder.'),
    choose: async () => {
      const project = await vscode.window.showInputBox({
        title: vscode.l10n.t('Choose Project'),
        prompt: vscode.l10n.t('Name of the project whose memory is used in this workspace.'),
        validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Write a name.') : undefined),
      });
      return project === undefined ? null : { project: project.trim() };
    },
  };
  const heading = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const picked = await vscode.window.showQuickPick(
    [
      ...(folders.length === 0 ? [] : [heading(vscode.l10n.t('Folders')), ...folders]),
      ...[heading(vscode.l10n.t('Names')), ...named, other],
    ],
    { title: vscode.l10n.t('Choose Project') },
  );
  const choice = await picked?.choose?.();
  if (!choice) return;
  await choosePlace(window.state, choice);
  window.launchChanged();
}

export async function openSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:subconscious.subconscious-mcp');
}

export function restartServer({ memory }: Window): void {
  memory.restart();
}

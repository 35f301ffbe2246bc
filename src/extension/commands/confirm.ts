import * as vscode from 'vscode';

/** Asks before something is changed that others rely on; false where the answer is no. */
export async function confirmed(question: string, detail: string, yes: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

/** Throws, in words for people, where the folder of this window is not trusted. */
export function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new Error(
    vscode.l10n.t(
      'This folder is not trusted: memories can be read here, not changed. Trust it first (Workspaces: Manage Workspace Trust).',
    ),
  );
}

/** Says that something was done, and undoes it where that is wanted. */
export async function offerUndo(done: string, undo: () => Promise<void>): Promise<void> {
  const label = vscode.l10n.t('Undo');
  if ((await vscode.window.showInformationMessage(done, label)) === label) await undo();
}

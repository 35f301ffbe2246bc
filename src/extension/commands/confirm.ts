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

/** Names shown in a question about many things. */
const NAMED = 5;

/** The first of many names, each on a line of its own, and how many more there are. */
export function listed(names: readonly string[]): string {
  const left = names.length - NAMED;
  const shown = names.slice(0, NAMED).map((name) => `- ${name}`);
  return [...shown, ...(left > 0 ? [vscode.l10n.t('and {0} more', left)] : [])].join('\n');
}

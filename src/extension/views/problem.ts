import * as vscode from 'vscode';
import { commandId } from '../contributions.js';
import type { Memory } from '../memory.js';

/** Stands where rows could not be read. */
export interface ProblemNode {
  readonly kind: 'problem';
  readonly message: string;
}

/**
 * The rows, or one that says why there are none. Where there is no server the welcome text of the view says so, and
 * what to do.
 */
export async function rowsOrProblem<Node>(
  memory: Pick<Memory, 'isFailed'>,
  read: () => Promise<Node[]>,
): Promise<(Node | ProblemNode)[]> {
  try {
    return await read();
  } catch (error) {
    if (memory.isFailed) return [];
    return [{ kind: 'problem', message: error instanceof Error ? error.message : String(error) }];
  }
}

export function problemItem({ message }: ProblemNode): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('This could not be read: {0}', message));
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('errorForeground'));
  item.tooltip = message;
  item.command = { command: commandId('showLog'), title: vscode.l10n.t('Show Log') };
  return item;
}

import * as vscode from 'vscode';
import { plainMessage } from '../plainMessage.js';
import type { Window } from '../window.js';

/** Where a failure is said: in the log and, unless it was said already, in the editor. */
export type Saying = Pick<Window, 'log'> & { readonly memory: Pick<Window['memory'], 'isFailed'> };

/** Does something a user asked for; a failure is told in words and ends there. */
export async function attempt({ log, memory }: Saying, what: string, act: () => unknown): Promise<void> {
  try {
    await act();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log.error(`${what}: ${message}`);
    // A server that cannot be started was said already.
    if (!memory.isFailed) void vscode.window.showErrorMessage(plainMessage(message));
  }
}

/** Says that something was done, and undoes it where that is wanted. */
export async function offerUndo(window: Saying, done: string, undo: () => Promise<void>): Promise<void> {
  const label = vscode.l10n.t('Undo');
  if ((await vscode.window.showInformationMessage(plainMessage(done), label)) === label)
    await attempt(window, 'undo', undo);
}

import * as vscode from 'vscode';
import { plainMessage } from '../plainMessage.js';
import type { Entry } from '../results.js';
import type { DocumentWorld } from './documentWorld.js';
import { refused } from './failures.js';
import { oneLine } from './reports.js';

/** Memories whose question is still open. */
const asked = new Set<string>();

/** What the save of a forgotten memory fails with; beside it, the memory is offered to be restored. */
export function offerRestore(world: DocumentWorld, entry: Entry): vscode.FileSystemError {
  void askOnce(world, entry);
  return refused(
    vscode.l10n.t(
      'This memory was forgotten and lies in the trash. Nothing was saved; restore it, then save again.',
    ),
  );
}

/** One that saves by itself fails again and again. */
async function askOnce(world: DocumentWorld, { entry_id, task_text }: Entry): Promise<void> {
  if (asked.has(entry_id)) return;
  asked.add(entry_id);
  try {
    const restore = vscode.l10n.t('Restore');
    const words = vscode.l10n.t('"{0}" lies in the trash. Restore it?', oneLine(task_text));
    if ((await vscode.window.showWarningMessage(plainMessage(words), restore)) !== restore) return;
    await restoreEntry(world, entry_id);
    void vscode.window.showInformationMessage(
      vscode.l10n.t('It is restored. Save the document again to store what you wrote.'),
    );
  } catch (error) {
    void vscode.window.showErrorMessage(plainMessage(error instanceof Error ? error.message : String(error)));
  } finally {
    asked.delete(entry_id);
  }
}

async function restoreEntry({ memory }: DocumentWorld, id: string): Promise<void> {
  const request = { entry_ids: [id], any_project: true };
  const { restored } = await memory.call<{ readonly restored: readonly string[] }>('restore', request);
  if (restored.length === 0) {
    throw new Error(vscode.l10n.t('Nothing was restored: it is no longer in the trash.'));
  }
}

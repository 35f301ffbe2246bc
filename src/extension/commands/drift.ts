import * as vscode from 'vscode';
import { openDocument } from '../documents/openDocument.js';
import { oneLine } from '../documents/reports.js';
import type { DriftCandidate, Updated } from '../results.js';
import type { DriftNode } from '../views/driftView.js';
import type { Window } from '../window.js';
import { offerUndo, requireTrust } from './confirm.js';
import { rowsOf } from './memories.js';

export async function showDriftReport(): Promise<void> {
  await openDocument({ kind: 'report', id: 'drift' }, vscode.l10n.t('Drift report'));
}

/** Opens a draft of a memory for one of the questions, with the answer they share; saving it stores it. */
export async function splitMemory({ views }: Window, row?: DriftNode): Promise<void> {
  requireTrust();
  const [node] = rowsOf(row, undefined, views.drift.selection);
  if (!node || node.kind === 'problem') return;
  const { candidate } = node;
  const question =
    node.kind === 'question'
      ? node.question.text
      : await pickQuestion(candidate, vscode.l10n.t('Split: a memory of its own for which question?'));
  if (question === undefined) return;
  await openDocument({ kind: 'split', id: JSON.stringify([candidate.entry_id, question]) }, question, {
    preview: false,
  });
}

/** Words the task of a memory anew, so that it is found for what it answers. */
export async function rewriteTask({ memory, views }: Window, row?: DriftNode): Promise<void> {
  requireTrust();
  const [node] = rowsOf(row, undefined, views.drift.selection);
  if (!node || node.kind === 'problem') return;
  const { entry_id, task_text } = node.candidate;
  const task = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rewrite Task'),
    prompt: vscode.l10n.t('The task its answer is right for, in one sentence; the memory is found by that.'),
    value: task_text,
    validateInput: (text) =>
      text.trim() === '' ? vscode.l10n.t('Write the task in one sentence.') : undefined,
  });
  if (task === undefined || task === task_text) return;
  await memory.call<Updated>('update', { entry_id, task, any_project: true });
  void offerUndo(vscode.l10n.t('The task was rewritten.'), async () => {
    await memory.call<Updated>('update', { entry_id, task: task_text, any_project: true });
  });
}

/** Hides candidates until a question comes that had not been asked before. */
export async function markReviewed(
  { memory, views }: Window,
  row?: DriftNode,
  selected?: readonly DriftNode[],
): Promise<void> {
  requireTrust();
  const rows = rowsOf(row, selected, views.drift.selection);
  const ids = [...new Set(rows.flatMap((one) => (one.kind === 'problem' ? [] : [one.candidate.entry_id])))];
  if (ids.length > 0) await memory.call('mark_reviewed', { entry_ids: ids });
}

async function pickQuestion({ questions }: DriftCandidate, title: string): Promise<string | undefined> {
  const items = questions.map(({ text, similarity_min, count }) => ({
    label: oneLine(text),
    description: vscode.l10n.t('similarity {0}, {1} times', similarity_min.toFixed(2), count),
    text,
  }));
  return (await vscode.window.showQuickPick(items, { title }))?.text;
}

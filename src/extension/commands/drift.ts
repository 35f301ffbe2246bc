import * as vscode from 'vscode';
import { openDocument } from '../documents/openDocument.js';
import { oneLine } from '../documents/reports.js';
import type { DriftCandidate, Updated } from '../results.js';
import type { CandidateNode, QuestionNode } from '../views/driftView.js';
import type { Window } from '../window.js';
import { offerUndo } from './attempt.js';
import { requireTrust } from './confirm.js';
import { rowsOf, type Row } from './rows.js';

type Drifting = CandidateNode | QuestionNode;

export async function showDriftReport(): Promise<void> {
  await openDocument({ kind: 'report', id: 'drift' }, vscode.l10n.t('Drift report'));
}

/** Opens a draft of a memory for one of the questions, with the answer they share; saving it stores it. */
export async function splitMemory(window: Window, row?: Row): Promise<void> {
  requireTrust();
  const [node] = await nodesOf(window, row);
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
export async function rewriteTask(window: Window, row?: Row): Promise<void> {
  requireTrust();
  const { memory } = window;
  const [node] = await nodesOf(window, row);
  const { entry_id, task_text } = node.candidate;
  const task = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rewrite Task'),
    prompt: vscode.l10n.t('The task its answer is right for, in one sentence; the memory is found by that.'),
    value: task_text,
    validateInput: (text) =>
      text.trim() === '' ? vscode.l10n.t('Write the task in one sentence.') : undefined,
  });
  if (task === undefined || task === task_text) return;
  const { revision } = await memory.call<Updated>('update', { entry_id, task, any_project: true });
  void offerUndo(window, vscode.l10n.t('The task was rewritten.'), async () => {
    const before = { entry_id, task: task_text, revision, any_project: true };
    const { conflict } = await memory.call<Updated>('update', before);
    if (conflict === true) throw new Error(vscode.l10n.t('It was changed since, and stays as it is now.'));
  });
}

/** Hides candidates until a question comes that had not been asked before. */
export async function markReviewed(window: Window, row?: Row, selected?: readonly Row[]): Promise<void> {
  requireTrust();
  const nodes = await nodesOf(window, row, selected);
  const ids = [...new Set(nodes.map(({ candidate }) => candidate.entry_id))];
  await window.memory.call('mark_reviewed', { entry_ids: ids });
}

/** What rows of this view stand for; at least one. */
async function nodesOf(
  window: Window,
  row: Row | undefined,
  selected?: readonly Row[],
): Promise<[Drifting, ...Drifting[]]> {
  const rows = await rowsOf(window, row, selected);
  const [first, ...others] = rows.flatMap((one) => ('candidate' in one ? [one] : []));
  if (!first) throw new Error(vscode.l10n.t('Choose a memory in the Drift view first.'));
  return [first, ...others];
}

async function pickQuestion({ questions }: DriftCandidate, title: string): Promise<string | undefined> {
  const items = questions.map(({ text, similarity_min, count }) => ({
    label: oneLine(text),
    description: vscode.l10n.t('similarity {0}, {1} times', similarity_min.toFixed(2), count),
    text,
  }));
  return (await vscode.window.showQuickPick(items, { title }))?.text;
}

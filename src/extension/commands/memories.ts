import * as vscode from 'vscode';
import { openDocument, uriOf } from '../documents/openDocument.js';
import { oneLine } from '../documents/reports.js';
import type { Entry } from '../results.js';
import type { DriftNode } from '../views/driftView.js';
import type { Node, VersionNode } from '../views/memoryNodes.js';
import type { Window } from '../window.js';
import { confirmed, offerUndo, requireTrust } from './confirm.js';
import { inBatches } from './longWork.js';

interface Named {
  readonly id: string;
  readonly task: string;
}

/** The rows a command is about: what is selected where the row under the pointer belongs to it, else that row. */
export function rowsOf<Row>(
  row: Row | undefined,
  selected: readonly Row[] | undefined,
  selection: readonly Row[],
): readonly Row[] {
  if (selected && selected.length > 0) return selected;
  return row === undefined ? selection : [row];
}

/** Opens a memory as a document that can be edited. */
export async function editMemory(_window: Window, row?: Node | DriftNode): Promise<void> {
  const [named] = row ? entriesOf([row]) : [];
  if (named) await openDocument({ kind: 'memory', id: named.id }, named.task);
}

export async function copyAnswer({ memory }: Window, row?: Node): Promise<void> {
  const [named] = row ? entriesOf([row]) : [];
  if (!named) return;
  const { answer } = await memory.call<Entry>('get_entry', { entry_id: named.id });
  await vscode.env.clipboard.writeText(answer);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Answer copied'), 3000);
}

/** Shows what an earlier version said beside what is said now. */
export async function compareVersion(_window: Window, row?: VersionNode): Promise<void> {
  if (row?.kind !== 'version') return;
  const { version, current } = row;
  const [before, now] = [
    uriOf({ kind: 'memory', id: version.entry_id }, version.task_text),
    uriOf({ kind: 'memory', id: current.entry_id }, current.task_text),
  ];
  const title = vscode.l10n.t('{0} (earlier and now)', oneLine(current.task_text));
  await vscode.commands.executeCommand('vscode.diff', before, now, title, { preview: true });
}

/** Forgets what is selected, after one question, and offers to take that back. */
export async function forgetMemories(
  { memory, views }: Window,
  row?: Node | DriftNode,
  selected?: readonly (Node | DriftNode)[],
): Promise<void> {
  requireTrust();
  const entries = entriesOf(rowsOf<Node | DriftNode>(row, selected, views.memories.selection));
  const [first] = entries;
  if (!first) return;
  const question =
    entries.length === 1
      ? vscode.l10n.t('Forget "{0}"?', shortened(first.task))
      : vscode.l10n.t('Forget {0} memories?', entries.length);
  const detail = vscode.l10n.t(
    'What is forgotten stays in the trash for 30 days and can be restored from there.',
  );
  if (!(await confirmed(question, detail, vscode.l10n.t('Forget')))) return;
  const forgotten = await inBatches(
    vscode.l10n.t('Forgetting'),
    entries.map(({ id }) => id),
    async (ids) =>
      (await memory.call<{ forgotten: string[] }>('forget_entries', { entry_ids: ids, any_project: true }))
        .forgotten,
  );
  const wanted = new Set(entries.map(({ id }) => id));
  const count = forgotten.filter((id) => wanted.has(id)).length;
  const done =
    count === 1
      ? vscode.l10n.t('Forgot "{0}".', shortened(first.task))
      : vscode.l10n.t('Forgot {0} memories.', count);
  void offerUndo(done, () => restore(memory, forgotten));
}

export async function filterMemories({ views }: Window): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Filter Memories'),
    prompt: vscode.l10n.t('Memories with all of these words in their task or tags are shown.'),
    value: views.memories.filterText,
  });
  if (text !== undefined) views.memories.setFilter(text);
}

/** Takes entries out of the trash, in the order in which they were told. */
export async function restore(memory: Window['memory'], ids: readonly string[]): Promise<void> {
  await inBatches(vscode.l10n.t('Restoring'), ids, async (some) => {
    const asked = { entry_ids: some, any_project: true };
    return (await memory.call<{ restored: string[] }>('restore', asked)).restored;
  });
}

/** The memories that rows stand for, each once. */
function entriesOf(rows: readonly (Node | DriftNode)[]): Named[] {
  const named = rows.flatMap((row): Named[] => {
    switch (row.kind) {
      case 'memory':
        return [{ id: row.memory.entry_id, task: row.memory.task_text }];
      case 'version':
        return [{ id: row.version.entry_id, task: row.version.task_text }];
      case 'candidate':
        return [{ id: row.candidate.entry_id, task: row.candidate.task_text }];
      default:
        return [];
    }
  });
  return [...new Map(named.map((one) => [one.id, one])).values()];
}

export function shortened(text: string): string {
  const line = oneLine(text);
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}

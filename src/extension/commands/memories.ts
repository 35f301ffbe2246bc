import * as vscode from 'vscode';
import { openDocument, uriOf } from '../documents/openDocument.js';
import { oneLine } from '../documents/reports.js';
import type { Entry } from '../results.js';
import type { Window } from '../window.js';
import { offerUndo } from './attempt.js';
import { confirmed, listed, requireTrust } from './confirm.js';
import { withMany } from './longWork.js';
import { eachOnce, rowsOf, type Row } from './rows.js';

interface Named {
  readonly id: string;
  readonly task: string;
}

/** Opens a memory as a document that can be edited. */
export async function editMemory(window: Window, row?: Row): Promise<void> {
  const { id, task } = await entryOf(window, row);
  await openDocument({ kind: 'memory', id }, task);
}

export async function copyAnswer(window: Window, row?: Row): Promise<void> {
  const { id } = await entryOf(window, row);
  const { answer } = await window.memory.call<Entry>('get_entry', { entry_id: id });
  await vscode.env.clipboard.writeText(answer);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Answer copied'), 3000);
}

/** Shows what an earlier version said beside what is said now. */
export async function compareVersion(window: Window, row?: Row): Promise<void> {
  const [chosen] = await rowsOf(window, row);
  if (chosen?.kind !== 'version') {
    throw new Error(vscode.l10n.t('Choose an earlier version in the Subconscious sidebar first.'));
  }
  const { version, current } = chosen;
  const [before, now] = [
    uriOf({ kind: 'memory', id: version.entry_id }, version.task_text),
    uriOf({ kind: 'memory', id: current.entry_id }, current.task_text),
  ];
  const title = vscode.l10n.t('{0} (earlier and now)', oneLine(current.task_text));
  await vscode.commands.executeCommand('vscode.diff', before, now, title, { preview: true });
}

/** Forgets what is selected, after one question, and offers to take that back. */
export async function forgetMemories(window: Window, row?: Row, selected?: readonly Row[]): Promise<void> {
  requireTrust();
  const entries = entriesOf(await rowsOf(window, row, selected));
  const [first] = entries;
  if (!first) throw noMemory();
  const stays = vscode.l10n.t(
    'What is forgotten stays in the trash for 30 days and can be restored from there.',
  );
  const [question, detail] =
    entries.length === 1
      ? [vscode.l10n.t('Forget "{0}"?', shortened(first.task)), stays]
      : [
          vscode.l10n.t('Forget {0} memories?', entries.length),
          `${listed(entries.map(({ task }) => shortened(task)))}\n\n${stays}`,
        ];
  if (!(await confirmed(question, detail, vscode.l10n.t('Forget')))) return;
  await forget(window, entries);
}

async function forget(window: Window, entries: readonly Named[]): Promise<void> {
  const forgotten = await withMany(
    vscode.l10n.t('Forgetting'),
    entries.map(({ id }) => id),
    async (ids) =>
      (
        await window.memory.call<{ forgotten: string[] }>('forget_entries', {
          entry_ids: ids,
          any_project: true,
        })
      ).forgotten,
  );
  // The versions they replaced are told as well.
  const counted = entries.filter(({ id }) => forgotten.includes(id));
  const [first] = counted;
  if (!first) throw new Error(vscode.l10n.t('Nothing was forgotten: it is no longer there.'));
  const done =
    entries.length === 1
      ? vscode.l10n.t('Forgot "{0}".', shortened(first.task))
      : counted.length === entries.length
        ? vscode.l10n.t('Forgot {0} memories.', counted.length)
        : vscode.l10n.t('Forgot {0} of {1} memories.', counted.length, entries.length);
  void offerUndo(window, done, () => restore(window, forgotten));
}

export async function filterMemories({ views }: Window): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Filter Memories'),
    prompt: vscode.l10n.t('Memories with all of these words in their task or tags are shown.'),
    value: views.memories.filterText,
  });
  if (text !== undefined) views.memories.setFilter(text);
}

/** Takes entries out of the trash, in the order in which they were told. Throws where some cannot be. */
export async function restore({ memory }: Window, ids: readonly string[]): Promise<void> {
  const restored = await withMany(vscode.l10n.t('Restoring'), ids, async (some) => {
    const asked = { entry_ids: some, any_project: true };
    return (await memory.call<{ restored: string[] }>('restore', asked)).restored;
  });
  const back = ids.filter((id) => restored.includes(id)).length;
  if (back === ids.length) return;
  throw new Error(
    back === 0
      ? vscode.l10n.t('Nothing was restored: it is no longer in the trash.')
      : vscode.l10n.t(
          'Restored {0} of {1} entries; the others are no longer in the trash.',
          back,
          ids.length,
        ),
  );
}

async function entryOf(window: Window, row: Row | undefined): Promise<Named> {
  const [named] = entriesOf(await rowsOf(window, row));
  if (!named) throw noMemory();
  return named;
}

function noMemory(): Error {
  return new Error(vscode.l10n.t('Choose a memory in the Subconscious sidebar first.'));
}

/** The memories that rows stand for, each once. */
function entriesOf(rows: readonly Row[]): Named[] {
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
  return eachOnce(named, ({ id }) => id);
}

export function shortened(text: string): string {
  const line = oneLine(text);
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}

import * as vscode from 'vscode';

/** What is needed of a view to learn where the focus is. */
export type Selecting<Row> = Pick<vscode.TreeView<Row>, 'selection'>;

/**
 * The rows a key is about that was pressed in one of the views: the row with the focus or, where that is one of the
 * selected ones, all of those. None where the focus is in another list.
 *
 * The editor tells what is selected, not where the focus is; but it selects or deselects the row with the focus, in
 * whatever list that is, when asked to. That is done twice, so that the selection is as before.
 */
export async function focusedRows<Row>(views: readonly Selecting<Row>[]): Promise<readonly Row[]> {
  const before = views.map(({ selection }) => selection);
  await vscode.commands.executeCommand('list.toggleSelection');
  const after = views.map(({ selection }) => selection);
  await vscode.commands.executeCommand('list.toggleSelection');
  for (const [index, rows] of before.entries()) {
    const toggled = after[index] ?? [];
    if (rows.some((row) => !toggled.includes(row))) return rows;
    const focused = toggled.find((row) => !rows.includes(row));
    if (focused !== undefined) return [focused];
  }
  return [];
}

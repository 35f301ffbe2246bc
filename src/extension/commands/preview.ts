import * as vscode from 'vscode';
import { basename } from 'node:path';
import { confirmed } from './confirm.js';

const PREVIEW_SCHEME = 'subconscious-preview';

/** A change of a file that was not made yet; null stands for no file. */
export interface FilePreview {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Whether what is there now is kept beside the file. */
  readonly keepsCopy: boolean;
}

const texts = new Map<string, string>();

/** Serves the two sides of a preview. */
export function previewTexts(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(PREVIEW_SCHEME, {
    provideTextDocumentContent: (uri) => texts.get(uri.query) ?? '',
  });
}

/** Shows the exact change beside what is there, asks, and closes it again. True where it shall be made. */
export async function confirmedChange(preview: FilePreview, question: string, yes: string): Promise<boolean> {
  const { file, before, after, keepsCopy } = preview;
  const [left, right] = [uriOf(file, 'before', before ?? ''), uriOf(file, 'after', after ?? '')];
  const title = vscode.l10n.t('{0} (as it is and as it would be)', basename(file));
  await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
  const shown =
    before === null
      ? vscode.l10n.t('{0} is made. What it will hold is shown behind this message.', file)
      : after === null
        ? vscode.l10n.t('{0} is removed: it was made for this alone.', file)
        : vscode.l10n.t('{0} is changed as shown behind this message.', file);
  const copy = vscode.l10n.t('A copy of it as it is now is kept beside it.');
  const detail = keepsCopy && before !== null && after !== null ? `${shown} ${copy}` : shown;
  const answer = await confirmed(question, detail, yes);
  await closeDiff(right);
  return answer;
}

function uriOf(file: string, side: string, text: string): vscode.Uri {
  texts.set(side, text);
  return vscode.Uri.from({ scheme: PREVIEW_SCHEME, path: `/${side}/${basename(file)}`, query: side });
}

async function closeDiff(right: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputTextDiff && input.modified.toString() === right.toString(),
    );
  await vscode.window.tabGroups.close(tabs);
}

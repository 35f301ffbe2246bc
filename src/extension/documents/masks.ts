import * as vscode from 'vscode';
import { SCHEME } from '../contributions.js';

/** What stands in the place of something that was never stored. */
const MASK = /\[REDACTED:([a-z0-9_]+)\]/g;

export function maskCount(text: string): number {
  return text.match(MASK)?.length ?? 0;
}

/** Makes masked parts of memories and sessions visible as such, with a hover that says what they are. */
export class Masks implements vscode.Disposable {
  private readonly look = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.wordHighlightStrongBackground'),
    border: '1px dashed',
    borderColor: new vscode.ThemeColor('editorWarning.foreground'),
    overviewRulerColor: new vscode.ThemeColor('editorWarning.foreground'),
  });
  private readonly subscriptions = [
    vscode.window.onDidChangeVisibleTextEditors(() => this.show()),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === SCHEME) this.show();
    }),
  ];

  constructor() {
    this.show();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.look.dispose();
  }

  private show(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.scheme === SCHEME) editor.setDecorations(this.look, spans(editor.document));
    }
  }
}

function spans(document: vscode.TextDocument): vscode.DecorationOptions[] {
  return [...document.getText().matchAll(MASK)].map((found) => {
    const range = new vscode.Range(
      document.positionAt(found.index),
      document.positionAt(found.index + found[0].length),
    );
    const rule = (found[1] ?? '').replaceAll('_', ' ');
    return {
      range,
      hoverMessage: vscode.l10n.t('Masked before it was stored: {0}. What stood here is nowhere.', rule),
    };
  });
}

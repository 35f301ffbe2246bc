import * as vscode from 'vscode';

const reasons = new Map<string, vscode.TextDocumentSaveReason>();

/** Has the documents know why they are saved. */
export function watchSaveReasons(): vscode.Disposable {
  return vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
    reasons.set(document.uri.toString(), reason);
  });
}

/** True where the editor saved by itself, last. */
export function isAutomatic(uri: vscode.Uri): boolean {
  const reason = reasons.get(uri.toString());
  return reason !== undefined && reason !== vscode.TextDocumentSaveReason.Manual;
}

/** Acts once the editor has saved, which is after the write: until then it would ask what to do with what is unsaved. */
export function onceSaved(uri: vscode.Uri, act: () => void): void {
  const subscription = vscode.workspace.onDidSaveTextDocument((document) => {
    if (document.uri.toString() !== uri.toString()) return;
    subscription.dispose();
    act();
  });
}

import * as vscode from 'vscode';

type Value = string | boolean | undefined;

/** Context keys of menus and welcome texts; the editor is told of changes alone. */
export class ContextKeys {
  private readonly values = new Map<string, Value>();

  set(key: string, value: Value): void {
    if (this.values.get(key) === value) return;
    this.values.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}

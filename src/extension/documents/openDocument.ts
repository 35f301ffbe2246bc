import * as vscode from 'vscode';
import { SCHEME } from '../contributions.js';
import { addressOf, documentPath, type Address } from './memoryUri.js';

export function uriOf(address: Address, title: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: documentPath(address, title) });
}

/** Opens a document, or shows it where it is open already, perhaps under the name it had before. */
export async function openDocument(
  address: Address,
  title: string,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const open = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []))
    .find((uri) => isThat(uri, address));
  await vscode.commands.executeCommand('vscode.open', open ?? uriOf(address, title), options);
}

/** Closes the tabs of a document. */
export async function closeDocument(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
  await vscode.window.tabGroups.close(tabs);
}

function isThat({ scheme, path }: vscode.Uri, { kind, id }: Address): boolean {
  const address = scheme === SCHEME ? addressOf(path) : null;
  return address?.kind === kind && address.id === id;
}

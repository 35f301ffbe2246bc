import * as vscode from 'vscode';
import { SERVER_PROVIDER } from './contributions.js';
import type { ServerLaunch } from './serverLaunch.js';

/**
 * Offers the memory server to agents in this editor; null where the editor, as some of its relatives, has no such
 * interface. Nothing is started until an agent asks.
 * @param launch null: nothing is to be offered; it may throw words for people
 */
export function offerServer(
  launch: () => ServerLaunch | null,
  version: string,
  onFailure: (error: Error) => void,
): (vscode.Disposable & { readonly changed: () => void }) | null {
  // Typed as always there; they are not.
  const register = (vscode.lm as Partial<typeof vscode.lm> | undefined)?.registerMcpServerDefinitionProvider;
  if (register === undefined || typeof vscode.McpStdioServerDefinition !== 'function') return null;
  const changed = new vscode.EventEmitter<void>();
  const provider = register(SERVER_PROVIDER, {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () => {
      try {
        const found = launch();
        return found === null ? [] : [definitionOf(found, version)];
      } catch (error) {
        onFailure(error instanceof Error ? error : new Error(String(error)));
        return [];
      }
    },
  });
  return {
    changed: () => changed.fire(),
    dispose: () => {
      provider.dispose();
      changed.dispose();
    },
  };
}

function definitionOf({ command, args, env, cwd }: ServerLaunch, version: string) {
  const definition = new vscode.McpStdioServerDefinition('Subconscious', command, [...args], env, version);
  definition.cwd = vscode.Uri.file(cwd);
  return definition;
}

import * as vscode from 'vscode';
import { SETTINGS_SECTION } from './contributions.js';
import type { LaunchSettings } from './serverLaunch.js';

export interface Settings extends LaunchSettings {
  /** Whether agents in this editor are offered the memory tools. */
  readonly agentMode: boolean;
}

/** The settings as they are now. */
export function readSettings(): Settings {
  const settings = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  return {
    agentMode: settings.get('agentMode.enabled', true),
    recallThreshold: settings.get<number | null>('recallThreshold', null),
    configurationFile: settings.get('configurationFile', '').trim(),
  };
}

/** Calls `act` when one of them has changed. */
export function onSettingsChange(act: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SETTINGS_SECTION)) act();
  });
}

import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { SETTINGS_SECTION } from './contributions.js';
import { afterQuiet } from './gathering.js';
import { settingValues, type SettingName, type Settings } from './settingValues.js';

/** In milliseconds: the editor of settings tells of every letter. */
const QUIET = 500;
/** Letters of a wrong value that are shown. */
const SHOWN = 80;

/** A setting that cannot be used, in words for people. */
export class SettingError extends Error {}

/** The settings as they are now. Throws a {@link SettingError} where one of them cannot be used. */
export function readSettings(): Settings {
  const settings = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  return settingValues({ read: (name) => settings.get<unknown>(name), wrong, isAbsolute });
}

/** Calls `act` when one of them has changed and nobody types any more. */
export function onSettingsChange(act: () => void): vscode.Disposable {
  const gathered = afterQuiet(QUIET, act);
  const subscription = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SETTINGS_SECTION)) gathered();
  });
  return vscode.Disposable.from(subscription, gathered);
}

function wrong(name: SettingName, value: unknown): SettingError {
  const wanted: Readonly<Record<SettingName, string>> = {
    'agentMode.enabled': vscode.l10n.t('true or false'),
    recallThreshold: vscode.l10n.t('a number from 0 to 1, or null'),
    configurationFile: vscode.l10n.t('the absolute path of a file, in quotes'),
  };
  return new SettingError(
    vscode.l10n.t(
      'The setting "{0}" has to be {1}. It is {2}. Correct it, or remove it for the default.',
      `${SETTINGS_SECTION}.${name}`,
      wanted[name],
      JSON.stringify(value).slice(0, SHOWN),
    ),
  );
}

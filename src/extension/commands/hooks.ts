import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { hookShell } from '../../clients/hookShell.js';
import { installHooks, previewInstall, type Installation } from '../../clients/installHooks.js';
import { SETTINGS_SCOPES, settingsPath, type SettingsScope } from '../../clients/settingsPath.js';
import { previewUninstall, uninstallHooks } from '../../clients/uninstallHooks.js';
import { homeFolder } from '../../project/person.js';
import { currentFolder } from '../place.js';
import { readSettings } from '../settings.js';
import type { Window } from '../window.js';
import { requireTrust } from './confirm.js';
import { confirmedChange } from './preview.js';

/** Adds the capture hooks to settings of Claude Code, after showing the change. */
export async function installClaudeHooks(window: Window): Promise<void> {
  requireTrust();
  const installation = await chosen(window, vscode.l10n.t('Install Claude Code Hooks'));
  if (!installation) return;
  const { settings } = installation;
  const { content, changed } = await previewInstall(installation);
  if (!changed) {
    await installHooks(installation);
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The hooks are installed in {0} already.', settings),
    );
    return;
  }
  const preview = {
    file: settings,
    before: await textOf(settings),
    after: content.toString(),
    keepsCopy: true,
  };
  const question = vscode.l10n.t('Install the capture hooks of Claude Code?');
  if (!(await confirmedChange(preview, question, vscode.l10n.t('Install')))) return;
  await installHooks(installation);
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'The hooks are installed. Sessions of Claude Code that start from now on arrive in the inbox.',
    ),
  );
}

/** Takes them out again, after showing the change. */
export async function removeClaudeHooks(window: Window): Promise<void> {
  requireTrust();
  const installation = await chosen(window, vscode.l10n.t('Remove Claude Code Hooks'));
  if (!installation) return;
  const { home, settings } = installation;
  const others = SETTINGS_SCOPES.map((scope) => settingsPath(scope, placesOf(window)));
  const removal = { home, settings, others, now: Date.now() / 1000 };
  const { outcome, content } = await previewUninstall(removal);
  if (outcome === 'untouched') {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There are no hooks of Subconscious in {0}.', settings),
    );
    return;
  }
  const preview = {
    file: settings,
    before: await textOf(settings),
    after: content?.toString() ?? null,
    keepsCopy: outcome === 'edited',
  };
  const question = vscode.l10n.t('Remove the capture hooks from Claude Code?');
  if (!(await confirmedChange(preview, question, vscode.l10n.t('Remove')))) return;
  await uninstallHooks(removal);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The hooks are removed. What they captured stays.'),
  );
}

async function chosen(window: Window, title: string): Promise<Installation | null> {
  const { extensionPath, version } = window;
  const words: Readonly<Record<SettingsScope, string>> = {
    user: vscode.l10n.t('For all my projects'),
    local: vscode.l10n.t('For this project, for me alone'),
    project: vscode.l10n.t('For this project, shared with others'),
  };
  const order: readonly SettingsScope[] = currentFolder(window.state)
    ? ['user', 'local', 'project']
    : ['user'];
  const items = order.map((scope) => {
    const settings = settingsPath(scope, placesOf(window));
    return { label: words[scope], detail: settings, settings };
  });
  const picked = await vscode.window.showQuickPick(items, { title });
  if (!picked) return null;
  const { configurationFile } = readSettings();
  return {
    home: homeOf(),
    settings: picked.settings,
    program: { node: process.execPath, script: join(extensionPath, 'dist', 'hook.js'), version },
    shell: hookShell(),
    configPath: configurationFile === '' ? null : configurationFile,
    now: Date.now() / 1000,
  };
}

function placesOf({ place }: Window) {
  return { home: homeOf(), directory: place().directory, env: process.env };
}

function homeOf(): string {
  const home = homeFolder();
  if (home === '')
    throw new Error(vscode.l10n.t('There is no home folder to put the launcher of the hooks in.'));
  return home;
}

async function textOf(file: string): Promise<string | null> {
  return await readFile(file, 'utf8').catch(() => null);
}

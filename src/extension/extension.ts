import * as vscode from 'vscode';
import packageJson from '../../package.json' with { type: 'json' };
import { offerServer } from './agentServer.js';
import { commandLinks, doctorReport } from './commands/doctor.js';
import { previewTexts } from './commands/preview.js';
import { registerCommands } from './commands/register.js';
import { say } from './commands/remember.js';
import { ContextKeys } from './contextKeys.js';
import { commandId, type CommandName } from './contributions.js';
import { Masks } from './documents/masks.js';
import { MemoryFiles } from './documents/memoryFiles.js';
import { closeDocument, openDocument } from './documents/openDocument.js';
import { watchSaveReasons } from './documents/saving.js';
import { documentSources } from './documents/sources.js';
import { FailureNotice } from './failureNotice.js';
import { refreshLaunchers } from './launchers.js';
import { Memory } from './memory.js';
import { currentPlace } from './place.js';
import { plainMessage } from './plainMessage.js';
import { serverLaunch } from './serverLaunch.js';
import { onSettingsChange, readSettings, SettingError } from './settings.js';
import { DriftView } from './views/driftView.js';
import { InboxView } from './views/inboxView.js';
import { MemoriesView } from './views/memoriesView.js';
import { dimRows } from './views/memoryItems.js';
import type { Window } from './window.js';

/** Puts everything together. Nothing is started here: the first one who needs the server starts it. */
export function activate(context: vscode.ExtensionContext): void {
  const start = performance.now();
  const log = vscode.window.createOutputChannel('Subconscious', { log: true });
  try {
    context.subscriptions.push(log, ...compose(context, log));
    log.info(`Activated in ${(performance.now() - start).toFixed(1)} ms`);
  } catch (error) {
    // The editor itself would say nothing.
    log.error(error instanceof Error ? error : String(error));
    void showFailure(vscode.l10n.t('Subconscious could not be started.'), log);
    throw error;
  }
}

function compose(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): vscode.Disposable[] {
  const { workspaceState, extensionPath } = context;
  const { version } = packageJson;
  const keys = new ContextKeys();
  const place = () => currentPlace(workspaceState);
  const launch = () => serverLaunch(process.execPath, extensionPath, readSettings(), place());
  const notice = new FailureNotice((error) => showFailure(failureWords(error), log, error));
  const onFailure = (error: Error) => {
    log.error(error.message);
    notice.failed(error);
  };
  const onReady = () => notice.worksAgain();
  const memory = new Memory({ launch, version, log, keys, onFailure, onReady });
  const agents = offerServer(() => (readSettings().agentMode ? launch() : null), version, onFailure);
  if (agents === null)
    log.info('This editor has no interface for MCP servers: agents in it have to be connected.');
  const launchChanged = () => {
    agents?.changed();
    memory.launchChanged();
  };
  const views = {
    memories: new MemoriesView(memory, keys, workspaceState),
    inbox: new InboxView(memory),
    drift: new DriftView(memory),
  };
  const files = new MemoryFiles(
    documentSources({
      memory,
      doctorReport,
      isTrusted: () => vscode.workspace.isTrusted,
      warn: (sentence) => void vscode.window.showWarningMessage(plainMessage(sentence)),
      onStored: (draft, stored) => void replaceDraft(draft, stored, window),
    }),
  );
  const window: Window = {
    memory,
    log,
    views,
    state: workspaceState,
    place,
    launch,
    launchChanged,
    version,
    extensionPath,
  };
  void refreshLaunchers(window);
  return [
    memory,
    ...Object.values(views),
    files,
    new Masks(),
    watchSaveReasons(),
    dimRows(),
    commandLinks(),
    previewTexts(),
    registerCommands(window),
    memory.onDidChange(() => files.refresh()),
    onSettingsChange(launchChanged),
    vscode.workspace.onDidChangeWorkspaceFolders(launchChanged),
    vscode.workspace.onDidGrantWorkspaceTrust(() => files.refresh()),
    ...(agents === null ? [] : [agents]),
  ];
}

/** What was a draft is a memory now. */
async function replaceDraft(
  draft: vscode.Uri,
  stored: Parameters<typeof say>[1],
  window: Window,
): Promise<void> {
  const title = draft.path.split('/').at(-1)?.replace(/\.md$/, '') ?? '';
  await closeDocument(draft);
  if (stored.entry_id !== undefined) await openDocument({ kind: 'memory', id: stored.entry_id }, title);
  say(window, stored, title);
}

function failureWords(error: Error): string {
  if (error instanceof SettingError) return vscode.l10n.t('Subconscious: {0}', error.message);
  return vscode.l10n.t('The memory server of Subconscious could not be started: {0}', error.message);
}

/** One message, with the way to the reason. Resolves when it is answered or closed. */
async function showFailure(words: string, log: vscode.LogOutputChannel, error?: Error): Promise<void> {
  const run = (name: CommandName) => () => void vscode.commands.executeCommand(commandId(name));
  const answer = await vscode.window.showErrorMessage(
    plainMessage(words),
    { title: vscode.l10n.t('Show Log'), act: () => log.show() },
    // A setting that is corrected is noticed by itself.
    error instanceof SettingError
      ? { title: vscode.l10n.t('Open Settings'), act: run('openSettings') }
      : { title: vscode.l10n.t('Restart Server'), act: run('restartServer') },
  );
  answer?.act();
}

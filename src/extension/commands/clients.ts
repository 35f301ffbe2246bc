import { createRequire } from 'node:module';
import * as vscode from 'vscode';
import {
  configurationText,
  findClients,
  prepareCopy,
  writtenCommand,
  type ClientState,
} from '../../clients/clientStates.js';
import { connectClient as connect, previewConnect } from '../../clients/connect.js';
import { clientOf, type Client } from '../../clients/clientTable.js';
import { disconnectClient as disconnect, previewDisconnect } from '../../clients/disconnect.js';
import type { ClientWorld } from '../../clients/world.js';
import type * as Mcp from '../../mcp/main.js';
import { commandId } from '../contributions.js';
import { currentFolder } from '../place.js';
import type { Window } from '../window.js';
import { clientWorld } from './clientWorld.js';
import { requireTrust } from './confirm.js';
import { longWork } from './longWork.js';
import { confirmedChange } from './preview.js';

/** Has another program start the memory server, after showing the change; then tries it out. */
export async function connectClient(window: Window): Promise<void> {
  requireTrust();
  const world = clientWorld(window);
  const items = (await clientsHere(window, world)).map(itemOf);
  const other = {
    label: `$(copy) ${vscode.l10n.t('Another client: copy the configuration')}`,
    detail: vscode.l10n.t('For every client that starts MCP servers by command and arguments.'),
    client: null,
    isOther: true,
  };
  const picked = await vscode.window.showQuickPick<
    vscode.QuickPickItem & { client: Client | null; isOther: boolean }
  >([...items, other], {
    title: vscode.l10n.t('Connect a Client'),
  });
  if (!picked) return;
  if (picked.isOther) {
    await prepareCopy(world);
    await vscode.env.clipboard.writeText(configurationText(null, world));
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'The configuration is on the clipboard. Put it into the file where your client lists its MCP servers.',
      ),
    );
    return;
  }
  const { client } = picked;
  if (client === null) return;
  const preview = await previewConnect(client, world);
  const question = vscode.l10n.t('Connect {0} to this memory?', client.name);
  if (
    preview.changed &&
    !(await confirmedChange({ ...preview, keepsCopy: true }, question, vscode.l10n.t('Connect')))
  )
    return;
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Connecting {0}', client.name) },
    async () => {
      const { note } = await connect(client, world);
      if (note !== null) window.log.warn(note);
    },
  );
  await tryOut(window, client);
}

/** Takes our entry out of another program's configuration, after showing the change. */
export async function disconnectClient(window: Window): Promise<void> {
  requireTrust();
  const world = clientWorld(window);
  const items = (await clientsHere(window, world))
    .filter(({ connection }) => connection === 'connected')
    .map(({ id, name, file }) => ({ label: name, detail: file, client: clientOf(id) }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No client is connected.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Disconnect a Client') });
  if (!picked?.client) return;
  const preview = await previewDisconnect(picked.client, world);
  const question = vscode.l10n.t('Disconnect {0} from this memory?', picked.client.name);
  if (
    !(await confirmedChange(
      { ...preview, keepsCopy: preview.outcome === 'edited' },
      question,
      vscode.l10n.t('Disconnect'),
    ))
  )
    return;
  await disconnect(picked.client, world);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('{0} is disconnected. Memory stays as it is.', picked.client.name),
  );
}

/** Without those of a project where no folder is open. */
async function clientsHere({ state }: Window, world: ClientWorld): Promise<ClientState[]> {
  const found = await findClients(world);
  return found.filter(({ id }) => id !== 'claude-code-project' || currentFolder(state) !== undefined);
}

/** Starts what is written, as the client would, and says what came of it. */
async function tryOut(window: Window, client: Client): Promise<void> {
  const world = clientWorld(window);
  const written = await writtenCommand(client, world);
  if (written === null) return;
  if (written.needsClient) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        '{0} is connected. It cannot be tried from here: {0} alone knows the variables in the entry.',
        client.name,
      ),
    );
    return;
  }
  const { shakeHands } = createRequire(import.meta.url)('./mcp.js') as typeof Mcp;
  const said = await longWork(vscode.l10n.t('Trying out the connection'), () =>
    shakeHands({
      command: written.command,
      args: written.args,
      env: { ...process.env, ...written.env },
      cwd: written.cwd,
      version: window.version,
    }),
  );
  if (said === null) return;
  if (!said.reached) {
    window.log.error(`${client.name}: ${said.reason}`);
    throw new Error(
      vscode.l10n.t(
        'The entry for {0} is written, but what it starts does not answer: {1}',
        client.name,
        said.reason,
      ),
    );
  }
  const words = vscode.l10n.t(
    '{0} is connected: {1} tools, {2} memories. {3}',
    client.name,
    said.tools,
    said.memories ?? 0,
    client.afterwards,
  );
  const guidance = vscode.l10n.t('Add Guidance');
  const isClaude = client.id.startsWith('claude-code');
  const answer = await vscode.window.showInformationMessage(words, ...(isClaude ? [guidance] : []));
  if (answer === guidance) await vscode.commands.executeCommand(commandId('addGuidance'));
}

function itemOf({ id, name, file, connection, installed, problem }: ClientState) {
  const states: Readonly<Record<ClientState['connection'], string>> = {
    connected: vscode.l10n.t('connected'),
    none: installed ? vscode.l10n.t('not connected') : vscode.l10n.t('not found on this machine'),
    other: vscode.l10n.t('an entry of the same name starts something else'),
    unknown: vscode.l10n.t('its file cannot be read'),
  };
  const icon =
    connection === 'connected'
      ? 'pass-filled'
      : problem !== null
        ? 'warning'
        : installed
          ? 'circle-large-outline'
          : 'circle-slash';
  return {
    label: `$(${icon}) ${name}`,
    description: states[connection],
    detail: problem === null ? file : `${file}: ${problem}`,
    client: clientOf(id),
    isOther: false,
  };
}

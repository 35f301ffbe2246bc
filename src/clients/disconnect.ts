import { dirname } from 'node:path';
import { codeOf, messageOf } from '../link/systemError.js';
import { holdFile, refuseReadOnly, removeEmptyFolders, rewrite, type HeldFile } from './changeFile.js';
import { claudeCommand, readAfter, removeByCommand } from './claudeCommand.js';
import { ClientError } from './clientError.js';
import { CLIENTS, type Client } from './clientTable.js';
import { byHand, changeOf, entryIn } from './connect.js';
import { CONNECTIONS, COPIES, isUnchanged, originalOf, type ConnectionRecord } from './connectionRecord.js';
import { removeEntry } from './entryEdits.js';
import { removeLauncher } from './launcher.js';
import { SERVER_LAUNCHER } from './launcherPath.js';
import { mayBeNamedIn } from './namedIn.js';
import { isOurs, namesLauncher } from './serverEntry.js';
import { inWords, readSettings, writeBackup } from './settingsFile.js';
import { withoutLinks } from './settingsPath.js';
import { changeText } from './settingsText.js';
import type { ClientWorld } from './world.js';

/**
 * `restored`: byte for byte what it was before it was connected; `deleted`: there was no file then; `edited`: others
 * changed it since, and only our entry was taken out; `untouched`: none was there; `foreign`: what is there under our
 * name starts something else, and was left.
 */
export type DisconnectOutcome = 'restored' | 'deleted' | 'edited' | 'untouched' | 'foreign';

/** Texts are whole files; null stands for no file. */
export interface DisconnectPreview {
  readonly file: string;
  readonly outcome: DisconnectOutcome;
  readonly before: string | null;
  readonly after: string | null;
}

export interface Disconnected {
  readonly file: string;
  readonly outcome: DisconnectOutcome;
  /** The file before; null where nothing was lost by the change. */
  readonly backup: string | null;
  /** Who changed the file: the client's own command, or this program. */
  readonly via: 'command' | 'file';
  /** Why the client's own command was of no use; null where it was not needed or did it. */
  readonly note: string | null;
}

interface Without {
  readonly outcome: DisconnectOutcome;
  readonly content: Buffer | null;
}

/** What disconnecting would change. Nothing is written. Throws a {@link ClientError} where it would be refused. */
export async function previewDisconnect(client: Client, world: ClientWorld): Promise<DisconnectPreview> {
  const path = client.file(world);
  try {
    const file = await withoutLinks(path);
    const seen = await readSettings(file);
    const { outcome, content } = withoutEntry(seen, client, path, await CONNECTIONS.read(world.home, file));
    return { file: path, outcome, before: seen?.toString() ?? null, after: content?.toString() ?? null };
  } catch (error) {
    throw inWords(error, path, world.home, byHand(client));
  }
}

/**
 * Takes our entry out of a client's configuration, and the launcher away with the last of them. Throws a
 * {@link ClientError} that says what was not done.
 */
export async function disconnectClient(client: Client, world: ClientWorld): Promise<Disconnected> {
  const { home } = world;
  const path = client.file(world);
  const { outcome } = await previewDisconnect(client, world);
  const file = await withoutLinks(path);
  const known = await CONNECTIONS.read(home, file);
  const nothing = { file: path, backup: null, via: 'file', note: null } as const;
  // There may be no folder for a lock.
  const done =
    outcome === 'untouched' || outcome === 'foreign'
      ? { ...nothing, outcome }
      : await holdFile(changeOf(client, world), false, (held) => disconnect(client, world, held, known));
  if (done.outcome === 'deleted') await removeEmptyFolders(dirname(file), known?.madeFolder ?? null);
  if (done.outcome !== 'untouched' || known !== null) await forget(file, path, world);
  return done;
}

async function disconnect(
  client: Client,
  world: ClientWorld,
  { file }: HeldFile,
  known: ConnectionRecord | null,
): Promise<Disconnected> {
  const path = client.file(world);
  const command = client.id === 'claude-code' ? claudeCommand(world) : null;
  let note: string | null = null;
  let backup: string | null = null;
  if (command !== null) {
    const seen = (await readSettings(file)) ?? Buffer.alloc(0);
    await refuseReadOnly(file, seen);
    backup = await writeBackup(path, seen, 0o600, world.now());
    note = await removeByCommand(command, world);
    const isThere = await readAfter('remove', path, backup, async () =>
      isOurs(entryIn(await readSettings(file), client, path)),
    );
    if (!isThere) return { file: path, outcome: 'edited', backup, via: 'command', note: null };
    note ??= 'claude said that the entry was removed, but it is still in the file';
  }
  let outcome: DisconnectOutcome = 'untouched';
  const edited = await rewrite(changeOf(client, world), file, (seen) => {
    const without = withoutEntry(seen, client, path, known);
    outcome = without.outcome;
    return { content: without.content, keepsBackup: outcome === 'edited' && backup === null };
  });
  return { file: path, outcome, backup: backup ?? edited.backup, via: 'file', note };
}

function withoutEntry(
  seen: Buffer | null,
  client: Client,
  file: string,
  known: ConnectionRecord | null,
): Without {
  if (seen === null) return { outcome: 'untouched', content: null };
  if (known !== null && isUnchanged(seen, known)) {
    const content = originalOf(seen, known);
    return { outcome: content === null ? 'deleted' : 'restored', content };
  }
  const content = changeText(seen, file, (text) =>
    removeEntry(text, file, client, known?.madeServers !== true),
  );
  if (content !== seen) return { outcome: 'edited', content };
  return { outcome: entryIn(seen, client, file) === undefined ? 'untouched' : 'foreign', content };
}

/** Forgets a file, and removes the launcher where certainly no other one names it. */
async function forget(file: string, path: string, world: ClientWorld): Promise<void> {
  const { home, platform } = world;
  try {
    await CONNECTIONS.remove(home, file, async (others) => {
      if (others.has(COPIES)) return;
      const known = new Set(others.keys());
      const files = [...known, ...CLIENTS.map((client) => client.file(world))];
      if (!(await mayBeNamedIn(files, namesLauncher, known)))
        await removeLauncher(home, platform, SERVER_LAUNCHER);
    });
  } catch (error) {
    if (codeOf(error) === '') throw error;
    throw new ClientError(
      `There is no entry of ours in ${path} any more, but what was kept for it could not be removed: ` +
        `${messageOf(error)}. It does no harm; to be rid of it, delete what that names.`,
      { cause: error },
    );
  }
}

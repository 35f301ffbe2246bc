import { isDeepStrictEqual } from 'node:util';
import { CONNECTIONS, isUnchanged, originalOf, type ConnectionRecord } from './connectionRecord.js';
import { addByCommand, claudeCommand, readAfter } from './claudeCommand.js';
import {
  holdFile,
  refuseReadOnly,
  rewrite,
  type Changed,
  type FileChange,
  type HeldFile,
} from './changeFile.js';
import { isInstalled, type Client } from './clientTable.js';
import { addEntry, hasServers, readEntry, removeEntry } from './entryEdits.js';
import { sha256 } from './installRecord.js';
import { writeLauncher } from './launcher.js';
import { SERVER_LAUNCHER } from './launcherPath.js';
import { entryFor, isOurs, wordsOf, type Entry } from './serverEntry.js';
import { inWords, readSettings, writeBackup } from './settingsFile.js';
import { withoutLinks } from './settingsPath.js';
import { changeText } from './settingsText.js';
import { undoOf } from './undo.js';
import type { ClientWorld } from './world.js';

/** A change of a client's configuration that was not made yet. Texts are whole files; null stands for no file. */
export interface ConnectPreview {
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
  /** False where the client is connected already: then both texts are the same. */
  readonly changed: boolean;
  /** Whether the client was found on this machine. */
  readonly installed: boolean;
  /** What an entry of our name starts that is not ours and would be replaced; null where there is none. */
  readonly replaces: string | null;
}

export interface Connected extends Changed {
  readonly file: string;
  /** Who changed the file: the client's own command, or this program. */
  readonly via: 'command' | 'file';
  /** Why the client's own command was of no use; null where it was not needed or did it. */
  readonly note: string | null;
}

/** What connecting would change. Nothing is written. Throws a {@link ClientError} where it would be refused. */
export async function previewConnect(client: Client, world: ClientWorld): Promise<ConnectPreview> {
  const file = client.file(world);
  try {
    const seen = await readSettings(await withoutLinks(file));
    const content = withEntry(seen, client, world);
    const found = entryIn(seen, client, file);
    return {
      file,
      before: seen?.toString() ?? null,
      after: content.toString(),
      changed: content !== seen,
      installed: isInstalled(client, world),
      replaces:
        found === undefined || isOurs(found) ? null : wordsOf(found).join(' ') || JSON.stringify(found),
    };
  } catch (error) {
    throw inWords(error, file, world.home, byHand(client));
  }
}

/**
 * Has a client start our server: writes the launcher and our entry, which is all that is changed in the file. The file
 * is made where it is missing. Throws a {@link ClientError} where that cannot be done, and then it was not touched.
 */
export async function connectClient(client: Client, world: ClientWorld): Promise<Connected> {
  const change = changeOf(client, world);
  const done = await holdFile(change, true, (held) => connect(client, world, change, held));
  return { ...done, file: change.path };
}

/** How a client's configuration is changed. */
export function changeOf(client: Client, world: ClientWorld): FileChange {
  return {
    home: world.home,
    path: client.file(world),
    // Claude Code keeps its user's sign-in there.
    ...(client.id === 'claude-code' && { newMode: 0o600 }),
    now: world.now(),
    otherwise: byHand(client),
  };
}

async function connect(
  client: Client,
  world: ClientWorld,
  change: FileChange,
  held: HeldFile,
): Promise<Omit<Connected, 'file'>> {
  // Its command refuses a name that is there; removed first, what a person added to the entry could be lost on the way.
  const isThere = entryIn(await readSettings(held.file), client, change.path) !== undefined;
  const command = client.id === 'claude-code' && !isThere ? claudeCommand(world) : null;
  const byCommand = command === null ? null : await connectByCommand(command, client, world, change, held);
  if (byCommand !== null && byCommand.note === null) return byCommand;
  const edited = await rewrite(
    change,
    held.file,
    (seen) => ({ content: withEntry(seen, client, world), keepsBackup: byCommand === null }),
    (seen, content) => prepare(client, world, held, seen, content as Buffer),
  );
  // Where the command has changed the file, what it was before is what was kept then.
  return {
    ...edited,
    backup: byCommand?.backup ?? edited.backup,
    via: 'file',
    note: byCommand?.note ?? null,
  };
}

/** `note` says why it did not work. */
async function connectByCommand(
  command: string,
  client: Client,
  world: ClientWorld,
  change: FileChange,
  held: HeldFile,
): Promise<Omit<Connected, 'file'>> {
  const seen = await readSettings(held.file);
  const content = withEntry(seen, client, world);
  if (content !== seen) await refuseReadOnly(held.file, seen);
  await prepare(client, world, held, seen, content);
  if (content === seen) return { changed: false, backup: null, via: 'command', note: null };
  const backup = seen === null ? null : await writeBackup(change.path, seen, 0o600, change.now);
  const entry = entryFor(client, world, undefined);
  const failure = await addByCommand(command, world, entry);
  const isThere = await readAfter('add-json', change.path, backup, async () =>
    hasEntry(await readSettings(held.file), client, world, entry),
  );
  const note = isThere
    ? null
    : (failure ?? 'claude said that the entry was added, but it is not in the file');
  if (note === null) {
    // What else Claude Code has written since stays there when the entry goes.
    await CONNECTIONS.write(world.home, held.file, {
      ...(await knownOf(world, held)),
      written: '',
      undo: null,
    });
  }
  return { changed: true, backup, via: 'command', note };
}

/** What has to be there before the entry is: who removes launchers must know of it, and the entry names one. */
async function prepare(
  client: Client,
  world: ClientWorld,
  held: HeldFile,
  seen: Buffer | null,
  content: Buffer,
): Promise<void> {
  const { home, program, platform } = world;
  if (content !== seen) {
    const known = await CONNECTIONS.read(home, held.file);
    await CONNECTIONS.write(home, held.file, nextRecord(client, known, seen, content, held.madeFolder));
  }
  await writeLauncher(home, program, platform, SERVER_LAUNCHER);
}

async function knownOf({ home }: ClientWorld, { file, madeFolder }: HeldFile) {
  return (await CONNECTIONS.read(home, file)) ?? { madeFolder, madeServers: false };
}

/** What there was before us is kept however often a client is connected, and never has an entry of ours. */
function nextRecord(
  client: Client,
  known: ConnectionRecord | null,
  seen: Buffer | null,
  content: Buffer,
  made: string | null,
): ConnectionRecord {
  const written = sha256(content);
  const madeFolder = known?.madeFolder ?? made;
  if (seen === null) return { written, undo: null, madeFolder, madeServers: true };
  if (known !== null && isUnchanged(seen, known)) {
    const original = originalOf(seen, known);
    return { ...known, written, undo: original && undoOf(content, original) };
  }
  const text = seen.toString();
  const isOlder = isOurs(entryIn(seen, client, ''));
  const madeServers = isOlder ? known?.madeServers === true : !hasServers(withoutMark(text), '', client);
  const original = isOlder
    ? changeText(seen, '', (before) => removeEntry(before, '', client, !madeServers))
    : seen;
  return { written, undo: undoOf(content, original), madeFolder, madeServers };
}

function withEntry(seen: Buffer | null, client: Client, world: ClientWorld): Buffer {
  const file = client.file(world);
  return changeText(seen, file, (text) =>
    addEntry(text, file, client, (found) => entryFor(client, world, found)),
  );
}

/** Whether the client has our entry, in what matters to whoever starts it. */
function hasEntry(
  seen: Buffer | null,
  client: Client,
  world: ClientWorld,
  { command, args, env }: Entry,
): boolean {
  const found = entryIn(seen, client, client.file(world));
  const { command: theirs, args: words, env: variables = {} } = (found ?? {}) as Entry;
  return isDeepStrictEqual([theirs, words, variables], [command, args, env ?? {}]);
}

export function entryIn(seen: Buffer | null, client: Client, file: string): unknown {
  return seen === null ? undefined : readEntry(withoutMark(seen.toString()), file, client);
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

export function byHand({ id }: Client): string {
  return `put the entry in by hand, as subconscious-mcp connect ${id} --print shows it`;
}

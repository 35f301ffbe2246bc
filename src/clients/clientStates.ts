import { messageOf } from '../link/systemError.js';
import { CLIENTS, isInstalled, type Client, type ClientId } from './clientTable.js';
import { byHand, entryIn } from './connect.js';
import { CONNECTIONS, COPIES } from './connectionRecord.js';
import { writeLauncher } from './launcher.js';
import { launcherPath, SERVER_LAUNCHER } from './launcherPath.js';
import { launcherState } from './launcherState.js';
import {
  entryFor,
  ENTRY_NAME,
  isOurs,
  startCommand,
  variablesOf,
  wordsOf,
  type StartCommand,
} from './serverEntry.js';
import { inWords, readSettings } from './settingsFile.js';
import { withoutLinks } from './settingsPath.js';
import { rootOf } from './settingsText.js';
import type { ClientWorld } from './world.js';

export interface ClientState {
  readonly id: ClientId;
  readonly name: string;
  /** Absolute path of its configuration file, which may be missing. */
  readonly file: string;
  readonly installed: boolean;
  /** `other`: what is there under our name starts something else; `unknown`: the file cannot be read, see `problem`. */
  readonly connection: 'connected' | 'none' | 'other' | 'unknown';
  /** What is wrong, in a sentence: with the file, or with what a connected client would start. */
  readonly problem: string | null;
  /** Of what a connected client would start; null where that is not known. */
  readonly version: string | null;
}

/** What is to be started to see whether a client can: the command, arguments and variables that are written there. */
export interface WrittenCommand extends StartCommand {
  /** Beside those of the client's own environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** It names variables such as `${workspaceFolder}` that the client alone can put in: it cannot be tried from here. */
  readonly needsClient: boolean;
}

/** Every client, in the order of the table. Never rejects for a file that cannot be read. */
export async function findClients(world: ClientWorld): Promise<ClientState[]> {
  return await Promise.all(CLIENTS.map((client) => stateOf(client, world)));
}

/** What our entry in a client's file starts; null where there is none. Throws a {@link ClientError} for a broken file. */
export async function writtenCommand(client: Client, world: ClientWorld): Promise<WrittenCommand | null> {
  const file = client.file(world);
  try {
    const entry = entryIn(await readSettings(await withoutLinks(file)), client, file);
    const [command, ...args] = wordsOf(entry);
    if (command === undefined) return null;
    const env = variablesOf(entry);
    const needsClient = [command, ...args, ...Object.values(env)].some((word) => word.includes('${'));
    return { command, args, env, cwd: world.folder, needsClient };
  } catch (error) {
    throw inWords(error, file, world.home, byHand(client));
  }
}

/** What a person puts into the configuration of a client by hand, as JSON; null: of a client that is not known. */
export function configurationText(
  client: Client | null,
  world: Pick<ClientWorld, 'home' | 'platform'>,
): string {
  const { servers = 'mcpServers', hasType = false } = client ?? {};
  const entry = { ...(hasType && { type: 'stdio' }), ...startCommand(world) };
  return `${JSON.stringify({ [servers]: { [ENTRY_NAME]: entry } }, null, 2)}\n`;
}

/** Writes the launcher for a configuration that is copied somewhere. From then on it stays: nobody knows where to. */
export async function prepareCopy({ home, program, platform }: ClientWorld): Promise<void> {
  const record = { written: '', undo: null, madeFolder: null, madeServers: false };
  await CONNECTIONS.write(home, COPIES, record);
  await writeLauncher(home, program, platform, SERVER_LAUNCHER);
}

async function stateOf(client: Client, world: ClientWorld): Promise<ClientState> {
  const { id, name } = client;
  const file = client.file(world);
  const common = { id, name, file, installed: isInstalled(client, world), problem: null, version: null };
  try {
    const seen = await readSettings(await withoutLinks(file));
    rootOf(seen, file);
    const entry = entryIn(seen, client, file);
    if (entry === undefined) return { ...common, connection: 'none' };
    if (!isOurs(entry)) return { ...common, connection: 'other' };
    return { ...common, connection: 'connected', ...(await launcherOf(client, world, entry)) };
  } catch (error) {
    return { ...common, connection: 'unknown', problem: messageOf(error) };
  }
}

async function launcherOf(
  client: Client,
  world: ClientWorld,
  entry: unknown,
): Promise<Pick<ClientState, 'problem' | 'version'>> {
  const path = launcherPath(world.home, world.platform);
  const wanted = wordsOf(entryFor(client, world, entry));
  if (wanted.join('\0') !== wordsOf(entry).join('\0')) {
    return { version: null, problem: `The entry starts ${wordsOf(entry).join(' ')} instead of ${path}.` };
  }
  const { fault, fallsBack, program } = await launcherState(path, world);
  const version = program?.version ?? null;
  if (fault !== null) {
    const how = fallsBack ? ', and falls back to the node on the PATH' : '';
    return { version, problem: `The launcher ${path} ${fault}${how}.` };
  }
  if (version === world.program.version) return { version, problem: null };
  return {
    version,
    problem: `The launcher starts version ${version ?? ''}; this is ${world.program.version}.`,
  };
}

import { refuseReadOnly } from './changeFile.js';
import { CLIENTS, type Client } from './clientTable.js';
import { entryIn } from './connect.js';
import { CONNECTIONS, COPIES } from './connectionRecord.js';
import { disconnectClient } from './disconnect.js';
import { namesHomeLauncher } from './homeLauncher.js';
import { ourEntries } from './hookEntries.js';
import { recordedFiles } from './installRecord.js';
import { LAUNCHER_NAME } from './launcherPath.js';
import { isOurs, namesLauncher, wordsOf } from './serverEntry.js';
import { readSettings } from './settingsFile.js';
import { settingsPath, withoutLinks } from './settingsPath.js';
import { rootOf } from './settingsText.js';
import { previewUninstall, uninstallHooks } from './uninstallHooks.js';
import type { ClientWorld } from './world.js';

/** Whose files they are. */
export interface Withdrawal extends Pick<ClientWorld, 'home' | 'platform' | 'env' | 'now'> {
  /** When it is over what is not done yet is left: files may be locked, and nobody waits for them. */
  readonly timeUp: Promise<unknown>;
}

/**
 * Takes our hooks out of every settings file that is known and the user's own, where they name the launcher in this home.
 * Files that cannot be changed are left. Resolves to whether none names the launcher any more.
 */
export async function withdrawHooks(withdrawal: Withdrawal): Promise<boolean> {
  const { home, env } = withdrawal;
  const own = [env, {}].map((variables) => settingsPath('user', { home, directory: home, env: variables }));
  const files = [...new Set([...(await recordedFiles(home)), ...own])];
  await fromEach(files, withdrawal, (file) => removeHooksOf(file, files, withdrawal));
  return !(await isNamedIn(files, (text) => text.includes(LAUNCHER_NAME)));
}

/**
 * The same for the entries of clients: in every configuration that is known and where clients have theirs. Never by a
 * client's own command, which takes its time. A configuration that was copied somewhere names the launcher for ever.
 */
export async function withdrawEntries(withdrawal: Withdrawal): Promise<boolean> {
  const { home } = withdrawal;
  const known = [...(await CONNECTIONS.readAll(home)).keys()];
  const world: ClientWorld = {
    ...withdrawal,
    folder: home,
    program: { node: '', script: '', version: '' },
    run: () => Promise.reject(new Error('Nothing is started here.')),
  };
  const usual = [world, { ...world, env: {} }].flatMap((places) => CLIENTS.map(({ file }) => file(places)));
  const files = [...new Set([...known, ...usual])].filter((file) => file !== COPIES);
  await fromEach(files, withdrawal, (file) => removeEntryOf(file, world));
  return !known.includes(COPIES) && !(await isNamedIn(files, namesLauncher));
}

/** At once, so that one that is locked keeps none of the others. */
async function fromEach(
  files: readonly string[],
  { timeUp }: Withdrawal,
  act: (file: string) => Promise<void>,
): Promise<void> {
  await Promise.race([Promise.allSettled(files.map(act)), timeUp]);
}

async function removeHooksOf(file: string, others: readonly string[], withdrawal: Withdrawal): Promise<void> {
  const { home, platform, now } = withdrawal;
  const removal = { home, settings: file, others, now: now(), platform };
  const { outcome } = await previewUninstall(removal);
  const seen = await readSettings(file);
  if (outcome !== 'untouched') await refuseReadOnly(file, seen);
  if (outcome === 'edited') {
    const root = rootOf(seen, file);
    const hooks = root === null ? [] : ourEntries(root);
    if (!hooks.every(({ command }) => namesHomeLauncher(command, withdrawal))) return;
  }
  await uninstallHooks(removal);
}

/** One of each shape a configuration has: a record does not say which client it is of. None has a command of its own. */
const SHAPES = CLIENTS.filter(({ id }) => id === 'cursor' || id === 'vscode');

async function removeEntryOf(file: string, world: ClientWorld): Promise<void> {
  const seen = await readSettings(await withoutLinks(file));
  const isThere = (shape: Client) => isOurs(entryIn(seen, shape, file));
  const client = SHAPES.find(isThere) ?? SHAPES[0];
  if (client === undefined) return;
  const words = wordsOf(entryIn(seen, client, file));
  if (isThere(client) && !words.some((word) => namesHomeLauncher(word, world))) return;
  await disconnectClient({ ...client, file: () => file }, world);
}

/** A text that is broken counts as well, and so does a file that cannot be read. */
async function isNamedIn(files: readonly string[], names: (text: string) => boolean): Promise<boolean> {
  const found = await Promise.all(
    files.map((file) =>
      readSettings(file).then(
        (content) => content !== null && names(content.toString()),
        () => true,
      ),
    ),
  );
  return found.includes(true);
}

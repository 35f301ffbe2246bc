import { dirname, join } from 'node:path';
import { codeOf, messageOf } from '../link/systemError.js';
import { removeEmptyFolders } from './changeFile.js';
import { ClientError } from './clientError.js';
import { withLock } from './fileLock.js';
import { removeHooks } from './hookEdits.js';
import { readRecord, removeRecord, sha256, type InstallRecord } from './installRecord.js';
import { removeLauncher } from './launcher.js';
import { LAUNCHER_NAME } from './launcherPath.js';
import { mayBeNamedIn } from './namedIn.js';
import {
  inWords,
  MAX_ATTEMPTS,
  neverStill,
  readSettings,
  replaceUnchanged,
  type ReadFile,
} from './settingsFile.js';
import { withoutLinks } from './settingsPath.js';
import { changeText } from './settingsText.js';

export interface Removal {
  /** The user's home folder. */
  readonly home: string;
  /** Absolute path of the settings file; it may be a link, or missing. */
  readonly settings: string;
  /** Other settings files whose hooks may need the launcher, known or not, there or not. */
  readonly others: readonly string[];
  /** Seconds since 1970. */
  readonly now: number;
  readonly platform?: NodeJS.Platform;
  readonly read?: ReadFile;
}

/**
 * `restored`: byte for byte what it was before the installation; `deleted`: there was no file then; `edited`: others
 * changed it since, and only our hooks were taken out; `untouched`: none were there.
 */
export type Removed =
  | { readonly outcome: 'restored' | 'deleted' | 'untouched' }
  | { readonly outcome: 'edited'; readonly backup: string | null };

interface Without {
  readonly outcome: Removed['outcome'];
  /** null: no file. */
  readonly content: Buffer | null;
}

/**
 * Takes our hooks out of a settings file of Claude Code, and the launcher away with the last of them. Throws a
 * {@link ClientError} that says what was not done; but for the launcher it is all or nothing.
 */
export async function uninstallHooks(removal: Removal): Promise<Removed> {
  const { home, settings, read = readSettings } = removal;
  try {
    const file = await withoutLinks(settings);
    // Without a file there may be no folder for a lock.
    if ((await read(file)) === null) return await finish(removal, file, { outcome: 'untouched' });
    const madeFolder = (await readRecord(home, file))?.madeFolder ?? null;
    const removed = await withLock(file, async () => finish(removal, file, await uninstall(removal, file)));
    if (removed.outcome === 'deleted') await removeEmptyFolders(dirname(file), madeFolder);
    return removed;
  } catch (error) {
    throw inWords(error, settings, home);
  }
}

/** What the file would become. Nothing is written. */
export async function previewUninstall({ home, settings }: Removal): Promise<Without> {
  try {
    const file = await withoutLinks(settings);
    return withoutHooks(await readSettings(file), settings, await readRecord(home, file));
  } catch (error) {
    throw inWords(error, settings, home);
  }
}

async function uninstall(
  { home, settings, now, read = readSettings }: Removal,
  file: string,
): Promise<Removed> {
  const known = await readRecord(home, file);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const seen = await read(file);
    const { outcome, content } = withoutHooks(seen, settings, known);
    if (outcome === 'untouched') return { outcome };
    const backup = outcome === 'edited' ? settings : null;
    const replaced = await replaceUnchanged({ file, seen, content, backup, now, read });
    if (replaced === 'stale') continue;
    return outcome === 'edited' ? { outcome, backup: replaced.backup } : { outcome };
  }
  throw neverStill(settings);
}

/** Forgets the installation. */
async function finish(removal: Removal, file: string, removed: Removed): Promise<Removed> {
  const { home, settings, platform, others } = removal;
  try {
    if (removed.outcome !== 'untouched' || (await readRecord(home, file)) !== null) {
      await removeRecord(home, file, async () => {
        if (!(await mayBeNamedIn(others, namesHook))) await removeLauncher(home, platform);
      });
    }
    return removed;
  } catch (error) {
    if (codeOf(error) === '') throw error;
    throw new ClientError(
      `There are no hooks in ${settings} any more, but what was kept for them in ${join(home, '.subconscious-mcp')} ` +
        `could not be removed: ${messageOf(error)}. It does no harm; to be rid of it, delete what that names.`,
      { cause: error },
    );
  }
}

/** Records get lost: the texts themselves are looked through. */
function namesHook(text: string): boolean {
  return text.includes(LAUNCHER_NAME);
}

function withoutHooks(seen: Buffer | null, settings: string, known: InstallRecord | null): Without {
  if (seen === null) return { outcome: 'untouched', content: null };
  if (known !== null && sha256(seen) === known.written) {
    return { outcome: known.original === null ? 'deleted' : 'restored', content: known.original };
  }
  const original = known?.original?.toString() ?? null;
  const content = changeText(seen, settings, (text) => removeHooks(text, settings, original));
  return { outcome: content === seen ? 'untouched' : 'edited', content };
}

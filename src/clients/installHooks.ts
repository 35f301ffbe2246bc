import { mkdir, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withLock } from './fileLock.js';
import { hookCommand, type HookPlace } from './hookCommand.js';
import { addHooks, removeHooks } from './hookEdits.js';
import { ourEntries, usesLauncher } from './hookEntries.js';
import { readRecord, sha256, writeRecord, type InstallRecord } from './installRecord.js';
import { writeLauncher } from './launcher.js';
import type { Program } from './launcherText.js';
import {
  inWords,
  MAX_ATTEMPTS,
  neverStill,
  readSettings,
  replaceUnchanged,
  type ReadFile,
} from './settingsFile.js';
import { withoutLinks } from './settingsPath.js';
import { changeText, readRoot } from './settingsText.js';

export interface Installation extends HookPlace {
  /** Absolute path of the settings file; it may be a link, or missing. */
  readonly settings: string;
  readonly program: Program;
  /** Seconds since 1970. */
  readonly now: number;
  readonly read?: ReadFile;
}

export interface Installed {
  /** False where all hooks were there: then the file was not touched. */
  readonly changed: boolean;
  /** The file before, or null where there was none. */
  readonly backup: string | null;
}

/**
 * Adds our hooks to a settings file of Claude Code and writes the launcher they name. The file is made where it is
 * missing; all that others wrote in it stays. Throws a {@link ClientError} where that cannot be done, and then the
 * file was not touched.
 */
export async function installHooks(installation: Installation): Promise<Installed> {
  const { home, settings } = installation;
  try {
    const made = await mkdir(dirname(await withoutLinks(settings)), { recursive: true });
    const madeFolder = made === undefined ? null : await realpath(made);
    const file = await withoutLinks(settings);
    return await withLock(file, () => install(installation, file, madeFolder));
  } catch (error) {
    throw inWords(error, settings, home);
  }
}

/** The whole file as it would be, and whether that differs from what is there. Nothing is written. */
export async function previewInstall(
  installation: Installation,
): Promise<{ readonly content: Buffer; readonly changed: boolean }> {
  try {
    const seen = await readSettings(await withoutLinks(installation.settings));
    const content = withHooks(seen, installation);
    return { content, changed: content !== seen };
  } catch (error) {
    throw inWords(error, installation.settings, installation.home);
  }
}

async function install(
  installation: Installation,
  file: string,
  madeFolder: string | null,
): Promise<Installed> {
  const { home, settings, program, now, platform, read = readSettings } = installation;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const seen = await read(file);
    const content = withHooks(seen, installation);
    if (content !== seen) {
      const known = await readRecord(home, file);
      await writeRecord(home, file, nextRecord(known, seen, content, madeFolder));
    }
    // After the record, for whose sake nobody else removes it, and before the settings that name it.
    await writeLauncher(home, program, platform);
    if (content === seen) return { changed: false, backup: null };
    const replaced = await replaceUnchanged({ file, seen, content, backup: settings, now, read });
    if (replaced !== 'stale') return { changed: true, backup: replaced.backup };
  }
  throw neverStill(settings);
}

function withHooks(seen: Buffer | null, installation: Installation): Buffer {
  const { settings } = installation;
  return changeText(seen, settings, (text) =>
    addHooks(text, settings, (event) => hookCommand(installation, event)),
  );
}

/** What there was before us is kept through any number of installations, and never has an entry of ours. */
function nextRecord(
  known: InstallRecord | null,
  seen: Buffer | null,
  content: Buffer,
  madeFolder: string | null,
): InstallRecord {
  const written = sha256(content);
  if (known !== null && seen !== null && sha256(seen) === known.written) return { ...known, written };
  const original = seen === null ? null : withoutLauncher(seen, known);
  return { written, original, madeFolder: known?.madeFolder ?? madeFolder };
}

function withoutLauncher(seen: Buffer, known: InstallRecord | null): Buffer {
  return changeText(seen, '', (text) => {
    if (text.trim() === '') return text;
    const isOlder = ourEntries(readRoot(text, '')).some(({ command }) => usesLauncher(command));
    return isOlder ? removeHooks(text, '', known?.original?.toString() ?? null) : text;
  });
}

import { knownConfig } from '../../config/config.js';
import { messageOf } from '../../link/systemError.js';
import { Backup } from './backup.js';
import { checkCapture } from './checkCapture.js';
import { checkClients } from './checkClients.js';
import { checkConfig } from './checkConfig.js';
import { checkHooks } from './checkHooks.js';
import { checkInbox } from './checkInbox.js';
import { checkModel } from './checkModel.js';
import { checkNode } from './checkNode.js';
import { checkOwnership } from './checkOwnership.js';
import { checkPermissions } from './checkPermissions.js';
import { checkServer } from './checkServer.js';
import { checkStorage } from './checkStorage.js';
import { CHECK_NAMES, error, warning, type CheckName, type Finding, type Observation } from './finding.js';
import type { Surroundings } from './surroundings.js';

export type Check = (around: Surroundings) => Promise<Observation[]>;
export type Checks = Readonly<Record<CheckName, Check>>;

export interface Examination {
  readonly findings: readonly Finding[];
  /** How many of them `--fix` would mend. */
  readonly mendable: number;
  /** Folder with what was changed as it was before; null where nothing was. */
  readonly backup: string | null;
}

export const CHECKS: Checks = {
  node: checkNode,
  config: checkConfig,
  storage: checkStorage,
  ownership: checkOwnership,
  server: checkServer,
  model: checkModel,
  hooks: checkHooks,
  clients: checkClients,
  capture: checkCapture,
  inbox: checkInbox,
  permissions: checkPermissions,
};

/**
 * Makes all checks, one after the other. With `fix` what a check finds is mended, where that is safe, before the next
 * one begins: the server has to be asked when what is in its way is gone.
 */
export async function examine(around: Surroundings, fix: boolean, checks = CHECKS): Promise<Examination> {
  const backup = new Backup(around.home, around.now);
  const all: (Observation & { readonly check: CheckName })[] = [];
  const isPlaceless = around.configProblem !== null && knownConfig(around).storageDir === null;
  for (const check of CHECK_NAMES) {
    const look = () => lookOnce(isPlaceless && IN_STORAGE.has(check) ? nowhere : checks[check], around);
    const found = await look();
    const left = fix && found.some(({ mend }) => mend) ? await mendAll(found, look, backup) : found;
    all.push(...left.map((one) => ({ check, ...one })));
  }
  return {
    findings: all.map(({ check, level, message, advice, fixed }) => ({
      check,
      level,
      message,
      advice,
      ...(fixed && { fixed }),
    })),
    mendable: all.filter(({ mend }) => mend !== undefined).length,
    backup: backup.folder,
  };
}

/** Checks of what lies in or around the storage folder: without one they would look in the working directory. */
const IN_STORAGE: ReadonlySet<CheckName> = new Set(['storage', 'ownership', 'inbox', 'permissions']);

function nowhere(): Promise<Observation[]> {
  return Promise.resolve([
    warning(
      'Not looked at: there is no home folder, and no folder for memories is known.',
      'Set HOME (on Windows USERPROFILE), or SUBCONSCIOUS_STORAGE_DIR, to an absolute path, and run doctor again.',
    ),
  ]);
}

/** No check may stop the others. */
async function lookOnce(check: Check, around: Surroundings): Promise<readonly Observation[]> {
  try {
    return await check(around);
  } catch (cause) {
    return [
      error(`This could not be checked: ${messageOf(cause)}.`, 'Mend what it names, and run doctor again.'),
    ];
  }
}

/** Mends what was found and looks again: what is still there was not mended, whatever happened. */
async function mendAll(
  found: readonly Observation[],
  look: () => Promise<readonly Observation[]>,
  backup: Backup,
): Promise<readonly Observation[]> {
  const mended: Observation[] = [];
  const failures: string[] = [];
  for (const { message, mend } of found) {
    if (!mend) continue;
    try {
      await backup.keep(mend.changes);
      await mend.apply();
      mended.push({ level: 'ok', message, advice: '', fixed: true });
    } catch (cause) {
      failures.push(messageOf(cause));
    }
  }
  const after = await look();
  return [
    ...mended.filter(({ message }) => !after.some((one) => one.message === message)),
    ...after.map((one) => (one.mend && failures.length > 0 ? withFailures(one, failures) : one)),
  ];
}

/** What --fix could not do once it is not worth another try. */
function withFailures({ level, message, advice }: Observation, failures: readonly string[]): Observation {
  const end = /[.!?]$/.test(advice) ? '' : '.';
  const failed = `This run of --fix could not do all of it: ${failures.join('; ')}.`;
  return { level, message, advice: `${advice}${end} ${failed}` };
}

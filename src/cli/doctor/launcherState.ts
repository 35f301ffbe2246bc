import { access, constants, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launcherFolder } from '../../clients/launcherPath.js';
import { launcherFiles, programIn, type HookProgram } from '../../clients/launcherText.js';
import { isGone } from '../../link/existence.js';
import { codeOf, messageOf } from '../../link/systemError.js';
import type { Surroundings } from './surroundings.js';

/** One of the scripts that the hooks' commands name. */
export interface LauncherState {
  readonly path: string;
  /** What keeps hooks from running, completing "The launcher ... "; null where nothing does. */
  readonly fault: string | null;
  /** What it starts; null where it was not made by this product, or is not there. */
  readonly program: HookProgram | null;
}

type LauncherPlace = Pick<Surroundings, 'home' | 'program' | 'platform'>;

export function launcherPaths({ home, program, platform }: LauncherPlace): string[] {
  const folder = launcherFolder(home, platform);
  return launcherFiles(program, platform).map(({ name }) => join(folder, name));
}

export async function launcherState(path: string, platform: NodeJS.Platform): Promise<LauncherState> {
  let text;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const fault = codeOf(error) === 'ENOENT' ? 'is gone' : `cannot be read: ${messageOf(error)}`;
    return { path, fault, program: null };
  }
  const program = programIn(text);
  return { path, fault: await faultOf(path, program, platform), program };
}

async function faultOf(
  path: string,
  program: HookProgram | null,
  platform: NodeJS.Platform,
): Promise<string | null> {
  if (program === null) return 'is not what install-hooks wrote';
  const canRun =
    platform === 'win32' ||
    (await access(path, constants.X_OK).then(
      () => true,
      () => false,
    ));
  if (!canRun) return 'may not be executed';
  if (isGone(program.script)) return `starts ${program.script}, which is gone`;
  // It falls back to another Node then, which may be none or too old.
  return isGone(program.node) ? `starts ${program.node}, which is gone` : null;
}

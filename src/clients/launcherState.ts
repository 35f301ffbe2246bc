import { accessSync, statSync } from 'node:fs';
import { access, constants, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HOOK_LAUNCHER, launcherFolder } from './launcherPath.js';
import { launcherFiles, programIn, type Program } from './launcherText.js';
import { isGone } from '../link/existence.js';
import { codeOf, messageOf } from '../link/systemError.js';

/** One of the scripts that other programs' settings name. */
export interface LauncherState {
  readonly path: string;
  /** What keeps it from starting its program, completing "The launcher ... "; null where nothing does. */
  readonly fault: string | null;
  /** Whether that is started all the same, by another Node. */
  readonly fallsBack: boolean;
  /** What it starts; null where it was not made by this product, or is not there. */
  readonly program: Program | null;
}

export interface LauncherPlace {
  readonly home: string;
  readonly program: Program;
  readonly platform: NodeJS.Platform;
}

interface LauncherSystem {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function launcherPaths(
  { home, program, platform }: LauncherPlace,
  launcher = HOOK_LAUNCHER,
): string[] {
  const folder = launcherFolder(home, platform);
  return launcherFiles(program, platform, launcher).map(({ name }) => join(folder, name));
}

export async function launcherState(path: string, { platform, env }: LauncherSystem): Promise<LauncherState> {
  let text;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const fault = codeOf(error) === 'ENOENT' ? 'is gone' : `cannot be read: ${messageOf(error)}`;
    return { path, fault, fallsBack: false, program: null };
  }
  const program = programIn(text);
  const fault = await faultOf(path, program, platform);
  if (program === null || fault !== null || !isGone(program.node)) {
    return { path, fault, fallsBack: false, program };
  }
  const fallsBack = nodeIsOnPath(env, platform);
  return { path, fault: `starts ${program.node}, which is gone`, fallsBack, program };
}

/** Where the launcher looks for another Node, which may be too old. */
function nodeIsOnPath(env: LauncherSystem['env'], platform: NodeJS.Platform): boolean {
  const isWindows = platform === 'win32';
  // Windows writes it Path, and only its own object of variables knows that.
  const path = env['PATH'] ?? env['Path'] ?? '';
  const folders = path.split(isWindows ? ';' : ':').filter((folder) => folder !== '');
  return folders.some((folder) => {
    const node = join(folder, isWindows ? 'node.exe' : 'node');
    try {
      accessSync(node, constants.X_OK);
      return statSync(node).isFile();
    } catch {
      return false;
    }
  });
}

async function faultOf(
  path: string,
  program: Program | null,
  platform: NodeJS.Platform,
): Promise<string | null> {
  if (program === null) return 'is not what was written there';
  const canRun =
    platform === 'win32' ||
    (await access(path, constants.X_OK).then(
      () => true,
      () => false,
    ));
  if (!canRun) return 'may not be executed';
  return isGone(program.script) ? `starts ${program.script}, which is gone` : null;
}

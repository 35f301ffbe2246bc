import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { namesIn } from '../../capture/folders.js';
import type { HookShell } from '../../clients/hookShell.js';
import type { Program } from '../../clients/launcherText.js';
import { configFileOf, knownConfig, readConfig, type Config, type KnownConfig } from '../../config/config.js';
import { messageOf } from '../../link/systemError.js';
import { saidPath } from '../saidPath.js';
import type { World } from '../world.js';
import { damagedNames } from './damaged.js';
import { askServer, type Answer } from '../../mcp/askServer.js';
import type { ServerCommand } from '../../mcp/asking.js';

/** What is examined: one user's installation, seen from a folder. */
export interface Surroundings {
  /** Of this program. */
  readonly version: string;
  /** The user's home folder; empty where there is none. */
  readonly home: string;
  /** Absolute path of the folder the user works in. */
  readonly directory: string;
  readonly env: World['env'];
  readonly platform: NodeJS.Platform;
  /** null on systems without numeric users. */
  readonly uid: number | null;
  /** Without the leading "v". */
  readonly nodeVersion: string;
  /** Node, and the hook program of this installation. */
  readonly program: Program;
  readonly shell: HookShell;
  /** Where the configuration cannot be used, the default one with what the environment says of folder and capture. */
  readonly config: Config;
  /** Why it cannot be used, or null. */
  readonly configProblem: string | null;
  /** Absolute path of the configuration file that was asked for; null where none was. */
  readonly configPath: string | null;
  /** That one, or the one that is looked for; null where there is no place for one. */
  readonly configFile: string | null;
  /** Names of what lay in the storage folder, set aside as damaged, before the server was asked. */
  readonly setAside: readonly string[];
  /** Seconds since 1970. */
  readonly now: () => number;
  /** What is left on the disk of a folder, in bytes. */
  readonly freeBytes: (folder: string) => Promise<number>;
  /** What the server says, which is started for it at the first call only. Never rejects. */
  readonly ask: () => Promise<Answer>;
}

/** @param configPath from `--config` */
export function surroundingsOf(world: World, configPath: string | undefined): Surroundings {
  const { home, directory, env, program, shell, now } = world;
  const { config, problem } = configOf(world, configPath);
  let answer: Promise<Answer> | undefined;
  return {
    version: program.version,
    home,
    directory,
    env,
    platform: process.platform,
    uid: process.geteuid?.() ?? null,
    nodeVersion: process.versions.node,
    program,
    shell,
    config,
    configProblem: problem,
    configPath: configPath === undefined ? null : saidPath(configPath, home),
    configFile: configFileOf(configPath, home),
    setAside: problem === null ? damagedNames(namesIn(config.storageDir)) : [],
    now,
    freeBytes: async (folder) => {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    ask: () => (answer ??= problem === null ? askServer(serverCommand(world, config, configPath)) : refused),
  };
}

function serverCommand(
  { program, env }: World,
  { toolsets }: Config,
  configPath: string | undefined,
): ServerCommand {
  const script = join(dirname(program.script), 'server.js');
  return {
    command: program.node,
    args: configPath === undefined ? [script] : [script, '--config', configPath],
    // What is asked for has to be offered.
    env: { ...env, SUBCONSCIOUS_TOOLSETS: [...new Set(['core', ...toolsets])].join(',') },
    version: program.version,
  };
}

const refused: Promise<Answer> = Promise.resolve({
  reached: false,
  reason: 'No client can start it while the configuration cannot be used.',
});

function configOf(
  { env, home }: World,
  configPath: string | undefined,
): { readonly config: Config; readonly problem: string | null } {
  try {
    return { config: readConfig({ env, home, configPath }), problem: null };
  } catch (error) {
    return { config: fallback(knownConfig({ env, home })), problem: messageOf(error) };
  }
}

/** As hooks see it then: they note their failures in that folder. Where none is known, no check looks into it. */
function fallback({ storageDir, captureEnabled }: KnownConfig): Config {
  const env = {
    SUBCONSCIOUS_STORAGE_DIR: storageDir ?? join('.subconscious-mcp', 'data'),
    ...(captureEnabled !== null && { SUBCONSCIOUS_CAPTURE_ENABLED: String(captureEnabled) }),
  };
  // Without a home no file is looked for.
  return readConfig({ env, home: '' });
}

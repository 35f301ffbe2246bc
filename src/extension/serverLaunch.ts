import { join } from 'node:path';

export interface LaunchSettings {
  /** 0 to 1; null: as configured elsewhere. */
  readonly recallThreshold: number | null;
  /** Absolute path, or empty for the usual place. */
  readonly configurationFile: string;
}

/** Whose memory a server is started for. */
export interface Place {
  /** Absolute path of the folder that is worked in, or of the home folder. */
  readonly directory: string;
  /** The name of a project the user has chosen, instead of the folder's own; null: none. */
  readonly project: string | null;
}

export interface ServerLaunch {
  readonly command: string;
  readonly args: readonly string[];
  /** What is set beside the editor's own environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/**
 * How the memory server is started.
 * @param node the program that runs this extension, which is a Node only when told so
 * @param extensionPath absolute path of the installed extension
 */
export function serverLaunch(
  node: string,
  extensionPath: string,
  { recallThreshold, configurationFile }: LaunchSettings,
  { directory, project }: Place,
): ServerLaunch {
  const config = configurationFile === '' ? [] : ['--config', configurationFile];
  return {
    command: node,
    args: [join(extensionPath, 'dist', 'server.js'), ...config],
    env: {
      ELECTRON_RUN_AS_NODE: '1',
      // Where the editor was started by an agent, that agent's folder is in the environment.
      CLAUDE_PROJECT_DIR: directory,
      ...(recallThreshold !== null && { SUBCONSCIOUS_DEFAULT_THRESHOLD: String(recallThreshold) }),
      ...(project !== null && { SUBCONSCIOUS_NAMESPACE: project }),
    },
    cwd: directory,
  };
}

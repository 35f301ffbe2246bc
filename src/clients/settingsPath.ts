import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from '../link/systemError.js';
import { ClientError } from './clientError.js';

/** Whose sessions the hooks are for: all of the user's, or those in a project, told to others or not. */
export const SETTINGS_SCOPES = ['user', 'project', 'local'] as const;
export type SettingsScope = (typeof SETTINGS_SCOPES)[number];

/** As many as Linux follows. */
const MAX_LINKS = 40;

export interface SettingsPlaces {
  readonly home: string;
  /** Absolute path of the folder the client works in. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Absolute path of Claude Code's settings of a scope (https://docs.claude.com/en/docs/claude-code/settings). */
export function settingsPath(scope: SettingsScope, { home, directory, env }: SettingsPlaces): string {
  const said = env['CLAUDE_CONFIG_DIR']?.trim() ?? '';
  switch (scope) {
    case 'user':
      return join(said === '' ? join(home, '.claude') : resolve(said), 'settings.json');
    case 'project':
      return join(directory, '.claude', 'settings.json');
    case 'local':
      return join(directory, '.claude', 'settings.local.json');
  }
}

/**
 * The path of the file itself, without links, so that a link stays one when the file is replaced. The file, and the
 * target of a link, may be missing. Throws a {@link ClientError} for links in a circle.
 */
export async function withoutLinks(path: string): Promise<string> {
  let file = path;
  for (let links = 0; links <= MAX_LINKS; links += 1) {
    const folder = await realpath(dirname(file)).catch(otherwiseThrow(dirname(file)));
    const here = join(folder, basename(file));
    const target = await readlink(here).catch(otherwiseThrow(null));
    if (target === null) return here;
    file = resolve(folder, target);
  }
  throw new ClientError(`${path} is a link that leads in a circle. Name the settings file itself.`);

  /** For what is not there, or is no link. */
  function otherwiseThrow<T>(instead: T): (error: unknown) => T {
    return (error) => {
      if (['ENOENT', 'ENOTDIR', 'EINVAL', 'UNKNOWN'].includes(codeOf(error))) return instead;
      throw error;
    };
  }
}

import type { SETTINGS } from './contributions.js';
import type { LaunchSettings } from './serverLaunch.js';

export interface Settings extends LaunchSettings {
  /** Whether agents in this editor are offered the memory tools. */
  readonly agentMode: boolean;
}

export type SettingName = (typeof SETTINGS)[number];

/** The editor hands over whatever stands in the user's file. */
interface Found {
  readonly read: (name: SettingName) => unknown;
  /** What is thrown for a value that cannot be used. */
  readonly wrong: (name: SettingName, value: unknown) => Error;
  readonly isAbsolute: (path: string) => boolean;
}

/**
 * The settings, each of its type. What is not set, or null, has its default. Throws for the first value that cannot be
 * used: to go on without it could mean to read and write another memory than the one that is meant.
 */
export function settingValues({ read, wrong, isAbsolute }: Found): Settings {
  const value = <T>(name: SettingName, unset: T, isUsable: (found: unknown) => boolean) => {
    const found = read(name) ?? unset;
    if (found !== unset && !isUsable(found)) throw wrong(name, found);
    return found as T;
  };
  const isPath = (found: unknown) =>
    // A relative one would let the folder that is worked in supply the file.
    typeof found === 'string' &&
    (found.trim() === '' || /^~[/\\]/.test(found.trim()) || isAbsolute(found.trim()));
  return {
    agentMode: value('agentMode.enabled', true, (found) => typeof found === 'boolean'),
    recallThreshold: value<number | null>(
      'recallThreshold',
      null,
      (found) => typeof found === 'number' && found >= 0 && found <= 1,
    ),
    configurationFile: value('configurationFile', '', isPath).trim(),
  };
}

import { configPathIn, hookCommand } from '../../clients/hookCommand.js';
import {
  CLIENT_EVENTS,
  configPathOf,
  ourEntries,
  usesLauncher,
  type HookEntry,
} from '../../clients/hookEntries.js';
import { readSettings } from '../../clients/settingsFile.js';
import { SETTINGS_SCOPES, settingsPath, withoutLinks } from '../../clients/settingsPath.js';
import { rootOf, valueOf } from '../../clients/settingsText.js';
import { codeOf, messageOf } from '../../link/systemError.js';
import { shellWord } from './shellWord.js';
import type { Surroundings } from './surroundings.js';
import { listed } from './wording.js';

/** A settings file of Claude Code, as far as our hooks are concerned. */
export interface HookSettings {
  /** Absolute path, as it is named to people. */
  readonly path: string;
  /** Without links: where a change goes. */
  readonly file: string;
  /** Whether a hook of ours is in it. */
  readonly installed: boolean;
  /** Whether one of them names a launcher, which older ones do not. */
  readonly needsLauncher: boolean;
  /** The configuration file they name; null where they name none. */
  readonly configPath: string | null;
  /** What is wrong with our hooks, each completing "In this file, ...". */
  readonly faults: readonly string[];
  /** What it says about all hooks; null where it says nothing. */
  readonly disabled: boolean | null;
}

/** Why a settings file cannot be read, and how that is mended. */
export interface SettingsProblem {
  readonly message: string;
  readonly advice: string;
}

/** From the farthest to the nearest, which has the last word. Files that are not there say nothing. */
export async function hookSettings(
  around: Surroundings,
): Promise<{ readonly settings: HookSettings[]; readonly problems: SettingsProblem[] }> {
  const paths = new Set(SETTINGS_SCOPES.map((scope) => settingsPath(scope, around)));
  const settings: HookSettings[] = [];
  const problems: SettingsProblem[] = [];
  for (const path of paths) {
    try {
      settings.push(await read(path, around));
    } catch (error) {
      problems.push(problemOf(error, path));
    }
  }
  return { settings, problems };
}

/** Refusals say what is wrong, that nothing was changed, and what to do; the system says the first alone. */
function problemOf(error: unknown, path: string): SettingsProblem {
  const words = messageOf(error);
  if (codeOf(error) !== '') {
    const word = shellWord(path);
    return {
      message: `${path} cannot be read, so it is not known whether hooks are installed there: ${words}.`,
      advice: `See who owns it and its folder (ls -ld), and make it yours and readable: sudo chown "$(id -u)" ${word} && chmod u+rw ${word}`,
    };
  }
  const [message = words, advice = ''] = words.split(' Nothing was changed. ');
  return { message, advice };
}

async function read(path: string, around: Surroundings): Promise<HookSettings> {
  const file = await withoutLinks(path);
  const root = rootOf(await readSettings(file), path);
  const entries = root === null ? [] : ourEntries(root);
  const disabled: unknown = root === null ? null : valueOf(root, 'disableAllHooks')?.value;
  const installed = entries.length > 0;
  const configPath = configPathOf(entries);
  return {
    path,
    file,
    installed,
    needsLauncher: entries.some(({ command }) => usesLauncher(command)),
    configPath,
    faults: installed ? faultsOf(entries, configPath, around) : [],
    disabled: typeof disabled === 'boolean' ? disabled : null,
  };
}

function faultsOf(
  entries: readonly HookEntry[],
  configPath: string | null,
  { shell, home, platform }: Surroundings,
): string[] {
  const of = (event: string) => entries.filter((entry) => entry.event === event);
  const missing = CLIENT_EVENTS.map(([event]) => event).filter((event) => of(event).length === 0);
  const [noun, verb] = missing.length === 1 ? ['hook', 'is'] : ['hooks', 'are'];
  const faultOf = (command: string, name: string) => {
    if (!usesLauncher(command)) return 'is of the older Python program';
    if (command === hookCommand({ shell, home, configPath, platform }, name)) return null;
    return configPathIn(command) === configPath
      ? "names another launcher than this installation's"
      : 'reads another configuration file than the first one';
  };
  return [
    ...(missing.length === 0 ? [] : [`the ${noun} for ${listed(missing)} ${verb} missing`]),
    ...CLIENT_EVENTS.flatMap(([event, name]) => {
      const found = of(event);
      const [fault] = found.flatMap(({ command }) => faultOf(command, name) ?? []);
      return [
        ...(found.length > 1 ? [`the hook for ${event} is there ${found.length} times`] : []),
        ...(fault === undefined ? [] : [`the hook for ${event} ${fault}`]),
      ];
    }),
  ];
}

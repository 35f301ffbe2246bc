import { join, resolve } from 'node:path';
import { CLIENT_EVENTS } from '../../clients/hookEntries.js';
import { installHooks } from '../../clients/installHooks.js';
import { HOOK_LAUNCHER } from '../../clients/launcherPath.js';
import { lastRuns, logsOf, unresolvedFailure } from '../../capture/hookLog.js';
import { error, ok, warning, type Mend, type Observation } from './finding.js';
import { hookSettings, type HookSettings } from './hookSettings.js';
import { launcherPaths, launcherState } from '../../clients/launcherState.js';
import { launcherFinding } from './launcherFinding.js';
import { shellWord } from './shellWord.js';
import type { Surroundings } from './surroundings.js';
import { ago, listed } from './wording.js';

/** Whether Claude Code is told to run our hooks, can run them, and how they went. */
export async function checkHooks(around: Surroundings): Promise<Observation[]> {
  if (around.home === '') {
    return [warning('There is no home folder, so hooks cannot be installed.', 'Set HOME to a folder.')];
  }
  const { settings, problems } = await hookSettings(around);
  const installed = settings.filter((one) => one.installed);
  return [
    ...problems.map(({ message, advice }) => error(message, advice)),
    // What cannot be read may hold them.
    ...(installed.length === 0 && problems.length === 0 ? [notInstalled(around)] : []),
    ...installed.map((one) => installedFinding(one, around)),
    ...installed.flatMap((one) => configFindings(one, around)),
    ...disabledFindings(settings, installed),
    ...(installed.some(({ needsLauncher }) => needsLauncher) ? await launcherFindings(around) : []),
    ...runFindings(around, installed.length > 0),
  ];
}

function notInstalled({ configPath }: Surroundings): Observation {
  return warning(
    'Not installed in the settings of Claude Code, so its sessions are neither captured nor told what is known.',
    `subconscious-mcp install-hooks${option('--config', configPath)}`,
  );
}

function option(name: string, path: string | null): string {
  return path === null ? '' : ` ${name} ${shellWord(path)}`;
}

function installedFinding(settings: HookSettings, around: Surroundings): Observation {
  const { path, file, faults, configPath } = settings;
  if (faults.length === 0) {
    return ok(`Installed in ${path} for ${listed(CLIENT_EVENTS.map(([event]) => event))}.`);
  }
  const { home, program, shell, now, platform } = around;
  const mend: Mend = {
    changes: [file, ...launcherPaths(around)],
    apply: async () => {
      await installHooks({ home, settings: path, program, shell, configPath, now: now(), platform });
    },
  };
  return warning(
    `In ${path} ${listed(faults)}.`,
    `subconscious-mcp install-hooks${option('--settings', path)}${option('--config', configPath)}`,
    mend,
  );
}

/** Only the user knows which of two configurations is meant. */
function configFindings(
  { path, needsLauncher, configPath }: HookSettings,
  around: Surroundings,
): Observation[] {
  const own = join(around.home, '.subconscious-mcp', 'config.json');
  const [theirs, ours] = [configPath ?? own, around.configPath ?? own];
  // Git Bash is given forward slashes on Windows.
  if (!needsLauncher || resolve(theirs) === resolve(ours)) return [];
  return [
    warning(
      `Hooks in ${path} read the configuration ${theirs}, and this is about ${ours}: what they capture may go elsewhere.`,
      `Where theirs is right: subconscious-mcp doctor${option('--config', configPath)}. Where it is not: ` +
        `subconscious-mcp install-hooks${option('--settings', path)}${option('--config', around.configPath)}`,
    ),
  ];
}

/** The nearest file that says anything has the last word. */
function disabledFindings(
  settings: readonly HookSettings[],
  installed: readonly HookSettings[],
): Observation[] {
  const word = settings.findLast(({ disabled }) => disabled !== null);
  if (word?.disabled !== true || installed.length === 0) return [];
  return [
    warning(
      `All hooks are switched off by "disableAllHooks" in ${word.path}, ours too.`,
      'Set it to false, or remove it, to have sessions captured.',
    ),
  ];
}

async function launcherFindings(around: Surroundings): Promise<Observation[]> {
  const states = await Promise.all(launcherPaths(around).map((path) => launcherState(path, around)));
  const broken = states.filter(({ fault }) => fault !== null);
  if (broken.length > 0) {
    const outcome = 'hooks run nothing, and sessions are not captured';
    return broken.map((state) => launcherFinding(state, HOOK_LAUNCHER, outcome, around));
  }
  const [program] = states.flatMap(({ program: found }) => found ?? []);
  return [ok(`The launcher starts ${program?.script ?? ''}.`)];
}

function runFindings({ config, now }: Surroundings, isInstalled: boolean): Observation[] {
  const { storageDir } = config;
  const since = (at: string) => ago(Date.parse(at) / 1000, now());
  const failure = unresolvedFailure(storageDir, now());
  if (failure !== null) {
    const { count, last } = failure;
    return [
      warning(
        `The last ${last.event} hook failed ${since(last.at)}: ${last.message}`,
        `What it would have captured may be missing. No later run made ${count === 1 ? 'it' : `these ${count} failures`} good: see ${join(logsOf(storageDir), 'hook.log')}.`,
      ),
    ];
  }
  const ran = Object.entries(lastRuns(storageDir)).map(([event, at]) => `${event} ${since(at)}`);
  if (ran.length > 0) return [ok(`Last good runs: ${ran.sort().join(', ')}.`)];
  return isInstalled ? [ok('No good run is known yet: sessions that start from now on run them.')] : [];
}

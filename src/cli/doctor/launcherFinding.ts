import { chmod } from 'node:fs/promises';
import { writeLauncher } from '../../clients/launcher.js';
import type { Launcher } from '../../clients/launcherPath.js';
import { launcherPaths, type LauncherState } from '../../clients/launcherState.js';
import { error, warning, type Mend, type Observation } from './finding.js';
import type { Surroundings } from './surroundings.js';

/** What is said of a launcher with a fault. `outcome` completes "The launcher ... is gone: ...". */
export function launcherFinding(
  { path, fault, fallsBack }: LauncherState,
  launcher: Launcher,
  outcome: string,
  around: Surroundings,
): Observation {
  const { home, program, platform } = around;
  const mend: Mend = {
    changes: launcherPaths(around, launcher),
    apply: async () => {
      await writeLauncher(home, program, platform, launcher);
      // What is right already is not written anew.
      if (platform !== 'win32') await chmod(path, 0o700);
    },
  };
  if (fallsBack) {
    return warning(
      `The launcher ${path} ${fault ?? ''}, and falls back to the node on the PATH.`,
      'doctor --fix writes it anew: subconscious-mcp doctor --fix',
      mend,
    );
  }
  return error(`The launcher ${path} ${fault ?? ''}: ${outcome}.`, 'subconscious-mcp doctor --fix', mend);
}

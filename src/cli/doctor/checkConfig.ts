import { isGone } from '../../link/existence.js';
import { error, ok, warning, type Observation } from './finding.js';
import type { Surroundings } from './surroundings.js';

export function checkConfig(around: Surroundings): Promise<Observation[]> {
  const { config, configProblem, configFile } = around;
  if (configProblem !== null) {
    return Promise.resolve([
      error(
        configProblem,
        'Until that is mended no client can use memory and hooks capture nothing. What follows was looked at with the default settings, except for SUBCONSCIOUS_STORAGE_DIR and SUBCONSCIOUS_CAPTURE_ENABLED where they are set.',
      ),
    ]);
  }
  const wrong = config.warnings.map((message) =>
    warning(message, `Correct or remove it in ${configFile ?? ''}.`),
  );
  return Promise.resolve(wrong.length === 0 ? [ok(summary(around))] : wrong);
}

function summary({ configFile, env }: Surroundings): string {
  const set = Object.keys(env).filter((name) => name.startsWith('SUBCONSCIOUS_') && env[name]?.trim());
  const file =
    configFile === null || isGone(configFile)
      ? 'There is no configuration file: the defaults are used'
      : `${configFile} is fine`;
  return set.length === 0 ? `${file}.` : `${file}; the environment sets ${set.sort().join(', ')}.`;
}

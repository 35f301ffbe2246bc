import { captureSwitchedOff } from '../../project/captureSwitch.js';
import { identifyProject } from '../../project/project.js';
import { ok, warning, type Observation } from './finding.js';
import type { Surroundings } from './surroundings.js';

/** Whether sessions in this folder are captured at all. */
export function checkCapture({
  config,
  directory,
  env,
  home,
  configFile,
}: Surroundings): Promise<Observation[]> {
  const { captureEnabled, namespace } = config;
  if (!captureEnabled) {
    const variable = env['SUBCONSCIOUS_CAPTURE_ENABLED']?.trim();
    const by = variable ? 'SUBCONSCIOUS_CAPTURE_ENABLED' : `capture_enabled in ${configFile ?? ''}`;
    return Promise.resolve([ok(`Off by ${by}: nothing of any session is captured.`)]);
  }
  const off = captureSwitchedOff({ directory, home });
  if (off?.fault === null) return Promise.resolve([ok(`Off in this project by ${off.file}.`)]);
  if (off) {
    return Promise.resolve([
      warning(
        `Off in this project, because ${off.file} cannot be understood: ${off.fault}.`,
        'Write { "capture": false } or { "capture": true } into it, or remove it.',
      ),
    ]);
  }
  const { key, name } = identifyProject({ namespace, directory, home });
  const where = key === '' ? `${directory}, which is no project: everybody sees it` : `the project ${name}`;
  return Promise.resolve([ok(`On: what hooks capture here belongs to ${where}.`)]);
}

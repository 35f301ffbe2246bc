import { dirname } from 'node:path';
import { error, ok, type Observation } from './finding.js';
import type { Surroundings } from './surroundings.js';

/** The oldest major version of Node the program is built for. */
const LEAST = 20;

export function checkNode({ nodeVersion, program, version }: Surroundings): Promise<Observation[]> {
  const what = `Node ${nodeVersion} (${program.node}) runs version ${version} in ${dirname(program.script)}`;
  const tooOld = Number.parseInt(nodeVersion, 10) < LEAST;
  return Promise.resolve([
    tooOld
      ? error(
          `${what}, which needs Node ${LEAST} or later.`,
          `Install Node ${LEAST} or later from https://nodejs.org, and name it in the settings of your client.`,
        )
      : ok(`${what}.`),
  ]);
}

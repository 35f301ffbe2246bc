import { PATIENCE } from '../../mcp/asking.js';
import { error, ok, warning, type Observation } from './finding.js';
import type { Surroundings } from './surroundings.js';

const CONSEQUENCE = 'Until that is mended recall finds identical text only, and search goes by words.';

export async function checkModel(around: Surroundings): Promise<Observation[]> {
  const answer = await around.ask();
  if (!answer.reached) return [warning('The model was not tried, because the server cannot be used.', '')];
  const { name, state, runtime, reason } = answer.stats.model;
  if (state === 'unavailable') return [error(`The model ${name} cannot be used: ${reason}`, CONSEQUENCE)];
  if (answer.searchFailure !== null) {
    return [error(`A search with the model ${name} failed: ${answer.searchFailure}`, CONSEQUENCE)];
  }
  if (state !== 'ready') {
    return [
      warning(
        `The model ${name} is still ${state} after ${PATIENCE / 1000} seconds.`,
        `Wait until the computer is less busy, and run doctor again. ${CONSEQUENCE}`,
      ),
    ];
  }
  return [ok(`The model ${name} is ready (${runtime}).`)];
}

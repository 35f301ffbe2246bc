import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { damagedNames } from './checkStorage.js';
import { error, ok, warning, type Observation } from './finding.js';
import type { HealthEntry } from './serverStats.js';
import type { Surroundings } from './surroundings.js';
import { counted } from './wording.js';

/** What the server says of itself and other checks say better. */
const SAID_ELSEWHERE = ['config', 'no_model', 'hook_failed', 'inbox_damaged'];
/** What memory was lost by, or cannot be written for. */
const SERIOUS = ['damaged_file', 'missing_file', 'writes_refused'];

export async function checkServer(around: Surroundings): Promise<Observation[]> {
  const answer = await around.ask();
  if (!answer.reached) {
    const log = around.home === '' ? around.config.storageDir : join(around.home, '.subconscious-mcp');
    return [
      error(
        `The server cannot be used: ${answer.reason}`,
        around.configProblem === null
          ? `Do what it says, and run doctor again. More may be in ${join(log, 'logs', 'server.log')}.`
          : 'Mend the configuration, and run doctor again.',
      ),
    ];
  }
  const { stats, version, tools } = answer;
  const setAside = damagedNames(await readdir(around.config.storageDir).catch(() => []));
  const isNew = ({ code, message }: HealthEntry) =>
    !SAID_ELSEWHERE.includes(code) && !setAside.some((name) => message.includes(name));
  const known = `${counted(stats.memories, 'memory', 'memories')} and ${counted(stats.episodes, 'episode')}`;
  return [
    ok(`Version ${version} answers with ${tools} tools. This project sees ${known}.`),
    ...stats.health.filter(isNew).map(healthFinding),
  ];
}

/** The sentences say how to mend it themselves. */
function healthFinding({ code, message }: HealthEntry): Observation {
  return SERIOUS.includes(code) ? error(message, '') : warning(message, '');
}

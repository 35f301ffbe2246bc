import { readdir } from 'node:fs/promises';
import { counted } from '../../capture/briefText.js';
import { damagedNames, damageFinding } from './damaged.js';
import { error, ok, warning, type Observation } from './finding.js';
import type { HealthEntry } from '../../mcp/serverStats.js';
import { serverLog } from './serverLog.js';
import type { Surroundings } from './surroundings.js';

/** What the server says of itself and other checks say better. */
const SAID_ELSEWHERE = ['config', 'no_model', 'hook_failed', 'inbox_damaged'];
/** What memory was lost by, or cannot be written for. */
const SERIOUS = ['damaged_file', 'missing_file', 'writes_refused'];

export async function checkServer(around: Surroundings): Promise<Observation[]> {
  const { config, setAside } = around;
  const answer = await around.ask();
  // What the server sets aside while it is asked no check before this one can have seen.
  const names = damagedNames(await readdir(config.storageDir).catch(() => []));
  const fresh = names.filter((name) => !setAside.includes(name));
  const damage = fresh.map((name) => damageFinding(config.storageDir, name));
  if (!answer.reached) return [unreachable(answer.reason, around), ...damage];
  const { stats, version, tools } = answer;
  const isNew = ({ code, message }: HealthEntry) =>
    !SAID_ELSEWHERE.includes(code) && !names.some((name) => message.includes(name));
  const known = `${counted(stats.memories, 'memory', 'memories')} and ${counted(stats.episodes, 'episode')}`;
  return [
    ok(`Version ${version} answers with ${tools} tools. This project sees ${known}.`),
    ...stats.health.filter(isNew).map(healthFinding),
    ...damage,
  ];
}

function unreachable(reason: string, around: Surroundings): Observation {
  return error(
    `The server cannot be used: ${reason}`,
    around.configProblem === null
      ? `Do what it says, and run doctor again. More may be in ${serverLog(around)}.`
      : 'Mend the configuration, and run doctor again.',
  );
}

/** The sentences say how to mend it themselves. */
function healthFinding({ code, message }: HealthEntry): Observation {
  return SERIOUS.includes(code) ? error(message, '') : warning(message, '');
}

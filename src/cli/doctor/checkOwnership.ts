import { processExists } from '../../link/existence.js';
import { readHostFile, type HostRecord } from '../../link/hostFile.js';
import { isNewer } from '../../link/version.js';
import type { Answer } from '../../mcp/askServer.js';
import { error, ok, type Observation } from './finding.js';
import type { Surroundings } from './surroundings.js';
import { ago } from './wording.js';

/** Who has the store. Whether that process answers is known from asking the server, which goes through it. */
export async function checkOwnership(around: Surroundings): Promise<Observation[]> {
  const { storageDir } = around.config;
  // Before the question, which starts a process where there is none.
  const found = await readHostFile(storageDir);
  const alive = found !== null && processExists(found.pid);
  const answer = await around.ask();
  const after = await readHostFile(storageDir);
  if (alive && after?.token === found.token) return [standing(found, answer, around)];
  if (found !== null && answer.reached && isNewer(around.version, found.version)) {
    return [ok(`${described(found, around)} was of version ${found.version} and made way for this one.`)];
  }
  if (found !== null) {
    const replaced = answer.reached ? 'has been replaced' : 'will be replaced by the next client';
    return [ok(`The memory process that ran last (pid ${found.pid}) has ended; it ${replaced}.`)];
  }
  return [ok(withoutRecord(answer.reached, after !== null, around))];
}

function withoutRecord(isReached: boolean, isStarted: boolean, { config }: Surroundings): string {
  if (!isReached) return 'No memory process is running.';
  if (isStarted) return 'No memory process was running. One was started for this check and ends by itself.';
  return config.standalone
    ? 'No memory process is shared: standalone is set, so every client has its own.'
    : 'No memory process can be shared here, so every client reads the store by itself.';
}

function standing(record: HostRecord, answer: Answer, around: Surroundings): Observation {
  const process = described(record, around);
  if (around.configProblem !== null) return ok(`${process} runs.`);
  if (answer.reached) return ok(`${process} answers.${comparison(record, around)}`);
  return error(
    `${process} is recorded as running, but did not answer this check.${comparison(record, around)}`,
    'Read below what the server says, and do that.',
  );
}

function described({ pid, startedAt }: HostRecord, { now }: Surroundings): string {
  return `The memory process (pid ${pid}, started ${ago(startedAt, now())})`;
}

function comparison({ version }: HostRecord, around: Surroundings): string {
  if (isNewer(version, around.version))
    return ` Its version ${version} is newer than this one, which uses it as it is.`;
  if (isNewer(around.version, version))
    return ` Its version ${version} is older; the next client replaces it.`;
  return '';
}

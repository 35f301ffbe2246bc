import { findClients } from '../../clients/clientStates.js';
import { CONNECTIONS } from '../../clients/connectionRecord.js';
import { SERVER_LAUNCHER } from '../../clients/launcherPath.js';
import { launcherPaths, launcherState } from '../../clients/launcherState.js';
import type { ClientWorld } from '../../clients/world.js';
import { ok, warning, type Observation } from './finding.js';
import { launcherFinding } from './launcherFinding.js';
import type { Surroundings } from './surroundings.js';
import { listed } from './wording.js';

/** Whether the launcher of the server can be started, where the configuration of a client names it. */
export async function checkClients(around: Surroundings): Promise<Observation[]> {
  if (around.home === '') {
    return [warning('There is no home folder, so clients cannot be connected.', 'Set HOME to a folder.')];
  }
  const names = await connectedNames(around);
  // Others were connected in their own folders, or by hand.
  const isNamed = names.length > 0 || (await CONNECTIONS.readAll(around.home)).size > 0;
  if (!isNamed) return [ok('No client has the entry that subconscious-mcp connect writes.')];
  const paths = launcherPaths(around, SERVER_LAUNCHER);
  const states = await Promise.all(paths.map((path) => launcherState(path, around)));
  const broken = states.filter(({ fault }) => fault !== null);
  if (broken.length > 0) {
    const outcome = `${names.length === 0 ? 'clients that were connected' : listed(names)} cannot start the server`;
    return broken.map((state) => launcherFinding(state, SERVER_LAUNCHER, outcome, around));
  }
  const [program] = states.flatMap(({ program: found }) => found ?? []);
  const whose = names.length === 0 ? '' : ` for ${listed(names)}`;
  return [ok(`The launcher of the server starts ${program?.script ?? ''}${whose}.`)];
}

/** Of clients whose file has our entry, as far as it can be read. */
async function connectedNames({
  home,
  platform,
  env,
  directory,
  program,
  now,
}: Surroundings): Promise<string[]> {
  const run: ClientWorld['run'] = () => Promise.reject(new Error('Nothing is started here.'));
  const states = await findClients({ home, platform, env, folder: directory, program, now, run });
  return states.flatMap(({ name, connection }) => (connection === 'connected' ? [name] : []));
}

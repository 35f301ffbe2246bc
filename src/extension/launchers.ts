import { join } from 'node:path';
import { refreshLauncher } from '../clients/launcher.js';
import { homeFolder } from '../project/person.js';
import type { Window } from './window.js';

/**
 * Has the launchers in the user's home start this version: folders of extensions carry their version, and the one
 * they name may be gone. Makes none, and never rejects.
 */
export async function refreshLaunchers({
  extensionPath,
  version,
  log,
}: Pick<Window, 'extensionPath' | 'version' | 'log'>): Promise<void> {
  const home = homeFolder();
  if (home === '') return;
  try {
    await refreshLauncher(home, {
      node: process.execPath,
      script: join(extensionPath, 'dist', 'hook.js'),
      version,
    });
  } catch (error) {
    log.warn(`The launchers in the home folder could not be renewed: ${String(error)}`);
  }
}

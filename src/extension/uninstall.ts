// Run by the editor after the extension was removed, by `vscode:uninstall` in its manifest. Nobody sees what it prints,
// nor what it fails at: the editor waits for it a few seconds at most.
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { homeFolder } from '../project/person.js';
import { removeOwnLaunchers } from './removeOwnLaunchers.js';

/** In milliseconds. */
const PATIENCE = 3000;

async function uninstall(): Promise<void> {
  const home = homeFolder();
  if (home === '') return;
  await removeOwnLaunchers({
    home,
    extensionFolder: dirname(dirname(fileURLToPath(import.meta.url))),
    platform: process.platform,
    env: process.env,
    now: () => Date.now() / 1000,
    timeUp: pause(PATIENCE),
  });
}

// What is still waiting for a locked file is given up.
void uninstall()
  .catch(() => undefined)
  .then(() => process.exit(0));

import { join } from 'node:path';
import * as vscode from 'vscode';
import { runProgram } from '../../clients/runProgram.js';
import type { ClientWorld } from '../../clients/world.js';
import { homeFolder } from '../../project/person.js';
import type { Window } from '../window.js';

/** What is known of this machine when other programs' files are changed. Throws where there is no home folder. */
export function clientWorld({ place, extensionPath, version }: Window): ClientWorld {
  const home = homeFolder();
  if (home === '') {
    throw new Error(
      vscode.l10n.t('There is no home folder to put the launcher of the server in. Nothing was changed.'),
    );
  }
  return {
    home,
    platform: process.platform,
    env: process.env,
    folder: place().directory,
    program: { node: process.execPath, script: join(extensionPath, 'dist', 'server.js'), version },
    now: () => Date.now() / 1000,
    run: runProgram,
  };
}

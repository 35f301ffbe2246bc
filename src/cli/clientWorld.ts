import { ClientError } from '../clients/clientError.js';
import { runProgram } from '../clients/runProgram.js';
import type { ClientWorld } from '../clients/world.js';
import type { World } from './world.js';

/** Throws a {@link ClientError} where there is no home folder. */
export function clientWorld({ home, directory, env, program, now }: World): ClientWorld {
  if (home === '') {
    throw new ClientError(
      'There is no home folder to put the launcher of the server in. Nothing was changed. ' +
        'Set HOME (on Windows USERPROFILE) to a folder and run the command again.',
    );
  }
  return { home, platform: process.platform, env, folder: directory, program, now, run: runProgram };
}

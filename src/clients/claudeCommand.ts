import { messageOf } from '../link/systemError.js';
import { ClientError } from './clientError.js';
import { programOnPath } from './programOnPath.js';
import { ENTRY_NAME, type Entry } from './serverEntry.js';
import type { ClientWorld } from './world.js';

/**
 * The program of Claude Code, which changes its own file better than anybody: one that is running writes it anew. Null
 * where it is not found; on Windows a script for cmd does not count, since no JSON could be handed to it.
 */
export function claudeCommand(world: Pick<ClientWorld, 'platform' | 'env'>): string | null {
  return programOnPath('claude', world, ['.exe']);
}

/** Has Claude Code add our entry for the user, or replace it. Why that failed, or null. */
export async function addByCommand(
  command: string,
  world: ClientWorld,
  entry: Entry,
): Promise<string | null> {
  return await runClaude(command, world, ['add-json', '-s', 'user', ENTRY_NAME, JSON.stringify(entry)]);
}

/** Has Claude Code remove the user's entry of that name. Why that failed, or null. */
export async function removeByCommand(command: string, world: ClientWorld): Promise<string | null> {
  return await runClaude(command, world, ['remove', '-s', 'user', ENTRY_NAME]);
}

/**
 * Looks at the file Claude Code was told to change, as it is since. Where it cannot be read, what it was before is the
 * way back: throws a {@link ClientError} that names it. `backup` is null where there was no file.
 */
export async function readAfter<T>(
  verb: 'add-json' | 'remove',
  file: string,
  backup: string | null,
  look: () => Promise<T>,
): Promise<T> {
  try {
    return await look();
  } catch (cause) {
    const fault = messageOf(cause).replace(/\.?( Nothing was changed\.[^]*)?$/, '');
    const wayBack =
      backup === null
        ? `There was no such file before: delete it, or correct ${file},`
        : `The file as it was before is ${backup}: put that in its place, or correct ${file},`;
    throw new ClientError(
      `claude mcp ${verb} has left a file that cannot be used: ${fault}. ${wayBack} and run the command again.`,
      { cause },
    );
  }
}

async function runClaude(
  command: string,
  world: ClientWorld,
  words: readonly string[],
): Promise<string | null> {
  const { home, env, run } = world;
  try {
    // In the home folder: it notes each folder it is started in.
    const options = { env: { ...env, HOME: home, USERPROFILE: home }, cwd: home };
    const { status, stdout, stderr } = await run(command, ['mcp', ...words], options);
    if (status === 0) return null;
    const said = (stderr.trim() || stdout.trim()).split('\n', 1)[0] ?? '';
    return `claude mcp ${words[0] ?? ''} failed with exit code ${status ?? 'unknown'}${said === '' ? '' : `: ${said}`}`;
  } catch (error) {
    return `claude could not be run: ${messageOf(error)}`;
  }
}

import { createRequire } from 'node:module';
import type { Readable, Writable } from 'node:stream';
import { clientDirectory, homeFolder } from '../project/person.js';

/** Words in front of the command line that are not for the server: they are run by a bundle of their own. */
export const COMMANDS = [
  'connect',
  'disconnect',
  'clients',
  'install-hooks',
  'uninstall-hooks',
  'redact',
  'doctor',
] as const;

export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** What `cli.js` exports; loaded for a command alone, so that a client's server starts without it. */
interface Cli {
  readonly runCli: (
    words: readonly string[],
    options: Streams & { home: string; directory: string; env: NodeJS.ProcessEnv },
  ) => Promise<number>;
}

export function isCommand(word: string | undefined): boolean {
  return COMMANDS.some((name) => name === word);
}

/** Runs the command that the first word names, and resolves to the exit code. */
export async function runCommand(
  words: readonly string[],
  { stdin, stdout, stderr }: Streams,
): Promise<number> {
  const { runCli } = createRequire(import.meta.url)('./cli.js') as Cli;
  const [home, { env }] = [homeFolder(), process];
  return await runCli(words, { home, directory: clientDirectory(env, home), env, stdin, stdout, stderr });
}

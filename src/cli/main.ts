import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { ClientError } from '../clients/clientError.js';
import { hookShell } from '../clients/hookShell.js';
import { clientsCommand } from './clientsCommand.js';
import { connectCommand, disconnectCommand } from './connectCommands.js';
import { doctorCommand } from './doctorCommand.js';
import { terminalOf } from './doctor/terminal.js';
import { installHooksCommand, uninstallHooksCommand } from './hooksCommands.js';
import { redactCommand } from './redactCommand.js';
import { CommandFailed, type World } from './world.js';

/** What the caller knows, and its streams. */
export interface CliOptions extends Pick<World, 'home' | 'directory' | 'env'> {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * Runs one command. Resolves, with everything written, to the exit code: 0 done, 1 failed, 2 a wrong command line.
 * Rejects only for faults of the program itself.
 */
export async function runCli(words: readonly string[], options: CliOptions): Promise<number> {
  const { stdin, stdout, stderr, ...known } = options;
  // A reader that has enough, such as `head`, is no fault.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  const world: World = {
    ...known,
    stdin,
    program: {
      node: process.execPath,
      // The hook program lies beside this one, in its bundle.
      script: fileURLToPath(new URL('./hook.js', import.meta.url)),
      version: packageJson.version,
    },
    shell: hookShell(),
    terminal: terminalOf(stdout, known.env),
    now: () => Date.now() / 1000,
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
  };
  const code = await run(words, world);
  await Promise.all([stdout, stderr].map(written));
  return code;
}

async function run(words: readonly string[], world: World): Promise<number> {
  const program = new Command('subconscious-mcp').helpCommand(false);
  const commands = [
    connectCommand,
    disconnectCommand,
    clientsCommand,
    installHooksCommand,
    uninstallHooksCommand,
    redactCommand,
    doctorCommand,
  ];
  for (const command of commands) {
    program.addCommand(command(world));
  }
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .configureOutput({ writeOut: world.out, writeErr: world.err })
      .showHelpAfterError(`See ${fullName(command)} --help.`);
  }
  try {
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof CommandFailed) return 1;
    if (!(error instanceof ClientError)) throw error;
    world.err(`${error.message}\n`);
    return 1;
  }
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${command.parent.name()} ${command.name()}`;
}

function written(stream: Writable): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}

import { Command } from 'commander';
import { examine } from './doctor/examine.js';
import { hasErrors, jsonReport, textReport } from './doctor/report.js';
import { surroundingsOf } from './doctor/surroundings.js';
import { fileWord } from './saidPath.js';
import { CommandFailed, type World } from './world.js';

interface DoctorOptions {
  readonly json?: true;
  readonly fix?: true;
  readonly config?: string;
}

export function doctorCommand(world: World): Command {
  return new Command('doctor')
    .description(
      'Looks at everything memory needs, says what is wrong and how to mend it. Exit code 1 where something is wrong.',
    )
    .option('--json', 'print { "ok", "version", "findings": [{ "check", "level", "message", "advice" }] }')
    .option('--fix', 'mend what is safe to mend; what is changed is kept as it was. Memories are not touched')
    .option(
      '--config <path>',
      'with this configuration file instead of ~/.subconscious-mcp/config.json',
      fileWord,
    )
    .addHelpText('after', '\nExample:\n  subconscious-mcp doctor --fix')
    .action(async ({ json, fix, config }: DoctorOptions) => {
      const around = surroundingsOf(world, config);
      const examination = await examine(around, fix === true);
      world.out(
        json === true
          ? jsonReport(examination, around.version)
          : textReport(examination, world.home, world.terminal),
      );
      if (hasErrors(examination.findings)) throw new CommandFailed();
    });
}

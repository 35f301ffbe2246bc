import { Command, Option } from 'commander';
import { ClientError } from '../clients/clientError.js';
import { CLIENT_EVENTS } from '../clients/hookEntries.js';
import { installHooks, previewInstall } from '../clients/installHooks.js';
import { namedConfig } from '../clients/namedConfig.js';
import { SETTINGS_SCOPES, settingsPath, type SettingsScope } from '../clients/settingsPath.js';
import { previewUninstall, uninstallHooks } from '../clients/uninstallHooks.js';
import { readConfigFile } from '../config/configFile.js';
import { isGone } from '../link/existence.js';
import { messageOf } from '../link/systemError.js';
import { shellWord } from './doctor/shellWord.js';
import { fileWord, saidPath } from './saidPath.js';
import type { World } from './world.js';

interface InstallOptions extends HooksOptions {
  readonly config?: string;
}

interface HooksOptions {
  readonly settings?: string;
  readonly scope: SettingsScope;
  readonly dryRun?: true;
}

const EVENTS = CLIENT_EVENTS.map(([event]) => event).join(', ');

export function installHooksCommand(world: World): Command {
  return hooksCommand('install-hooks')
    .description(
      'Adds the capture hooks to the settings of Claude Code, so that what was done in a session is remembered.',
    )
    .option(
      '--config <path>',
      'hooks read this configuration file, for servers that are started with --config',
      fileWord,
    )
    .addHelpText('after', example('install-hooks --dry-run', 'shows the file as it would be'))
    .action(async (options: InstallOptions) => {
      const settings = settingsOf(options, world);
      const configPath = configPathOf(options, world);
      const { home, program, shell } = world;
      const installation = { home: homeOf(world), settings, program, shell, configPath, now: world.now() };
      if (options.dryRun === true) {
        const { content, changed } = await previewInstall(installation);
        world.out(content);
        world.err(
          changed
            ? `This is ${settings} as install-hooks would write it. Nothing was written.\n`
            : `The hooks are already installed in ${settings}. Nothing would change.\n`,
        );
        return;
      }
      const { changed, backup } = await installHooks(installation);
      if (!changed) {
        world.out(`The hooks are already installed in ${settings}. Nothing was changed.\n`);
        return;
      }
      world.out(`Installed the hooks for ${EVENTS} in ${settings}.\n`);
      if (backup !== null) world.out(`The file as it was before is ${backup}.\n`);
      if (options.scope === 'project') {
        world.out(
          `They name a program in ${home}: where others share this file, use --scope local instead.\n`,
        );
      }
      world.out('Sessions of Claude Code that start from now on use them.\n');
      world.out(`To undo it: subconscious-mcp uninstall-hooks${sameFile(options)}\n`);
    });
}

export function uninstallHooksCommand(world: World): Command {
  return hooksCommand('uninstall-hooks')
    .description(
      'Takes the capture hooks out of the settings of Claude Code. Memory, and all else in the file, stays.',
    )
    .addHelpText('after', example('uninstall-hooks --scope local', "for the project's own settings"))
    .action(async (options: HooksOptions) => {
      const settings = settingsOf(options, world);
      const removal = { home: homeOf(world), settings, others: everySettings(world), now: world.now() };
      if (options.dryRun === true) {
        const { outcome, content } = await previewUninstall(removal);
        if (content !== null) world.out(content);
        world.err(
          outcome === 'untouched'
            ? `There are no hooks of Subconscious in ${settings}. Nothing would change.\n`
            : outcome === 'deleted'
              ? `uninstall-hooks would remove ${settings}, which install-hooks had made. Nothing was done.\n`
              : `This is ${settings} as uninstall-hooks would write it. Nothing was written.\n`,
        );
        return;
      }
      const configPath = await namedConfig(settings);
      const removed = await uninstallHooks(removal);
      const sameConfig = configPath === null ? '' : ` --config ${shellWord(configPath)}`;
      switch (removed.outcome) {
        case 'untouched':
          world.out(`There are no hooks of Subconscious in ${settings}. Nothing was changed.\n`);
          return;
        case 'deleted':
          world.out(`Removed ${settings}, which install-hooks had made.\n`);
          break;
        case 'restored':
          world.out(`Removed the hooks. ${settings} is byte for byte what it was before install-hooks.\n`);
          break;
        case 'edited':
          world.out(`Removed the hooks from ${settings}. All else in it was left as it is.\n`);
          if (removed.backup !== null) world.out(`The file as it was before is ${removed.backup}.\n`);
      }
      world.out('Sessions of Claude Code that are running may say that a hook is missing until they end.\n');
      world.out(`To have them again: subconscious-mcp install-hooks${sameFile(options)}${sameConfig}\n`);
    });
}

function hooksCommand(name: string): Command {
  return new Command(name)
    .addOption(
      new Option(
        '--scope <scope>',
        'whose settings: the user\'s, or those of this project, shared or "local"',
      )
        .choices(SETTINGS_SCOPES)
        .default('user'),
    )
    .addOption(
      new Option('--settings <path>', 'this settings file instead').argParser(fileWord).conflicts('scope'),
    )
    .option('--dry-run', 'print the whole new file and write nothing');
}

function example(words: string, meaning: string): string {
  return `\nExample:\n  subconscious-mcp ${words}\n      ${meaning}`;
}

function settingsOf({ settings, scope }: HooksOptions, world: World): string {
  return settings === undefined
    ? settingsPath(scope, { ...world, home: homeOf(world) })
    : saidPath(settings, homeOf(world));
}

function everySettings(world: World): string[] {
  return SETTINGS_SCOPES.map((scope) => settingsPath(scope, { ...world, home: homeOf(world) }));
}

/** Hooks that name a file which cannot be used would capture nothing. Throws a {@link ClientError} then. */
function configPathOf({ config }: InstallOptions, world: World): string | null {
  if (config === undefined) return null;
  const path = saidPath(config, homeOf(world));
  if (isGone(path)) {
    throw new ClientError(
      `There is no configuration file ${path}. Nothing was changed. ` +
        'Write it first, or name the one your client starts the server with.',
    );
  }
  try {
    readConfigFile(path, true);
    return path;
  } catch (cause) {
    throw new ClientError(
      `${messageOf(cause)} Nothing was changed. Or name the one your client starts the server with.`,
      { cause },
    );
  }
}

/** The launcher needs a place. Throws a {@link ClientError} where there is none. */
function homeOf({ home }: World): string {
  if (home !== '') return home;
  throw new ClientError(
    'There is no home folder to put the launcher of the hooks in. Nothing was changed. ' +
      'Set HOME (on Windows USERPROFILE) to a folder and run the command again.',
  );
}

function sameFile({ settings, scope }: HooksOptions): string {
  if (settings !== undefined) return ` --settings ${shellWord(settings)}`;
  return scope === 'user' ? '' : ` --scope ${scope}`;
}

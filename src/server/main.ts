#!/usr/bin/env node
import { readConfig, printable } from '../config/config.js';
import { ConfigError } from '../config/configError.js';
import { clientDirectory, homeFolder } from '../project/person.js';
import packageJson from '../../package.json' with { type: 'json' };
import { readArguments, USAGE } from './arguments.js';
import { runAlone } from './alone.js';
import { isCommand, runCommand } from './commands.js';
import { Front } from './front.js';
import { callHook, isHookCall } from './hookCall.js';
import { leaving } from './leaving.js';

const words = process.argv.slice(2);

async function main(): Promise<number> {
  if (isCommand(words[0])) return await runCommand(words, process);
  const given = readArguments(words);
  if ('problem' in given) {
    process.stderr.write(`${given.problem}\n`);
    return 2;
  }
  if (given.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (given.version) {
    process.stdout.write(`${packageJson.name} ${packageJson.version}\n`);
    return 0;
  }
  const home = homeFolder();
  const config = readConfig({ env: process.env, home, configPath: given.config });
  if (given.printConfig) {
    for (const warning of config.warnings) process.stderr.write(`${warning}\n`);
    process.stderr.write(`${printable(config)}\n`);
    return 0;
  }
  const setup = {
    config,
    version: packageJson.version,
    home,
    directory: clientDirectory(process.env, home),
    leaving: leaving(),
  };
  if (given.standalone || config.standalone) await runAlone(setup, process.stdin, process.stdout);
  else await new Front(setup, process.stdin, process.stdout).run();
  return 0;
}

if (isHookCall(words)) {
  callHook();
} else {
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      const expected = error instanceof ConfigError;
      process.stderr.write(
        `${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
      );
      process.exit(1);
    },
  );
}

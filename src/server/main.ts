#!/usr/bin/env node
import { readConfig, printable, type Config } from '../config/config.js';
import { ConfigError } from '../config/configError.js';
import packageJson from '../../package.json' with { type: 'json' };
import { readArguments, USAGE } from './arguments.js';
import { clientDirectory, homeFolder } from './person.js';

/** What `standalone.js` exports; a bundle of its own, so that nothing else loads a store or a model. */
interface Standalone {
  runStandalone(options: { config: Config; version: string; home: string; directory: string }): Promise<void>;
}

async function main(): Promise<number> {
  const given = readArguments(process.argv.slice(2));
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
  const standalone = (await import(new URL('./standalone.js', import.meta.url).href)) as Standalone;
  const directory = clientDirectory(process.env, home);
  await standalone.runStandalone({ config, version: packageJson.version, home, directory });
  return 0;
}

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

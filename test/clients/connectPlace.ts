import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { clientOf, type Client, type ClientId } from '../../src/clients/clientTable.js';
import { runProgram } from '../../src/clients/runProgram.js';
import type { ClientWorld } from '../../src/clients/world.js';
import { NOW, Place } from './place.js';

/** A home and a project folder with clients in them. */
export class ConnectPlace extends Place {
  readonly folder = join(this.root, 'project');
  readonly server = join(this.home, '.subconscious-mcp', 'bin', 'subconscious-mcp');
  readonly connections = join(this.home, '.subconscious-mcp', 'connections.json');

  world(fields: Partial<ClientWorld> = {}): ClientWorld {
    return {
      home: this.home,
      platform: 'linux',
      env: {},
      folder: this.folder,
      program: { node: '/opt/node', script: '/opt/dist/server.js', version: '1.2.3' },
      now: () => NOW,
      run: runProgram,
      ...fields,
    };
  }

  /** Writes a client's file, and returns where it is. */
  configure(id: ClientId, text: string | Buffer): string {
    return this.write(text, theClient(id).file(this.world()));
  }

  /** Our entry as a client gets it. */
  entry(added: object = {}) {
    return { type: 'stdio', command: this.server, args: [], env: {}, ...added };
  }

  /** What is in a JSON file. */
  json(file: string): unknown {
    return JSON.parse(this.text(file));
  }

  /** What the stand-in for `claude` was called with. */
  calls(): string[][] {
    const log = join(this.root, 'bin', 'calls');
    if (!existsSync(log)) return [];
    const lines = this.text(log).trim().split('\n');
    return lines.map((line) => JSON.parse(line) as string[]);
  }

  /** A stand-in for `claude` in a folder of its own, and a PATH with that alone. */
  withClaude(behaviour: keyof typeof BEHAVIOURS = 'good'): ClientWorld {
    const file = this.write(fakeClaude(behaviour), join(this.root, 'bin', 'claude'));
    chmodSync(file, 0o700);
    return this.world({ env: { PATH: join(this.root, 'bin') } });
  }
}

export function theClient(id: ClientId): Client {
  const client = clientOf(id);
  if (client === null) throw new Error(`There is no client ${id}.`);
  return client;
}

/** What the stand-in does instead of what it should. */
const BEHAVIOURS = {
  good: '',
  fails: 'process.stderr.write("No such option.\\n"); process.exit(2);',
  forgets: 'process.exit(0);',
  tears: `writeFileSync(join(process.env.CLAUDE_CONFIG_DIR || process.env.HOME, '.claude.json'), '{"a": {'); process.exit(0);`,
};

/**
 * Behaves as Claude Code does with `mcp add-json -s user` and `mcp remove -s user`: refuses a name that is there, writes
 * its whole file anew, and notes in it that it was started.
 */
const fakeClaude = (behaviour: keyof typeof BEHAVIOURS) => `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
appendFileSync(join(__dirname, 'calls'), JSON.stringify(process.argv.slice(2)) + '\\n');
${BEHAVIOURS[behaviour]}
const [, , mcp, verb, flag, scope, name, json] = process.argv;
const fail = (message) => { process.stderr.write(message + '\\n'); process.exit(1); };
if (mcp !== 'mcp' || flag !== '-s' || scope !== 'user') fail('error: unknown option');
const file = join(process.env.CLAUDE_CONFIG_DIR || process.env.HOME, '.claude.json');
const config = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
config.numStartups = (config.numStartups ?? 0) + 1;
config.mcpServers ??= {};
if (verb === 'add-json') {
  if (config.mcpServers[name]) fail('MCP server ' + name + ' already exists in user config');
  config.mcpServers[name] = JSON.parse(json);
} else if (verb === 'remove') {
  if (!config.mcpServers[name]) fail('No user-scoped MCP server found with name: ' + name);
  delete config.mcpServers[name];
} else fail('error: unknown command');
writeFileSync(file, JSON.stringify(config, null, 2));
`;

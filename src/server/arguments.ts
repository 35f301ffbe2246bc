import { parseArgs } from 'node:util';
import { nearestName } from '../config/nearestName.js';
import { COMMANDS } from './commands.js';

export const USAGE = `subconscious-mcp: long-term memory for coding agents, over MCP on stdio.

Usage: subconscious-mcp [options]
       subconscious-mcp <command> [options]

Without options it serves an MCP client on stdin and stdout. All clients of a storage folder share one process in
the background, which is started when it is needed and ends some time after the last client has left.

  --config PATH    read this configuration file instead of ~/.subconscious-mcp/config.json
  --print-config   print the resolved configuration as JSON to stderr and exit
  --standalone     serve from this process alone, sharing nothing (also SUBCONSCIOUS_STANDALONE=1)
  --version        print the version and exit
  -h, --help       print this text and exit

Commands, each with its own --help:

  connect          have a coding agent start this server
  disconnect       take that back
  clients          which agents there are, and which start it
  install-hooks    have Claude Code capture what was done in its sessions
  uninstall-hooks  take that back
  hook             what Claude Code runs then: --event session-start|stop|session-end|pre-compact|log-only
  redact           print a text with its secrets masked
  doctor           say what is wrong, and how to mend it
`;

export interface Arguments {
  readonly config: string | undefined;
  readonly printConfig: boolean;
  readonly standalone: boolean;
  readonly version: boolean;
  readonly help: boolean;
}

/** The command line, or one sentence on what is wrong with it. */
export function readArguments(words: readonly string[]): Arguments | { readonly problem: string } {
  const [first = '-'] = words;
  // Before options are looked at: they would be those of the command.
  if (!first.startsWith('-')) return unknownCommand(first);
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        config: { type: 'string' },
        'print-config': { type: 'boolean', default: false },
        standalone: { type: 'boolean', default: false },
        version: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const [command] = positionals;
    if (command !== undefined) return unknownCommand(command);
    const { config, standalone, version, help } = values;
    return { config, printConfig: values['print-config'], standalone, version, help };
  } catch (error) {
    const cause = error instanceof Error ? error.message.split('. ')[0] : String(error);
    return { problem: `${cause}. ${SEE_HELP}` };
  }
}

function unknownCommand(word: string): { readonly problem: string } {
  const nearest = nearestName(word, COMMANDS);
  const advice = nearest === word ? 'It goes before all options. ' : `Did you mean "${nearest ?? ''}"? `;
  return { problem: `Unknown command "${word}". ${nearest === null ? '' : advice}${SEE_HELP}` };
}

const SEE_HELP = 'See subconscious-mcp --help.';

import { Command } from 'commander';
import { configurationText, findClients, type ClientState } from '../clients/clientStates.js';
import { clientWorld } from './clientWorld.js';
import type { World } from './world.js';

const CONNECTION = {
  connected: 'connected',
  none: 'not connected',
  other: 'another entry',
  unknown: 'unknown',
};

export function clientsCommand(world: World): Command {
  return new Command('clients')
    .description(
      'Lists the coding agents that connect knows: which are installed, and which start this server.',
    )
    .option('--json', 'print { "clients": [...], "configuration": what to copy into any other client }')
    .addHelpText('after', '\nExample:\n  subconscious-mcp clients --json')
    .action(async ({ json }: { readonly json?: true }) => {
      const clients = clientWorld(world);
      const states = await findClients(clients);
      if (json === true) {
        const configuration: unknown = JSON.parse(configurationText(null, clients));
        world.out(`${JSON.stringify({ clients: states, configuration }, null, 2)}\n`);
        return;
      }
      world.out(table(states));
      world.out(
        '\nTo connect one: subconscious-mcp connect <client>. Any other: subconscious-mcp connect --print\n',
      );
    });
}

function table(states: readonly ClientState[]): string {
  const rows = states.map(({ id, installed, connection, file, problem }) => ({
    cells: [id, installed ? 'installed' : 'not found', CONNECTION[connection], file],
    problem,
  }));
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map(({ cells }) => cells[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}\n`;
  return rows.map(({ cells, problem }) => line(cells) + (problem === null ? '' : `  ${problem}\n`)).join('');
}

import { counted } from '../capture/briefText.js';
import type { Client } from '../clients/clientTable.js';
import { writtenCommand } from '../clients/clientStates.js';
import type { ClientWorld } from '../clients/world.js';
import { shakeHands } from '../mcp/shakeHands.js';
import { CommandFailed, type World } from './world.js';

/** Starts what is written for a client, as it would, and says what came of it. Fails where no server answers. */
export async function sayHandshake(client: Client, clients: ClientWorld, world: World): Promise<void> {
  const written = await writtenCommand(client, clients);
  if (written === null) return;
  const { command, args, env, cwd } = written;
  if (written.needsClient) {
    world.out(`It cannot be tried from here: ${client.name} alone knows the variables in the entry.\n`);
    return;
  }
  const said = await shakeHands({
    command,
    args,
    env: { ...clients.env, ...env },
    cwd,
    version: clients.program.version,
  });
  if (said.reached) {
    const memories = said.memories === null ? '' : `, ${counted(said.memories, 'memory', 'memories')}`;
    world.out(`Connected: ${counted(said.tools, 'tool')}${memories}.\n`);
    return;
  }
  world.err(
    `The entry is written, but what it starts does not answer: ${said.reason}\n` +
      'Do what it says, or run subconscious-mcp doctor. Then try again: ' +
      `subconscious-mcp connect ${client.id}\n`,
  );
  throw new CommandFailed();
}

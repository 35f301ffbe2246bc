import { Argument, Command, Option } from 'commander';
import { ClientError } from '../clients/clientError.js';
import { CLIENTS, clientOf, type Client } from '../clients/clientTable.js';
import { configurationText, prepareCopy } from '../clients/clientStates.js';
import { connectClient, previewConnect } from '../clients/connect.js';
import { disconnectClient, previewDisconnect } from '../clients/disconnect.js';
import {
  addGuidance,
  checkGuidance,
  GUIDANCE_KINDS,
  hasGuidance,
  previewGuidance,
  removeGuidance,
  type GuidanceKind,
  type GuidancePlace,
} from '../clients/guidance.js';
import type { ClientWorld } from '../clients/world.js';
import { clientWorld } from './clientWorld.js';
import { sayHandshake } from './sayHandshake.js';
import { unifiedDiff } from './unifiedDiff.js';
import type { World } from './world.js';

interface ConnectOptions {
  readonly dryRun?: true;
  readonly print?: true;
  readonly guidance?: GuidanceKind;
}

interface DisconnectOptions {
  readonly dryRun?: true;
  readonly guidance?: true;
}

const IDS = CLIENTS.map(({ id }) => id);

export function connectCommand(world: World): Command {
  return new Command('connect')
    .usage('[options] <client>')
    .description(
      'Has a coding agent start this server: adds an entry to its configuration and tries it out. All else there stays.',
    )
    .addArgument(new Argument('[client]', 'who shall start it').choices(IDS))
    .addOption(
      new Option(
        '--guidance <kind>',
        'also tell Claude Code when to use memory: in CLAUDE.md, or as a skill',
      ).choices(GUIDANCE_KINDS),
    )
    .option('--dry-run', 'print the change and write nothing')
    .addOption(
      new Option('--print', 'print what to put into the configuration of any other client').conflicts([
        'dryRun',
        'guidance',
      ]),
    )
    .addHelpText(
      'after',
      '\nExample:\n  subconscious-mcp connect claude-code --dry-run\n      shows what would change in ~/.claude.json',
    )
    .action(async (id: string | undefined, options: ConnectOptions) => {
      const clients = clientWorld(world);
      const client = id === undefined ? null : clientOf(id);
      if (options.print === true) {
        await print(client, clients, world);
        return;
      }
      const chosen = known(client);
      const place = options.guidance === undefined ? null : guidancePlace(chosen, options.guidance);
      if (options.dryRun === true) {
        await dryRun(chosen, place, clients, world);
        return;
      }
      // Before anything is written: nobody wants half of it.
      if (place !== null) await checkGuidance(place, clients);
      await connect(chosen, clients, world);
      if (place !== null) await tell(chosen, place, clients, world);
      await sayHandshake(chosen, clients, world);
    });
}

export function disconnectCommand(world: World): Command {
  return new Command('disconnect')
    .usage('[options] <client>')
    .description('Takes the entry of this server out of the configuration of a coding agent. Memory stays.')
    .addArgument(new Argument('<client>', 'who shall not start it any more').choices(IDS))
    .option('--guidance', 'also remove what connect --guidance has written')
    .option('--dry-run', 'print the change and write nothing')
    .addHelpText('after', '\nExample:\n  subconscious-mcp disconnect claude-code --guidance')
    .action(async (id: string, options: DisconnectOptions) => {
      const clients = clientWorld(world);
      const client = known(clientOf(id));
      const places = GUIDANCE_KINDS.map((kind) => placeFor(client, kind)).filter((place) => place !== null);
      if (options.guidance === true && places.length === 0) guidancePlace(client, 'skill');
      if (options.dryRun === true) {
        const { file, before, after, outcome } = await previewDisconnect(client, clients);
        if (outcome === 'untouched' || outcome === 'foreign') world.err(notConnected(client, file, outcome));
        world.out(unifiedDiff(file, before, after));
        for (const place of options.guidance === true ? places : []) {
          const change = await previewGuidance('remove', place, clients);
          world.out(unifiedDiff(change.file, change.before, change.after));
        }
        world.err('Nothing was written.\n');
        return;
      }
      await disconnect(client, clients, world);
      for (const place of places) {
        if (options.guidance !== true) {
          if (!(await hasGuidance(place, clients))) continue;
          world.out(
            `Agents are still told of it. To undo that: subconscious-mcp disconnect ${client.id} --guidance\n`,
          );
          break;
        }
        const { file, changed, backup } = await removeGuidance(place, clients).catch((error: unknown) => {
          throw behind(`${client.name} is disconnected, but the guidance was not removed.`, error);
        });
        if (changed) world.out(`Removed the guidance from ${file}.\n`);
        sayBackup(backup, world);
      }
    });
}

async function connect(client: Client, clients: ClientWorld, world: World): Promise<void> {
  const preview = await previewConnect(client, clients);
  sayMissing(client, preview.installed, world);
  const { changed, file, backup, via, note } = await connectClient(client, clients);
  if (!changed) {
    world.out(`${client.name} is already connected in ${file}. Nothing was changed.\n`);
    return;
  }
  world.out(unifiedDiff(file, preview.before, preview.after));
  if (note !== null) world.err(`${note}. The file was edited instead.\n`);
  if (preview.replaces !== null) world.out(`The entry there started ${preview.replaces}; it was replaced.\n`);
  world.out(`Added the entry to ${file}${via === 'command' ? ' with claude mcp add-json' : ''}.\n`);
  sayBackup(backup, world);
  if (client.id === 'claude-code-project') {
    world.out(`The entry names a program in ${clients.home}: others who share this file need their own.\n`);
  }
  world.out(`${client.afterwards}\n`);
  world.out(`To undo it: subconscious-mcp disconnect ${client.id}\n`);
}

async function disconnect(client: Client, clients: ClientWorld, world: World): Promise<void> {
  const { file, outcome, backup, via, note } = await disconnectClient(client, clients);
  if (note !== null) world.err(`${note}. The file was edited instead.\n`);
  switch (outcome) {
    case 'untouched':
    case 'foreign':
      world.out(notConnected(client, file, outcome));
      return;
    case 'deleted':
      world.out(`Removed ${file}, which connect had made.\n`);
      break;
    case 'restored':
      world.out(`Removed the entry. ${file} is byte for byte what it was before connect.\n`);
      break;
    case 'edited':
      world.out(
        via === 'command'
          ? `Removed the entry from ${file} with claude mcp remove.\n`
          : `Removed the entry from ${file}. All else in it was left as it is.\n`,
      );
  }
  sayBackup(backup, world);
  world.out(`To connect it again: subconscious-mcp connect ${client.id}\n`);
}

function sayBackup(backup: string | null, world: World): void {
  if (backup !== null) world.out(`The file as it was before is ${backup}.\n`);
}

function notConnected({ name }: Client, file: string, outcome: 'untouched' | 'foreign'): string {
  return outcome === 'foreign'
    ? `The entry called subconscious in ${file} starts another program. It was left as it is.\n`
    : `${name} is not connected in ${file}. Nothing to remove.\n`;
}

async function dryRun(
  client: Client,
  place: GuidancePlace | null,
  clients: ClientWorld,
  world: World,
): Promise<void> {
  const { file, before, after, changed, installed } = await previewConnect(client, clients);
  sayMissing(client, installed, world);
  if (!changed) world.err(`${client.name} is already connected in ${file}.\n`);
  world.out(unifiedDiff(file, before, after));
  if (place !== null) {
    const change = await previewGuidance('add', place, clients);
    world.out(unifiedDiff(change.file, change.before, change.after));
  }
  world.err('Nothing was written.\n');
}

async function tell(client: Client, place: GuidancePlace, clients: ClientWorld, world: World): Promise<void> {
  const { before, after } = await previewGuidance('add', place, clients);
  const { file, changed, backup } = await addGuidance(place, clients).catch((error: unknown) => {
    throw behind(`${client.name} is connected, but the guidance was not written.`, error);
  });
  if (!changed) {
    world.out(`The guidance for agents is already in ${file}. Nothing was changed.\n`);
    return;
  }
  world.out(unifiedDiff(file, before, after));
  world.out(`Wrote the guidance for agents into ${file}.\n`);
  sayBackup(backup, world);
}

/** What was done comes first: the sentence of an error is about its own file, and may say that nothing was changed. */
function behind(done: string, cause: unknown): unknown {
  return cause instanceof ClientError ? new ClientError(`${done} ${cause.message}`, { cause }) : cause;
}

async function print(client: Client | null, clients: ClientWorld, world: World): Promise<void> {
  await prepareCopy(clients);
  world.out(configurationText(client, clients));
  world.err(
    client === null
      ? 'Put this into the configuration of your client. Some call "mcpServers" otherwise: see its manual.\n'
      : `Put this into ${client.file(clients)}.\n`,
  );
}

function sayMissing({ name }: Client, installed: boolean, world: World): void {
  if (!installed)
    world.err(`${name} was not found on this machine: it finds the entry when it is installed.\n`);
}

function known(client: Client | null): Client {
  if (client !== null) return client;
  throw new ClientError(
    `Name a client: ${IDS.join(', ')}. For any other one: subconscious-mcp connect --print`,
  );
}

function placeFor({ id }: Client, kind: GuidanceKind): GuidancePlace | null {
  if (id === 'claude-code') return { kind, scope: 'user' };
  return id === 'claude-code-project' ? { kind, scope: 'project' } : null;
}

/** Throws a {@link ClientError} for a client that reads none. */
function guidancePlace(client: Client, kind: GuidanceKind): GuidancePlace {
  const place = placeFor(client, kind);
  if (place !== null) return place;
  throw new ClientError(
    `Guidance is for Claude Code, and ${client.name} does not read it. Nothing was changed. ` +
      'Leave --guidance out, or name claude-code or claude-code-project.',
  );
}

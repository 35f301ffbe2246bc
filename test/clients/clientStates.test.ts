import assert from 'node:assert/strict';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findClients, writtenCommand } from '../../src/clients/clientStates.js';
import type { ClientId } from '../../src/clients/clientTable.js';
import { connectClient } from '../../src/clients/connect.js';
import type { ClientWorld } from '../../src/clients/world.js';
import { ConnectPlace, theClient } from './connectPlace.js';

const cursor = theClient('cursor');

async function stateOf(id: ClientId, world: ClientWorld) {
  const state = (await findClients(world)).find((one) => one.id === id);
  assert.ok(state);
  return state;
}

/** A world whose program is there. */
function worldOf(place: ConnectPlace, version = '1.2.3'): ClientWorld {
  const node = place.write('', join(place.root, version, 'node'));
  chmodSync(node, 0o700);
  return place.world({
    program: { node, script: place.write('', join(place.root, version, 'server.js')), version },
  });
}

describe('the clients of a machine', () => {
  it('are all listed, with what is known of each', async (t) => {
    const place = new ConnectPlace(t);
    const world = worldOf(place);
    place.configure('vscode', '{');
    place.configure('claude-desktop', '{"mcpServers": {"subconscious": {"command": "uvx"}}}');
    await connectClient(cursor, world);
    const states = await findClients(world);
    assert.deepEqual(
      states.map(({ id, installed, connection, version }) => [id, installed, connection, version]),
      [
        ['claude-code', false, 'none', null],
        ['claude-code-project', false, 'none', null],
        ['claude-desktop', true, 'other', null],
        ['cursor', true, 'connected', '1.2.3'],
        ['vscode', true, 'unknown', null],
      ],
    );
    assert.deepEqual(states.map(({ problem }) => problem).filter((problem) => problem !== null).length, 1);
    assert.match(states[4]?.problem ?? '', /is not valid JSON/);
  });

  it('tell what is wrong with what a connected one starts', async (t) => {
    const place = new ConnectPlace(t);
    const world = worldOf(place);
    const { file } = await connectClient(cursor, world);
    const problem = async (at = world) => (await stateOf('cursor', at)).problem ?? '';
    assert.equal(await problem(), '');
    assert.equal(await problem(worldOf(place, '2.0.0')), 'The launcher starts version 1.2.3; this is 2.0.0.');
    rmSync(world.program.script);
    assert.match(await problem(), /^The launcher .*subconscious-mcp starts .*server\.js, which is gone\.$/);
    rmSync(place.server);
    assert.match(await problem(), /^The launcher .* is gone\.$/);
    place.write(place.text(file).replace(place.home, '/other'), file);
    assert.match(await problem(), /^The entry starts \/other\/.* instead of /);
  });
});

describe('the command that is written for a client', () => {
  it('is what stands there, with its variables, in the folder of the project', async (t) => {
    const place = new ConnectPlace(t);
    assert.equal(await writtenCommand(cursor, place.world()), null);
    const entry = { command: 'a', args: ['b', 1], env: { C: 'd', E: 2 } };
    place.configure('cursor', JSON.stringify({ mcpServers: { subconscious: entry } }));
    assert.deepEqual(await writtenCommand(cursor, place.world()), {
      command: 'a',
      args: ['b', '1'],
      env: { C: 'd', E: '2' },
      cwd: place.folder,
      needsClient: false,
    });
  });

  it('says where only the client can put in what it names', async (t) => {
    const place = new ConnectPlace(t);
    const entry = { command: 'a', args: [], env: { SUBCONSCIOUS_STORAGE_DIR: '${workspaceFolder}/.mem' } };
    place.configure('cursor', JSON.stringify({ mcpServers: { subconscious: entry } }));
    assert.equal((await writtenCommand(cursor, place.world()))?.needsClient, true);
  });
});

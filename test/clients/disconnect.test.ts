import assert from 'node:assert/strict';
import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { prepareCopy } from '../../src/clients/clientStates.js';
import { CLIENTS } from '../../src/clients/clientTable.js';
import { connectClient } from '../../src/clients/connect.js';
import { disconnectClient, previewDisconnect } from '../../src/clients/disconnect.js';
import { addEntry, removeEntry } from '../../src/clients/entryEdits.js';
import { installHooks } from '../../src/clients/installHooks.js';
import { uninstallHooks } from '../../src/clients/uninstallHooks.js';
import { undoOf, undone } from '../../src/clients/undo.js';
import { ConnectPlace, theClient } from './connectPlace.js';

const cursor = theClient('cursor');

describe('disconnecting a client', () => {
  it('restores the file byte for byte where nobody changed it, and forgets about it', async (t) => {
    const place = new ConnectPlace(t);
    for (const before of [
      '{ }',
      '',
      '\uFEFF{\r\n}',
      '{"mcpServers":{ }}',
      '{\n  "a": 1, // x\n}',
      '{"mcpServers":{"subconscious":{"command":"uvx"}}}',
    ]) {
      const file = place.configure('cursor', before);
      await connectClient(cursor, place.world());
      assert.notEqual(place.text(file), before);
      const { outcome, backup } = await disconnectClient(cursor, place.world());
      assert.deepEqual([outcome, backup], ['restored', null]);
      assert.equal(place.text(file), before);
      assert.equal(existsSync(place.connections), false);
    }
  });

  it('removes a file, and folders, that were made for it', async (t) => {
    for (const { id } of CLIENTS) {
      const place = new ConnectPlace(t);
      const client = theClient(id);
      const { file } = await connectClient(client, place.world());
      assert.equal((await disconnectClient(client, place.world())).outcome, 'deleted', id);
      assert.equal(existsSync(dirname(file)) && dirname(file) !== place.home, false);
      assert.equal(existsSync(place.server), false);
    }
  });

  it('leaves what others wrote since, and the place for servers alone where it was there', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.configure('cursor', '{\n  "a": 1\n}\n');
    await connectClient(cursor, place.world());
    place.write(place.text(file).replace('1', '2'), file);
    const changed = place.text(file);
    const { outcome, backup } = await disconnectClient(cursor, place.world());
    assert.deepEqual([outcome, place.text(file)], ['edited', '{\n  "a": 2\n}\n']);
    assert.equal(place.text(backup ?? ''), changed);
    place.write('{\n  "a": 1,\n  "mcpServers": {}\n}\n', file);
    await connectClient(cursor, place.world());
    place.write(place.text(file).replace('1', '2'), file);
    await disconnectClient(cursor, place.world());
    assert.equal(place.text(file), '{\n  "a": 2,\n  "mcpServers": {}\n}\n');
  });

  it('remembers what was there first through any number of connections', async (t) => {
    const place = new ConnectPlace(t);
    const before = '{ "b": true }\n';
    const file = place.configure('cursor', before);
    await connectClient(cursor, place.world());
    place.write(place.text(file).replace('"args": []', '"args": ["--x"]').replace('stdio', 'other'), file);
    await connectClient(cursor, place.world());
    await disconnectClient(cursor, place.world());
    assert.equal(place.text(file), before);
  });

  it('works without a record', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.configure('cursor', '{"mcpServers": {"other": {}}}');
    await connectClient(cursor, place.world());
    place.write('not JSON', place.connections);
    assert.equal((await disconnectClient(cursor, place.world())).outcome, 'edited');
    assert.equal(place.text(file), '{"mcpServers": {"other": {}}}');
    assert.equal(existsSync(place.server), false);
  });

  it('leaves an entry of that name that starts something else, and a file without one', async (t) => {
    const place = new ConnectPlace(t);
    const before = '{"mcpServers": {"subconscious": {"command": "uvx"}}}';
    const file = place.configure('cursor', before);
    assert.equal((await disconnectClient(cursor, place.world())).outcome, 'foreign');
    assert.equal(place.text(file), before);
    assert.equal((await disconnectClient(theClient('vscode'), place.world())).outcome, 'untouched');
  });

  it('shows beforehand what would be left, and writes nothing', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.configure('cursor', '{}');
    await connectClient(cursor, place.world());
    const before = place.text(file);
    const preview = await previewDisconnect(cursor, place.world());
    assert.deepEqual(preview, { file, outcome: 'restored', before, after: '{}' });
    assert.equal(place.text(file), before);
  });

  it('refuses what is no JSON, untouched', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.configure('cursor', '{');
    await assert.rejects(disconnectClient(cursor, place.world()), /is not valid JSON/);
    assert.equal(place.text(file), '{');
  });
});

describe('the launcher of the server', () => {
  it('stays as long as another client names it', async (t) => {
    const place = new ConnectPlace(t);
    await connectClient(cursor, place.world());
    await connectClient(theClient('claude-desktop'), place.world());
    await disconnectClient(cursor, place.world());
    assert.ok(existsSync(place.server));
    await disconnectClient(theClient('claude-desktop'), place.world());
    assert.equal(existsSync(dirname(place.server)), false);
  });

  it('stays for the project of another folder, and for a configuration that was copied', async (t) => {
    const place = new ConnectPlace(t);
    const elsewhere = place.world({ folder: join(place.root, 'elsewhere') });
    await connectClient(theClient('claude-code-project'), elsewhere);
    await connectClient(cursor, place.world());
    await disconnectClient(cursor, place.world());
    assert.ok(existsSync(place.server));
    await prepareCopy(place.world());
    await disconnectClient(theClient('claude-code-project'), elsewhere);
    assert.ok(existsSync(place.server));
  });

  it('stays for a file that is not there for a while: on a disk that is away, or that cannot be read', async (t) => {
    const place = new ConnectPlace(t);
    const project = theClient('claude-code-project');
    const away = `${place.folder}-away`;
    await connectClient(project, place.world());
    await connectClient(cursor, place.world());
    renameSync(place.folder, away);
    await disconnectClient(cursor, place.world());
    assert.ok(existsSync(place.server));
    // A link in a circle stands for what the system refuses to read.
    symlinkSync(place.folder, place.folder);
    await connectClient(cursor, place.world());
    await disconnectClient(cursor, place.world());
    assert.ok(existsSync(place.server));
    rmSync(place.folder);
    renameSync(away, place.folder);
    await disconnectClient(project, place.world());
    assert.equal(existsSync(place.server), false);
  });

  it('stays where one of the usual files cannot be read', async (t) => {
    const place = new ConnectPlace(t);
    await connectClient(cursor, place.world());
    const other = place.configure('claude-code', '{}');
    rmSync(other);
    symlinkSync(other, other);
    await disconnectClient(cursor, place.world());
    assert.ok(existsSync(place.server));
  });

  it('and that of the hooks do not go with each other', async (t) => {
    const place = new ConnectPlace(t);
    await connectClient(cursor, place.world());
    await installHooks(place.installation);
    await disconnectClient(cursor, place.world());
    assert.deepEqual([existsSync(place.server), existsSync(place.launcher)], [false, true]);
    await connectClient(cursor, place.world());
    await uninstallHooks(place.installation);
    assert.deepEqual([existsSync(place.server), existsSync(place.launcher)], [true, false]);
  });
});

it('over any configuration, removing an entry that was added leaves the same servers and texts', () => {
  const entry = { command: '/h/.subconscious-mcp/bin/subconscious-mcp' };
  const server = fc.record({
    command: fc.string(),
    env: fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
  });
  const servers = fc.dictionary(fc.constantFrom('a', 'b c', '日本'), server);
  const whole = fc.record(
    { x: fc.jsonValue(), mcpServers: servers, '//': fc.jsonValue() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      whole,
      fc.constantFrom('', '  ', '\t'),
      fc.constantFrom('\n', '\r\n'),
      (content, indent, eol) => {
        const text = JSON.stringify(content, null, indent).replaceAll('\n', eol);
        const shape = { servers: 'mcpServers' } as const;
        const added = addEntry(text, 'f', shape, () => entry);
        const plain = JSON.parse(text) as typeof content;
        assert.deepEqual(JSON.parse(added), {
          ...plain,
          mcpServers: { ...plain.mcpServers, subconscious: entry },
        });
        assert.equal(removeEntry(added, 'f', shape, content.mcpServers !== undefined), text);
      },
    ),
  );
});

it('over any two contents, what was before is made of what is after', () => {
  const bytes = fc.array(fc.constantFrom(1, 2), { maxLength: 8 }).map((list) => Buffer.from(list));
  fc.assert(
    fc.property(bytes, bytes, (after, before) => {
      assert.deepEqual(undone(after, undoOf(after, before)), before);
    }),
  );
});

import assert from 'node:assert/strict';
import { chmodSync, existsSync, lstatSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ClientError } from '../../src/clients/clientError.js';
import { CLIENTS } from '../../src/clients/clientTable.js';
import { connectClient, previewConnect } from '../../src/clients/connect.js';
import { programIn } from '../../src/clients/launcherText.js';
import { ConnectPlace, theClient } from './connectPlace.js';

const SECOND = 1_700_000_000;
const cursor = theClient('cursor');

describe('connecting a client', () => {
  it('adds our entry alone: comments, layout, byte order mark and line breaks stay', async (t) => {
    const place = new ConnectPlace(t);
    const before =
      '\uFEFF{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"other": {"command": "x"}, // theirs\r\n\t},\r\n}\r\n';
    const file = place.configure('cursor', before);
    const done = await connectClient(cursor, place.world());
    assert.deepEqual(done, { changed: true, file, backup: `${file}.bak.${SECOND}`, via: 'file', note: null });
    const [start = '', end = ''] = before.split(' // theirs');
    const added = [
      '\t\t"subconscious": {',
      '\t\t\t"type": "stdio",',
      `\t\t\t"command": "${place.server}",`,
      '\t\t\t"args": [],',
      '\t\t\t"env": {}',
      '\t\t},',
    ];
    assert.equal(place.text(file), `${start} // theirs\r\n${added.join('\r\n')}${end}`);
    assert.equal(place.text(done.backup), before);
  });

  for (const { id, servers, hasType } of CLIENTS) {
    it(`makes the file of ${id} where there is none`, async (t) => {
      const place = new ConnectPlace(t);
      const { file, backup } = await connectClient(theClient(id), place.world());
      const { type, ...rest } = place.entry();
      const entry = hasType ? { type, ...rest } : rest;
      assert.deepEqual(place.json(file), { [servers]: { subconscious: entry } });
      assert.equal(backup, null);
      assert.deepEqual(programIn(place.text(place.server)), place.world().program);
    });
  }

  it('changes nothing the second time', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.configure('cursor', '{"mcpServers": {"other": {}}}');
    await connectClient(cursor, place.world());
    const before = place.text(file);
    const again = await connectClient(cursor, place.world());
    assert.deepEqual([again.changed, again.backup], [false, null]);
    assert.equal(place.text(file), before);
    assert.equal(place.beside(file).length, 2);
  });

  it('leaves an entry that says the same in another layout', async (t) => {
    const place = new ConnectPlace(t);
    const text = `{"mcpServers":{"subconscious":{ "args": [], "command": "${place.server}", "type":"stdio" }}}`;
    const file = place.configure('cursor', text);
    assert.equal((await connectClient(cursor, place.world())).changed, false);
    assert.equal(place.text(file), text);
  });

  it('writes the launcher anew where it is gone, also for a client that is connected', async (t) => {
    const place = new ConnectPlace(t);
    await connectClient(cursor, place.world());
    place.write('', place.server);
    await connectClient(cursor, place.world());
    assert.ok(programIn(place.text(place.server)));
  });

  it('keeps what a person added to our entry, and mends the rest in place', async (t) => {
    const place = new ConnectPlace(t);
    const args = ['--config', '/my/config.json'];
    const added = { env: { SUBCONSCIOUS_TOOLSETS: 'core,admin', MINE: '1' }, autoApprove: ['recall'] };
    const command = '/old/home/.subconscious-mcp/bin/subconscious-mcp';
    const text = JSON.stringify({ mcpServers: { subconscious: { command, args, ...added }, other: {} } });
    const file = place.configure('cursor', text);
    await connectClient(cursor, place.world());
    const wanted = { command: place.server, args, ...added, type: 'stdio' };
    assert.equal(place.text(file), JSON.stringify({ mcpServers: { subconscious: wanted, other: {} } }));
  });

  it('replaces an entry of that name that starts something else, and keeps the variables that are for us', async (t) => {
    const place = new ConnectPlace(t);
    const foreign = { command: 'uvx', args: ['x'], env: { SUBCONSCIOUS_NAMESPACE: 'n', KEY: 'k' }, cwd: '/' };
    const file = place.configure('cursor', JSON.stringify({ mcpServers: { subconscious: foreign } }));
    const { replaces } = await previewConnect(cursor, place.world());
    assert.equal(replaces, 'uvx x');
    const { backup } = await connectClient(cursor, place.world());
    const entry = place.entry({ env: { SUBCONSCIOUS_NAMESPACE: 'n' } });
    assert.deepEqual(place.json(file), { mcpServers: { subconscious: entry } });
    assert.deepEqual(place.json(backup ?? ''), { mcpServers: { subconscious: foreign } });
  });

  it('follows a link, and keeps the mode', async (t) => {
    const place = new ConnectPlace(t);
    const target = place.write('{}', join(place.root, 'dotfiles', 'mcp.json'));
    chmodSync(target, 0o640);
    const file = cursor.file(place.world());
    mkdirSync(join(file, '..'), { recursive: true });
    symlinkSync(target, file);
    await connectClient(cursor, place.world());
    assert.ok(lstatSync(file).isSymbolicLink());
    assert.equal(statSync(target).mode & 0o777, 0o640);
    assert.ok(place.text(target).includes('subconscious-mcp'));
  });

  it('makes a file of Claude Code for its user alone', async (t) => {
    const place = new ConnectPlace(t);
    const { file } = await connectClient(theClient('claude-code'), place.world());
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('adds one entry when it is done many times at once', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.configure('cursor', '{\n  "mcpServers": {}\n}\n');
    const all = await Promise.all(Array.from({ length: 8 }, () => connectClient(cursor, place.world())));
    assert.equal(all.filter(({ changed }) => changed).length, 1);
    assert.equal(place.text(file).match(/"subconscious"/g)?.length, 1);
    assert.equal(place.beside(file).length, 2);
  });
});

describe('a preview', () => {
  it('is the file before and after, and writes nothing', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.configure('vscode', '{\n  // mine\n}\n');
    const preview = await previewConnect(theClient('vscode'), place.world());
    assert.deepEqual([preview.file, preview.before, preview.changed], [file, '{\n  // mine\n}\n', true]);
    assert.deepEqual(place.beside(file), ['mcp.json']);
    assert.equal(existsSync(place.server), false);
    await connectClient(theClient('vscode'), place.world());
    assert.equal(place.text(file), preview.after);
    const { changed, before, after } = await previewConnect(theClient('vscode'), place.world());
    assert.deepEqual([changed, before], [false, after]);
  });

  it('tells a client that is missing from one that is there', async (t) => {
    const place = new ConnectPlace(t);
    const { installed, before } = await previewConnect(cursor, place.world());
    assert.deepEqual([installed, before], [false, null]);
    assert.equal(existsSync(place.home), false);
    mkdirSync(join(place.home, '.cursor'), { recursive: true });
    assert.equal((await previewConnect(cursor, place.world())).installed, true);
  });
});

describe('a configuration that cannot be used', () => {
  async function refused(place: ConnectPlace, why: RegExp) {
    const file = cursor.file(place.world());
    const before = place.beside(file);
    for (const act of [previewConnect, connectClient]) {
      await assert.rejects(act(cursor, place.world()), (error) => {
        assert.ok(error instanceof ClientError, String(error));
        assert.match(error.message, why);
        return true;
      });
    }
    assert.deepEqual(place.beside(file), before);
    assert.equal(existsSync(place.server), false);
  }

  it('is refused where it is no JSON, or has no place for servers, and left alone', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.configure('cursor', '{\n  "mcpServers" {}\n}');
    await refused(place, /mcp\.json is not valid JSON .*line 2, column 16\. Nothing was changed\. Correct/);
    assert.equal(place.text(file), '{\n  "mcpServers" {}\n}');
    place.configure('cursor', '{"mcpServers": []}');
    await refused(place, /has "mcpServers" that are no object: line 1/);
    place.configure('cursor', Buffer.from('{"a": "\xff"}', 'latin1'));
    await refused(place, /is not UTF-8 text/);
  });

  it('is refused where it is read-only', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.configure('cursor', '{}');
    chmodSync(file, 0o444);
    await assert.rejects(
      connectClient(cursor, place.world()),
      /is read-only\. Nothing was changed\. Make it writable/,
    );
    assert.equal(place.text(file), '{}');
    assert.deepEqual(place.beside(file), ['mcp.json']);
  });

  it('tells how to do it by hand where its place cannot be written', async (t) => {
    const place = new ConnectPlace(t);
    place.write('a file', join(place.home, '.cursor'));
    await assert.rejects(
      connectClient(cursor, place.world()),
      /was not changed: .* connect cursor --print shows it/,
    );
  });
});

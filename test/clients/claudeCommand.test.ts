import assert from 'node:assert/strict';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ClientError } from '../../src/clients/clientError.js';
import { connectClient } from '../../src/clients/connect.js';
import { disconnectClient } from '../../src/clients/disconnect.js';
import { programOnPath } from '../../src/clients/programOnPath.js';
import { ConnectPlace, theClient } from './connectPlace.js';

const claude = theClient('claude-code');

describe('Claude Code with its command in the PATH', () => {
  it('is told to add the entry itself, and the file is kept as it was', async (t) => {
    const place = new ConnectPlace(t);
    const world = place.withClaude();
    const file = place.configure('claude-code', '{"numStartups": 4}');
    const { backup, ...done } = await connectClient(claude, world);
    assert.deepEqual(done, { changed: true, file, via: 'command', note: null });
    assert.equal(place.text(backup ?? ''), '{"numStartups": 4}');
    assert.deepEqual(place.json(file), { numStartups: 5, mcpServers: { subconscious: place.entry() } });
    assert.deepEqual(place.calls(), [
      ['mcp', 'add-json', '-s', 'user', 'subconscious', JSON.stringify(place.entry())],
    ]);
    assert.equal((await connectClient(claude, world)).changed, false);
    assert.equal(place.calls().length, 1);
  });

  it('is not asked to replace an entry, so that what a person added to it cannot get lost on the way', async (t) => {
    const place = new ConnectPlace(t);
    const command = '/x/.subconscious-mcp/bin/subconscious-mcp';
    const entry = place.entry({ command, args: ['--extra', 'v'], env: { A: 'b' }, alwaysAllow: ['recall'] });
    const file = place.configure('claude-code', JSON.stringify({ mcpServers: { subconscious: entry } }));
    const { via } = await connectClient(claude, place.withClaude('fails'));
    assert.deepEqual([via, place.calls()], ['file', []]);
    const { mcpServers } = place.json(file) as { mcpServers: object };
    const { command: ours } = place.entry() as { command: string };
    assert.deepEqual(mcpServers, { subconscious: { ...entry, command: ours } });
  });

  it('keeps its file where the environment says', async (t) => {
    const place = new ConnectPlace(t);
    const world = place.withClaude();
    const folder = join(place.root, 'elsewhere');
    place.write('{}', join(folder, '.claude.json'));
    const { file, via } = await connectClient(claude, {
      ...world,
      env: { ...world.env, CLAUDE_CONFIG_DIR: folder },
    });
    assert.deepEqual([file, via], [join(folder, '.claude.json'), 'command']);
    assert.ok(place.text(file).includes(place.server));
  });

  for (const [behaviour, note] of [
    ['fails', 'claude mcp add-json failed with exit code 2: No such option.'],
    ['forgets', 'claude said that the entry was added, but it is not in the file'],
  ] as const) {
    it(`that ${behaviour} is edited instead, and that is said`, async (t) => {
      const place = new ConnectPlace(t);
      const before = '{\n  "oauthAccount": {} // x\n}\n';
      const file = place.configure('claude-code', before);
      const done = await connectClient(claude, place.withClaude(behaviour));
      assert.deepEqual([done.changed, done.via, done.note], [true, 'file', note]);
      assert.equal(place.text(done.backup ?? ''), before);
      assert.equal(place.beside(file).filter((name) => name.includes('.bak.')).length, 1);
      assert.deepEqual((await disconnectClient(claude, place.world())).outcome, 'restored');
      assert.equal(place.text(file), before);
    });
  }

  it('that cannot be run is edited instead', async (t) => {
    const place = new ConnectPlace(t);
    place.configure('claude-code', '{}');
    const run = () => Promise.reject(new Error('spawn EACCES'));
    const { via, note } = await connectClient(claude, { ...place.withClaude(), run });
    assert.deepEqual([via, note], ['file', 'claude could not be run: spawn EACCES']);
  });

  it('is told to remove the entry itself, and its other changes stay', async (t) => {
    const place = new ConnectPlace(t);
    const world = place.withClaude();
    const file = place.configure('claude-code', '{"numStartups": 4}');
    await connectClient(claude, world);
    const { outcome, via } = await disconnectClient(claude, world);
    assert.deepEqual([outcome, via], ['edited', 'command']);
    assert.deepEqual(place.json(file), { numStartups: 6, mcpServers: {} });
  });

  it('that forgets to remove it is edited instead, and that is said', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.configure('claude-code', '{}');
    await connectClient(claude, place.world());
    const { via, note } = await disconnectClient(claude, place.withClaude('forgets'));
    assert.deepEqual(
      [via, note],
      ['file', 'claude said that the entry was removed, but it is still in the file'],
    );
    assert.equal(place.text(file), '{}');
  });

  it('is not asked about a file that is broken or read-only', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.configure('claude-code', '{"a":');
    await assert.rejects(connectClient(claude, place.withClaude()), /is not valid JSON/);
    place.write('{}', file);
    chmodSync(file, 0o400);
    await assert.rejects(connectClient(claude, place.withClaude()), /is read-only/);
    assert.deepEqual(place.calls(), []);
  });

  it('that leaves a torn file is told where the file as it was before is', async (t) => {
    const place = new ConnectPlace(t);
    const before = '{"numStartups": 4}';
    const file = place.configure('claude-code', before);
    const torn = (verb: string) => (error: unknown) => {
      assert.ok(error instanceof ClientError);
      const [, backup = ''] = /The file as it was before is (\S+): /.exec(error.message) ?? [];
      assert.ok(backup.startsWith(`${file}.bak.`), error.message);
      assert.match(error.message, new RegExp(`^claude mcp ${verb} has left a file that cannot be used: `));
      assert.match(error.message, /is not valid JSON .*: line 1, column \d+\. /);
      assert.doesNotMatch(error.message, /Nothing was changed/);
      assert.ok(place.text(backup).startsWith('{"numStartups": 4'));
      return true;
    };
    await assert.rejects(connectClient(claude, place.withClaude('tears')), torn('add-json'));
    place.write(before, file);
    await connectClient(claude, place.world());
    await assert.rejects(disconnectClient(claude, place.withClaude('tears')), torn('remove'));
  });

  it('that leaves a torn file where there was none is told so', async (t) => {
    const place = new ConnectPlace(t);
    const world = place.withClaude('tears');
    mkdirSync(place.home, { recursive: true });
    await assert.rejects(connectClient(claude, world), /There was no such file before: delete it/);
  });

  it('that fails and adds the entry all the same has done it', async (t) => {
    const place = new ConnectPlace(t);
    place.configure('claude-code', '{}');
    const world = place.withClaude();
    const run: typeof world.run = async (...call) => ({ ...(await world.run(...call)), status: 1 });
    const { changed, via, note } = await connectClient(claude, { ...world, run });
    assert.deepEqual([changed, via, note], [true, 'command', null]);
  });
});

describe('a program in the PATH of Windows', () => {
  it('is found with the endings that can be used, in folders that are absolute', () => {
    const windows = { platform: 'win32', env: { Path: 'bin;C:\\npm;D:\\a b' } } as const;
    const there = (path: string) =>
      ['bin\\claude.exe', 'C:\\npm\\claude.cmd', 'D:\\a b\\claude.exe'].includes(path);
    assert.equal(programOnPath('claude', windows, undefined, there), 'C:\\npm\\claude.cmd');
    assert.equal(programOnPath('claude', windows, ['.exe'], there), 'D:\\a b\\claude.exe');
    assert.equal(programOnPath('claude', { ...windows, env: {} }, undefined, there), null);
  });
});

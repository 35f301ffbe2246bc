import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { prepareCopy } from '../../src/clients/clientStates.js';
import { CLIENTS } from '../../src/clients/clientTable.js';
import { writeLauncher } from '../../src/clients/launcher.js';
import { SERVER_LAUNCHER } from '../../src/clients/launcherPath.js';
import { launcherFiles } from '../../src/clients/launcherText.js';
import { NOW } from '../clients/place.js';
import { InstalledPlace } from './installedPlace.js';

const BOTH = ['subconscious-hook', 'subconscious-mcp'];
const OTHER = { node: '/opt/node', script: '/usr/lib/subconscious/dist/server.js', version: '0.9.0' };

describe('what names the launchers of the extension that was removed', () => {
  it('is taken out of every settings file and every client, which are then what they were', async (t) => {
    const place = new InstalledPlace(t);
    const before = '{ "model": "x" }\n';
    const settings = [place.write(before), place.write(before, place.projectSettings)];
    for (const file of settings) await place.hook(file);
    const clients = CLIENTS.filter(({ id }) => id !== 'cursor').map(({ id }) => place.configure(id, before));
    for (const { id } of CLIENTS) await place.connect(id);
    assert.deepEqual(place.launchers(), BOTH);
    await place.uninstall();
    for (const file of [...settings, ...clients]) assert.equal(place.text(file), before, file);
    assert.equal(existsSync(join(place.home, '.cursor')), false, 'was made for it');
    assert.deepEqual(readdirSync(join(place.home, '.subconscious-mcp')), []);
    for (const file of [...settings, ...clients]) {
      const left = place.beside(file).filter((name) => /lock|tmp/.test(name));
      assert.deepEqual(left, []);
    }
  });

  it('is all that is taken out of files that others have changed since', async (t) => {
    const place = new InstalledPlace(t);
    place.write('{\n  "model": "x"\n}\n');
    await place.hook();
    place.write(place.text().replace('"x"', '"y"'));
    const file = place.configure('claude-code', '{\n  "a": 1\n}\n');
    await place.connect('claude-code');
    place.write(place.text(file).replace('1', '2'), file);
    await place.uninstall();
    assert.deepEqual([place.text(), place.text(file)], ['{\n  "model": "y"\n}\n', '{\n  "a": 2\n}\n']);
    assert.deepEqual(place.launchers(), []);
  });

  it('is found where no record tells of it: in the usual places, and those the environment names', async (t) => {
    const place = new InstalledPlace(t);
    const env = {
      CLAUDE_CONFIG_DIR: join(place.root, 'elsewhere'),
      XDG_CONFIG_HOME: join(place.root, 'config'),
    };
    const moved = join(env.CLAUDE_CONFIG_DIR, 'settings.json');
    for (const file of [place.settings, moved]) await place.hook(place.write('{}', file));
    const files = [
      place.configure('vscode', '{}'),
      await place.connect('vscode', { env }),
      await place.connect('claude-code', { env }),
    ];
    await place.connect('vscode');
    for (const record of [place.records, place.connections]) rmSync(record);
    await place.uninstall({ env });
    for (const file of [place.settings, moved, ...files]) {
      assert.doesNotMatch(place.text(file), /subconscious/, file);
    }
    assert.deepEqual(place.launchers(), []);
  });

  it('is found through a record alone: a project, and a file that the environment named then', async (t) => {
    const place = new InstalledPlace(t);
    await place.hook(place.write('{}', place.projectSettings));
    const env = { XDG_CONFIG_HOME: join(place.root, 'config') };
    const files = [
      place.configure('claude-code-project', '{"mcpServers": {}}'),
      place.write('{ "servers": {} }', join(env.XDG_CONFIG_HOME, 'Code', 'User', 'mcp.json')),
    ];
    await place.connect('claude-code-project');
    await place.connect('vscode', { env });
    for (const file of files) place.write(`${place.text(file)}\n`, file);
    await place.uninstall();
    assert.equal(place.text(place.projectSettings), '{}');
    assert.deepEqual(
      files.map((file) => place.json(file)),
      [{ mcpServers: {} }, { servers: {} }],
    );
    assert.deepEqual(place.launchers(), []);
  });

  it('is taken out without the command of Claude Code', async (t) => {
    const place = new InstalledPlace(t);
    const { env } = place.withClaude();
    const file = place.configure('claude-code', '{}');
    await place.connect('claude-code');
    await place.uninstall({ env });
    assert.equal(place.text(file), '{}');
    assert.deepEqual(place.calls(), []);
  });

  it('may be gone already, with its folder', async (t) => {
    const place = new InstalledPlace(t);
    await place.hook(place.write('{}', place.projectSettings));
    await place.connect('claude-code-project');
    rmSync(place.folder, { recursive: true });
    await place.uninstall();
    assert.deepEqual(place.launchers(), []);
    assert.equal(existsSync(place.folder), false);
  });
});

describe('a file that cannot be changed', () => {
  it('is left as it is with the launcher of hooks it names: broken, or read-only, recorded or not', async (t) => {
    for (const isRecorded of [true, false]) {
      for (const spoil of ['broken', 'read-only']) {
        const place = new InstalledPlace(t);
        await place.hook(place.write('{}', place.projectSettings));
        await place.hook();
        if (!isRecorded) rmSync(place.records);
        const text = spoil === 'broken' ? place.text().slice(0, -3) : place.text();
        place.write(text);
        if (spoil === 'read-only') chmodSync(place.settings, 0o400);
        const cursor = await place.connect('cursor');
        await place.uninstall();
        const words = `${spoil}, ${isRecorded}`;
        assert.equal(place.text(), text, words);
        assert.deepEqual(place.launchers(), ['subconscious-hook'], words);
        if (isRecorded) assert.equal(place.text(place.projectSettings), '{}', words);
        assert.equal(existsSync(cursor), false, words);
      }
    }
  });

  it('is left as it is with the launcher of the server it names', async (t) => {
    for (const isRecorded of [true, false]) {
      for (const spoil of ['broken', 'read-only']) {
        const place = new InstalledPlace(t);
        place.configure('vscode', '{}');
        await place.connect('vscode');
        const file = await place.connect('cursor');
        if (!isRecorded) rmSync(place.connections);
        const text = spoil === 'broken' ? place.text(file).slice(0, -3) : place.text(file);
        place.write(text, file);
        if (spoil === 'read-only') chmodSync(file, 0o400);
        await place.hook(place.write('{}'));
        await place.uninstall();
        const words = `${spoil}, ${isRecorded}`;
        assert.equal(place.text(file), text, words);
        assert.deepEqual(place.launchers(), ['subconscious-mcp'], words);
        assert.equal(place.text(), '{}', words);
      }
    }
  });
});

describe('what is of another installation', () => {
  it('is not touched where the launchers start its program', async (t) => {
    const place = new InstalledPlace(t);
    await place.hook();
    const cursor = await place.connect('cursor');
    for (const launcher of [undefined, SERVER_LAUNCHER]) {
      await writeLauncher(place.home, OTHER, 'linux', launcher);
    }
    const files = [place.settings, cursor, place.records, place.connections, place.launcher, place.server];
    const before = files.map((file) => place.text(file));
    await place.uninstall();
    assert.deepEqual(
      files.map((file) => place.text(file)),
      before,
    );
    assert.deepEqual(place.beside(), ['settings.json']);
  });

  it('is not touched where one launcher is its own and the other is not', async (t) => {
    const place = new InstalledPlace(t);
    await place.hook(place.write('{}'));
    const cursor = await place.connect('cursor');
    await writeLauncher(place.home, OTHER, 'linux', SERVER_LAUNCHER);
    const before = place.text(cursor);
    await place.uninstall();
    assert.deepEqual([place.text(), place.text(cursor)], ['{}', before]);
    assert.deepEqual(place.launchers(), ['subconscious-mcp']);
  });

  it('is not touched where it has taken the launcher over meanwhile', async (t) => {
    const place = new InstalledPlace(t);
    await writeLauncher(place.home, place.programOf(), 'linux');
    const [file] = launcherFiles(OTHER, 'linux');
    const now = () => {
      place.write(file?.text ?? '', place.launcher);
      return NOW;
    };
    await place.uninstall({ now });
    assert.equal(place.text(place.launcher), file?.text);
  });

  it('stays in its files: the Python program, and launchers in another home', async (t) => {
    for (const command of [
      'uvx subconscious-mcp hook --event stop',
      `'/mnt{home}/.subconscious-mcp/bin/subconscious-hook' --event stop`,
    ]) {
      const place = new InstalledPlace(t);
      await place.hook(place.write('{}', place.projectSettings));
      const hooks = {
        Stop: [{ hooks: [{ type: 'command', command: command.replace('{home}', place.home) }] }],
      };
      place.write(JSON.stringify({ hooks }));
      const entry = { command: `/mnt${place.server}` };
      const cursor = place.configure('cursor', JSON.stringify({ mcpServers: { subconscious: entry } }));
      await place.connect('claude-desktop');
      await place.uninstall();
      assert.deepEqual(place.json(place.settings), { hooks });
      assert.deepEqual(place.json(cursor), { mcpServers: { subconscious: entry } });
      assert.equal(place.text(place.projectSettings), '{}');
    }
  });

  it('stays beside hooks of ours, which stay then, too, with their launcher', async (t) => {
    const place = new InstalledPlace(t);
    await place.hook(place.write('{}'));
    const python = `{ "command": "subconscious-mcp hook --event other", "type": "command" }, {`;
    const text = place.write(place.text().replace(/\{(?=\s*"type": "command")/, python)) && place.text();
    assert.match(text, /--event other/);
    await place.uninstall();
    assert.equal(place.text(), text);
    assert.deepEqual(place.launchers(), ['subconscious-hook']);
  });
});

describe('a launcher that is still named', () => {
  it('stays where a configuration was copied to a place nobody knows', async (t) => {
    const place = new InstalledPlace(t);
    await prepareCopy(place.world({ program: place.programOf() }));
    await place.hook();
    const cursor = await place.connect('cursor');
    await place.uninstall();
    assert.equal(existsSync(cursor), false);
    assert.deepEqual(place.launchers(), ['subconscious-mcp']);
  });

  it('stays where somebody has put it into words of their own', async (t) => {
    const place = new InstalledPlace(t);
    await place.hook(place.write('{}', place.projectSettings));
    const command = `env A=b sh -c '~/.subconscious-mcp/bin/subconscious-hook --event stop'`;
    const text = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });
    place.write(text);
    await place.uninstall();
    assert.deepEqual([place.text(), place.launchers()], [text, ['subconscious-hook']]);
  });
});

import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { configurationText } from '../../src/clients/clientStates.js';
import { CLIENTS, clientOf, isInstalled, type Places } from '../../src/clients/clientTable.js';
import { guidanceFile } from '../../src/clients/guidance.js';
import { entryFor, isOurs, startCommand } from '../../src/clients/serverEntry.js';
import { ConnectPlace, theClient } from './connectPlace.js';

const filesOf = (places: Places) => Object.fromEntries(CLIENTS.map(({ id, file }) => [id, file(places)]));
const windows = (fields: Partial<Places> = {}): Places => ({
  home: 'C:\\Users\\山田 太郎',
  platform: 'win32',
  env: { APPDATA: 'D:\\Roaming' },
  folder: 'D:\\work',
  ...fields,
});

describe('the file of a client', () => {
  it('on Linux is in the folder for configuration', () => {
    const places: Places = { home: '/h', platform: 'linux', env: {}, folder: '/w' };
    assert.deepEqual(filesOf(places), {
      'claude-code': '/h/.claude.json',
      'claude-code-project': '/w/.mcp.json',
      'claude-desktop': '/h/.config/Claude/claude_desktop_config.json',
      cursor: '/h/.cursor/mcp.json',
      vscode: '/h/.config/Code/User/mcp.json',
    });
    const { vscode } = filesOf({ ...places, env: { XDG_CONFIG_HOME: '/x' } });
    assert.equal(vscode, '/x/Code/User/mcp.json');
    assert.equal(
      filesOf({ ...places, env: { XDG_CONFIG_HOME: 'x' } })['vscode'],
      '/h/.config/Code/User/mcp.json',
    );
  });

  it('on macOS is in the library', () => {
    const files = filesOf({ home: '/Users/h', platform: 'darwin', env: {}, folder: '/w' });
    const library = '/Users/h/Library/Application Support';
    assert.equal(files['claude-desktop'], `${library}/Claude/claude_desktop_config.json`);
    assert.equal(files['vscode'], `${library}/Code/User/mcp.json`);
  });

  it('on Windows is where APPDATA says, with backslashes', () => {
    assert.deepEqual(filesOf(windows()), {
      'claude-code': 'C:\\Users\\山田 太郎\\.claude.json',
      'claude-code-project': 'D:\\work\\.mcp.json',
      'claude-desktop': 'D:\\Roaming\\Claude\\claude_desktop_config.json',
      cursor: 'C:\\Users\\山田 太郎\\.cursor\\mcp.json',
      vscode: 'D:\\Roaming\\Code\\User\\mcp.json',
    });
    const { vscode } = filesOf(windows({ env: {} }));
    assert.equal(vscode, 'C:\\Users\\山田 太郎\\AppData\\Roaming\\Code\\User\\mcp.json');
  });

  it('of Claude Code moves with CLAUDE_CONFIG_DIR, and so does its guidance', () => {
    const places: Places = { home: '/h', platform: 'linux', env: { CLAUDE_CONFIG_DIR: '/c' }, folder: '/w' };
    assert.equal(filesOf(places)['claude-code'], '/c/.claude.json');
    assert.equal(guidanceFile({ kind: 'claude-md', scope: 'user' }, places), '/c/CLAUDE.md');
    assert.equal(
      guidanceFile({ kind: 'skill', scope: 'project' }, windows()),
      'D:\\work\\.claude\\skills\\subconscious\\SKILL.md',
    );
  });
});

describe('what a client starts', () => {
  it('is the launcher itself where a script can be started', () => {
    assert.deepEqual(startCommand({ home: '/home/山田 太郎', platform: 'darwin' }), {
      command: '/home/山田 太郎/.subconscious-mcp/bin/subconscious-mcp',
      args: [],
    });
  });

  it('on Windows is cmd with the launcher, which stays one word for it', () => {
    const argsIn = (home: string) => startCommand({ home, platform: 'win32' }).args;
    const launcher = '.subconscious-mcp\\bin\\subconscious-mcp.cmd';
    assert.equal(startCommand(windows()).command, 'cmd');
    assert.deepEqual(argsIn('C:\\Users\\me'), ['/d', '/c', `C:\\Users\\me\\${launcher}`]);
    assert.deepEqual(argsIn('C:\\a & (b)'), ['/d', '/c', 'call', `C:\\a & (b)\\${launcher}`]);
    assert.deepEqual(argsIn('C:\\a&(b)'), ['/d', '/c', `C:\\a^&^(b^)\\${launcher}`]);
  });

  it('is recognised in every home, on every platform, with what was added', () => {
    const cursor = theClient('cursor');
    for (const home of ['C:\\Users\\me', 'C:\\a & b', 'C:\\a&b']) {
      const entry = entryFor(cursor, { home, platform: 'win32' }, undefined);
      assert.ok(isOurs(entry));
      const added = { ...entry, args: [...(entry['args'] as string[]), '--x'] };
      const moved = entryFor(cursor, { home: '/h', platform: 'linux' }, added);
      assert.deepEqual(moved['args'], ['--x']);
      assert.deepEqual(entryFor(cursor, { home, platform: 'win32' }, added), added);
    }
    for (const other of [
      { command: 'subconscious-mcp' },
      { command: '/h/.subconscious-mcp/bin/subconscious-mcp-old' },
      { command: '/h/.subconscious-mcp/bin/subconscious-hook' },
      { url: 'https://x/.subconscious-mcp/bin/subconscious-mcp' },
      null,
      'text',
    ]) {
      assert.equal(isOurs(other), false, JSON.stringify(other));
    }
  });

  it('is shown for a client in its own form, and for any other in the usual one', () => {
    const world = { home: '/h', platform: 'linux' } as const;
    const start = { command: '/h/.subconscious-mcp/bin/subconscious-mcp', args: [] };
    assert.deepEqual(JSON.parse(configurationText(clientOf('vscode'), world)), {
      servers: { subconscious: { type: 'stdio', ...start } },
    });
    assert.deepEqual(JSON.parse(configurationText(null, world)), { mcpServers: { subconscious: start } });
    assert.equal(clientOf('emacs'), null);
  });
});

describe('a client', () => {
  it('is installed where its program is in the PATH, or its folder is there', (t) => {
    const place = new ConnectPlace(t);
    const inPath = (path: string) => isInstalled(theClient('vscode'), place.world({ env: { PATH: path } }));
    const bin = join(place.root, 'bin');
    assert.equal(inPath(bin), false);
    const code = place.write('', join(bin, 'code'));
    assert.equal(inPath(bin), false, 'it cannot be run');
    chmodSync(code, 0o700);
    assert.equal(inPath(`/nowhere:${bin}`), true);
    assert.equal(inPath(''), false);
    place.write('', join(place.home, '.config', 'Code', 'User', 'settings.json'));
    assert.equal(inPath(''), true);
  });
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { serverLaunch, type LaunchSettings, type Place } from '../../src/extension/serverLaunch.js';

const NODE = '/usr/share/code/code';
const EXTENSION = '/home/anna/.vscode/extensions/subconscious.subconscious-mcp-1.0.0';

function launched(
  settings: Partial<LaunchSettings> = {},
  place: Partial<Place> = {},
  extension = EXTENSION,
  node = NODE,
) {
  return serverLaunch(
    node,
    extension,
    { recallThreshold: null, configurationFile: '', ...settings },
    { directory: '/srv', project: null, ...place },
  );
}

describe('the memory server of an editor', () => {
  it('is run by the program that runs the extension, which is told to be Node', () => {
    const { command, args, env } = launched();
    assert.equal(command, NODE);
    assert.equal(env['ELECTRON_RUN_AS_NODE'], '1');
    assert.deepEqual(args, [join(EXTENSION, 'dist', 'server.js')]);
  });

  it('is told the folder, and nothing else that is not set', () => {
    const { env, cwd } = launched({}, { directory: '/srv/shop' });
    assert.deepEqual(env, { ELECTRON_RUN_AS_NODE: '1', CLAUDE_PROJECT_DIR: '/srv/shop' });
    assert.equal(cwd, '/srv/shop');
  });

  it('is told a threshold where one is set, which may be 0', () => {
    for (const [set, told] of [
      [0, '0'],
      [0.875, '0.875'],
      [1, '1'],
    ] as const) {
      assert.equal(launched({ recallThreshold: set }).env['SUBCONSCIOUS_DEFAULT_THRESHOLD'], told);
    }
  });

  it('is told the project the user has chosen, whose folder stays the one that is worked in', () => {
    const { env, cwd } = launched({}, { project: 'team' });
    assert.deepEqual(env, {
      ELECTRON_RUN_AS_NODE: '1',
      CLAUDE_PROJECT_DIR: '/srv',
      SUBCONSCIOUS_NAMESPACE: 'team',
    });
    assert.equal(cwd, '/srv');
  });

  it('reads another configuration file where one is set', () => {
    const { args } = launched({ configurationFile: '/etc/memory.json' });
    assert.deepEqual(args, [join(EXTENSION, 'dist', 'server.js'), '--config', '/etc/memory.json']);
  });

  it('has every path as it is: nothing is quoted or cut at blanks', () => {
    const place = { directory: '/home/アンナ/my "work"' };
    const settings = { configurationFile: '/mnt/設定 1/$HOME/config.json' };
    const launch = launched(settings, place, '/opt/拡張 機能', '/Applications/Visual Studio Code/code');
    assert.deepEqual(launch, {
      command: '/Applications/Visual Studio Code/code',
      args: [join('/opt/拡張 機能', 'dist', 'server.js'), '--config', settings.configurationFile],
      env: { ELECTRON_RUN_AS_NODE: '1', CLAUDE_PROJECT_DIR: place.directory },
      cwd: place.directory,
    });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesHomeLauncher } from '../../src/clients/homeLauncher.js';
import { hookCommand } from '../../src/clients/hookCommand.js';
import { launcherPath } from '../../src/clients/launcherPath.js';
import { startCommand } from '../../src/clients/serverEntry.js';

const HOMES = {
  linux: ['/home/x', "/home/o'brien and ''co", '/home/a^b'],
  win32: ['C:\\Users\\x', "C:\\Users\\O'Brien", 'C:\\Users\\R&D (old) ^x'],
} as const;
const SHELLS = { linux: ['sh'], win32: ['sh', 'powershell', 'cmd'] } as const;
const PLATFORMS = ['linux', 'win32'] as const;

describe('a command names the launcher of a home', () => {
  it('as every shell and every client is given it, and not that of another home', () => {
    for (const platform of PLATFORMS) {
      for (const home of HOMES[platform]) {
        const place = { home, platform };
        const commands = [
          ...SHELLS[platform].map((shell) => hookCommand({ ...place, shell, configPath: '/c' }, 'stop')),
          startCommand(place).args.at(-1) ?? startCommand(place).command,
        ];
        for (const command of commands) {
          assert.equal(namesHomeLauncher(command, place), true, command);
          for (const other of HOMES[platform].filter((one) => one !== home)) {
            assert.equal(
              namesHomeLauncher(command, { platform, home: other }),
              false,
              `${other}: ${command}`,
            );
          }
        }
      }
    }
  });

  it('on Windows in any case, with any slashes', () => {
    const place = { home: 'C:\\Users\\X', platform: 'win32' } as const;
    assert.ok(namesHomeLauncher('c:/users/x/.subconscious-mcp/bin/subconscious-mcp.cmd', place));
    assert.equal(
      namesHomeLauncher('/home/X/.subconscious-mcp/bin/a', { ...place, home: '/home/x', platform: 'linux' }),
      false,
    );
  });

  it('not where the home is the end of a longer path, or a variable', () => {
    const place = { home: '/root', platform: 'linux' } as const;
    const path = launcherPath(place.home, place.platform);
    assert.equal(namesHomeLauncher(`/mnt${path}`, place), false);
    assert.equal(namesHomeLauncher('~/.subconscious-mcp/bin/subconscious-mcp', place), false);
    assert.ok(namesHomeLauncher(`/mnt${path} or ${path}`, place));
    assert.ok(namesHomeLauncher(`env A=${path} x`, place));
  });
});

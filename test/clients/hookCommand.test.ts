import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { configPathIn, hookCommand } from '../../src/clients/hookCommand.js';
import { isOurs, usesLauncher } from '../../src/clients/hookEntries.js';
import type { HookShell } from '../../src/clients/hookShell.js';
import { ODD_NAMES, SHELLS } from './oddNames.js';
import { Place } from './place.js';

const LINUX = { shell: 'sh', platform: 'linux' } as const;

function windows(shell: HookShell, home: string, configPath: string | null = null): string {
  return hookCommand({ shell, home, configPath, platform: 'win32' }, 'stop');
}

describe('the command for a POSIX shell', () => {
  for (const shell of SHELLS) {
    it(`is run by ${shell} as it is meant, whatever the folders are called`, (t) => {
      const place = new Place(t);
      for (const name of ODD_NAMES) {
        const home = join(place.root, name);
        const configPath = join(home, 'config.json');
        const launcher = join(home, '.subconscious-mcp', 'bin', 'subconscious-hook');
        mkdirSync(dirname(launcher), { recursive: true });
        writeFileSync(launcher, '#!/bin/sh\nprintf "%s|" "$0" "$@"\n');
        chmodSync(launcher, 0o700);
        const command = hookCommand({ ...LINUX, home, configPath }, 'session-start');
        const { stdout, stderr } = spawnSync(shell, ['-c', command], { encoding: 'utf8' });
        const given = `${launcher}|--event|session-start|--config|${configPath}|`;
        assert.deepEqual({ stdout, stderr }, { stdout: given, stderr: '' });
      }
    });
  }

  it('is tried with at least one shell', () => assert.notDeepEqual(SHELLS, []));

  it('has forward slashes for Git Bash, and no extension', () => {
    assert.equal(
      windows('sh', "C:\\Users\\O'Neil & Söhne"),
      `'C:/Users/O'\\''Neil & Söhne/.subconscious-mcp/bin/subconscious-hook' --event stop`,
    );
  });
});

describe('the command on Windows', () => {
  it('is a call of a quoted path in PowerShell, with every kind of single quote doubled', () => {
    assert.equal(
      windows('powershell', 'C:\\Users\\a b\\$x `y` & (z) 100%'),
      `& 'C:\\Users\\a b\\$x \`y\` & (z) 100%\\.subconscious-mcp\\bin\\subconscious-hook.cmd' --event stop`,
    );
    assert.equal(
      windows('powershell', "C:\\it's ‘a’ ‚b‛"),
      `& 'C:\\it''s ‘‘a’’ ‚‚b‛‛\\.subconscious-mcp\\bin\\subconscious-hook.cmd' --event stop`,
    );
  });

  it('is a path in double quotes for cmd, where a path cannot have one', () => {
    assert.equal(
      windows('cmd', 'C:\\Users\\a & (b) ^ é'),
      `"C:\\Users\\a & (b) ^ é\\.subconscious-mcp\\bin\\subconscious-hook.cmd" --event stop`,
    );
  });
});

describe('the configuration file in a command', () => {
  it('is an absolute, quoted path in every shell, with slashes for Git Bash', () => {
    const configPath = "D:\\it's a & b\\config.json";
    assert.match(
      windows('sh', 'C:\\me', configPath),
      / --event stop --config 'D:\/it'\\''s a & b\/config\.json'$/,
    );
    // The outer quotes are PowerShell's, the inner ones for the launcher, which cmd runs.
    assert.match(
      windows('powershell', 'C:\\me', configPath),
      / --event stop --config '"D:\\it''s a & b\\config\.json"'$/,
    );
    assert.match(
      windows('cmd', 'C:\\me', configPath),
      / --event stop --config "D:\\it's a & b\\config\.json"$/,
    );
  });

  it('is read from it as it was written', () => {
    for (const name of ODD_NAMES) {
      const onLinux = `/home/${name}/config"`;
      assert.equal(
        configPathIn(hookCommand({ ...LINUX, home: '/home/me', configPath: onLinux }, 'stop')),
        onLinux,
      );
      const onWindows = `C:\\${name.replaceAll('"', '')}‘’\\config.json`;
      for (const shell of ['powershell', 'cmd'] as const) {
        assert.equal(configPathIn(windows(shell, 'C:\\me', onWindows)), onWindows, shell);
      }
      assert.equal(configPathIn(windows('sh', 'C:\\me', onWindows)), onWindows.replaceAll('\\', '/'));
    }
    assert.equal(
      configPathIn(hookCommand({ ...LINUX, home: '/home/ --config', configPath: null }, 'x')),
      null,
    );
    assert.equal(configPathIn('subconscious-hook --event stop --config /by/hand'), '/by/hand');
  });
});

it('is recognised as ours in every form', () => {
  for (const name of ODD_NAMES) {
    for (const shell of ['sh', 'powershell', 'cmd'] as const) {
      for (const configPath of [null, `D:\\${name}`]) {
        const command = windows(shell, `C:\\${name.replaceAll('"', '')}`, configPath);
        assert.ok(isOurs(command) && usesLauncher(command), command);
      }
    }
    assert.ok(isOurs(hookCommand({ ...LINUX, home: `/home/${name}`, configPath: `/${name}` }, 'stop')));
  }
});

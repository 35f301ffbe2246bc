import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { COMMANDS } from '../../src/server/commands.js';
import { Sandbox } from '../server/sandbox.js';
import { run } from './command.js';

describe('the command line', () => {
  it('explains each command with an example', (t) => {
    const box = new Sandbox(t);
    const general = run(box, ['--help']).stdout;
    for (const command of COMMANDS) {
      assert.match(general, new RegExp(`^  ${command}  +\\w`, 'm'));
      const { status, stdout, stderr } = run(box, [command, '--help']);
      assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
      assert.match(stdout, new RegExp(`^Usage: subconscious-mcp ${command} \\[options\\]( <client>)?\n`));
      assert.match(stdout, new RegExp(`\nExample:\n  subconscious-mcp ${command}`));
    }
  });

  it('names the nearest command or option for one that does not exist', (t) => {
    const box = new Sandbox(t);
    for (const [words, message] of [
      [
        ['instal-hooks'],
        /^Unknown command "instal-hooks"\. Did you mean "install-hooks"\? See .* --help\.\n$/,
      ],
      [['uninstall-hook', '--dry-run'], /Did you mean "uninstall-hooks"\?/],
      [['--config', 'x', 'redact'], /^Unknown command "redact"\. It goes before all options\. See/],
      [['install-hooks', '--dryrun'], /unknown option '--dryrun'\n\(Did you mean --dry-run\?\)\nSee/],
      [['redact', '--jsn'], /\(Did you mean --json\?\)\nSee subconscious-mcp redact --help\.\n$/],
    ] as const) {
      const { status, stdout, stderr } = run(box, words);
      assert.deepEqual({ status, stdout }, { status: 2, stdout: '' }, words.join(' '));
      assert.match(stderr, message);
    }
  });

  it('refuses what it cannot use, and does nothing', (t) => {
    const box = new Sandbox(t);
    for (const [words, message] of [
      [['install-hooks', '--scope', 'all'], /Allowed choices are user, project, local\./],
      [['install-hooks', '--settings'], /argument missing/],
      [['install-hooks', '--settings', 'x', '--scope', 'user'], /cannot be used with option '--scope/],
      [['install-hooks', 'settings.json'], /too many arguments/],
      [['redact', 'notes.txt'], /too many arguments/],
      [['install-hooks', '--config', ''], /Name a file, or leave the option out/],
      [['install-hooks', '--settings', ' '], /Name a file/],
      [['doctor', '--fix', '--config', ''], /Name a file/],
      [['connect', 'emacs'], /Allowed choices are claude-code, .*vscode\./],
      [['connect', 'cursor', '--guidance'], /argument missing/],
      [['connect', '--print', '--dry-run'], /cannot be used with option '--dry-run'/],
      [['disconnect'], /missing required argument 'client'/],
    ] as const) {
      const { status, stdout, stderr } = run(box, words);
      assert.deepEqual({ status, stdout }, { status: 2, stdout: '' }, words.join(' '));
      assert.match(stderr, message);
    }
    assert.equal(existsSync(join(box.home, '.claude')), false);
  });
});

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };
import { Sandbox, SERVER, WITHOUT_MODEL } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { copyBundles, release } from '../../test/shared/programs.js';
import { run, userSettings } from './command.js';

interface Settings {
  readonly hooks: Record<string, { readonly hooks: { readonly command: string }[] }[]>;
}

const BEFORE = '{\n\t// mine\n\t"model": "opus",\n}\n';

function write(file: string, text = BEFORE): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const text = (file: string) => readFileSync(file, 'utf8');

describe('install-hooks', () => {
  it('says which file, which events, where the old file is, and how to undo it', (t) => {
    const box = new Sandbox(t);
    const file = write(userSettings(box));
    const { status, stdout, stderr } = run(box, ['install-hooks']);
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    const backup = readdirSync(dirname(file)).find((name) => /^settings\.json\.bak\.\d{10}$/.test(name));
    assert.equal(
      stdout,
      `Installed the hooks for SessionStart, Stop, SessionEnd in ${file}.\n` +
        `The file as it was before is ${join(dirname(file), backup ?? '')}.\n` +
        'Sessions of Claude Code that start from now on use them.\n' +
        'To undo it: subconscious-mcp uninstall-hooks\n',
    );
    assert.ok(text(file).startsWith(BEFORE.replace('\n}\n', '\n\t"hooks": {\n')));
  });

  it('has the launcher tell its version, and takes it over from any other installation', (t) => {
    const box = new Sandbox(t);
    const launcher = join(box.home, '.subconscious-mcp', 'bin', 'subconscious-hook');
    run(box, ['install-hooks']);
    const before = text(launcher);
    assert.ok(before.includes(`# Version ${packageJson.version}\n`), before);
    writeFileSync(launcher, before.replace(/^# Version .*$/m, '# Version 99.0.0'));
    run(box, ['install-hooks']);
    assert.equal(text(launcher), before);
  });

  it('leaves the launcher to this installation until a newer version runs', async (t) => {
    const box = new Sandbox(t, 'shared');
    const launcher = join(box.home, '.subconscious-mcp', 'bin', 'subconscious-hook');
    run(box, ['install-hooks']);
    const before = text(launcher);
    // Another copy of the same version, as `npx` has one.
    const client = await box.start({ env: WITHOUT_MODEL, program: copyBundles(box) });
    await client.call('stats');
    assert.equal(text(launcher), before);
    const newer = release(box, { version: '99.0.0' });
    const other = await box.start({ env: WITHOUT_MODEL, program: newer });
    await other.call('stats');
    await until('the newer version has the launcher', () =>
      text(launcher).includes(`script='${join(dirname(newer), 'hook.js')}'`),
    );
    assert.ok(text(launcher).includes('# Version 99.0.0\n'));
  });

  it('registers commands that run the hook program of this installation', (t) => {
    const box = new Sandbox(t);
    run(box, ['install-hooks']);
    const { hooks } = JSON.parse(text(userSettings(box))) as Settings;
    assert.deepEqual(Object.keys(hooks), ['SessionStart', 'Stop', 'SessionEnd']);
    for (const [group] of Object.values(hooks)) {
      const command = group?.hooks[0]?.command ?? '';
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
        env: box.environment(),
        input: '{}',
        encoding: 'utf8',
      });
      assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' }, command);
    }
    const launcher = text(join(box.home, '.subconscious-mcp', 'bin', 'subconscious-hook'));
    assert.ok(launcher.includes(`script='${join(dirname(SERVER), 'hook.js')}'`));
    assert.ok(launcher.includes(`node='${process.execPath}'`));
  });

  it('changes nothing the second time, and says so', (t) => {
    const box = new Sandbox(t);
    run(box, ['install-hooks']);
    const before = text(userSettings(box));
    const { status, stdout } = run(box, ['install-hooks']);
    assert.equal(status, 0);
    assert.match(stdout, /already installed in .*settings\.json\. Nothing was changed\.\n$/);
    assert.equal(text(userSettings(box)), before);
    assert.deepEqual(readdirSync(dirname(userSettings(box))), ['settings.json']);
  });

  it('prints the whole file in a dry run, and nothing else there', (t) => {
    const box = new Sandbox(t);
    const file = write(userSettings(box));
    const dry = run(box, ['install-hooks', '--dry-run']);
    assert.equal(dry.status, 0);
    assert.match(dry.stderr, /as install-hooks would write it\. Nothing was written\.\n$/);
    assert.equal(text(file), BEFORE);
    assert.deepEqual(readdirSync(box.home), ['.claude']);
    run(box, ['install-hooks']);
    assert.equal(dry.stdout, text(file));
    const again = run(box, ['install-hooks', '--dry-run']);
    assert.equal(again.stdout, text(file));
    assert.match(again.stderr, /already installed/);
  });

  it('takes the settings of the scope it is told, or the file', (t) => {
    const box = new Sandbox(t);
    const elsewhere = box.folder('elsewhere');
    const at = (words: readonly string[], file: string, env: Record<string, string> = {}) => {
      const { status, stdout } = run(box, ['install-hooks', ...words], { env });
      assert.equal(status, 0);
      assert.ok(stdout.includes(` in ${file}.\n`), stdout);
      assert.ok(text(file).includes('subconscious-hook'), file);
      return stdout;
    };
    const inProject = (name: string) => join(box.project, '.claude', name);
    at(['--scope', 'user'], userSettings(box));
    at([], join(elsewhere, 'settings.json'), { CLAUDE_CONFIG_DIR: elsewhere });
    assert.match(at(['--scope', 'project'], inProject('settings.json')), /--scope local instead/);
    assert.match(at(['--scope=local'], inProject('settings.local.json')), /uninstall-hooks --scope local\n$/);
    at(['--scope', 'local'], join(elsewhere, '.claude', 'settings.local.json'), {
      CLAUDE_PROJECT_DIR: elsewhere,
    });
    const named = at(['--settings', 'my settings.json'], join(box.project, 'my settings.json'));
    assert.match(named, /uninstall-hooks --settings 'my settings\.json'\n$/);
    at(['--settings=~/mine.json'], join(box.home, 'mine.json'));
  });

  it('has hooks read the configuration it is told, and refuses one that is not there', (t) => {
    const box = new Sandbox(t);
    const config = write(join(box.home, 'my config.json'), '{ "capture_enabled": "perhaps" }');
    const { status } = run(box, ['install-hooks', '--config=~/my config.json']);
    assert.equal(status, 0);
    const before = text(userSettings(box));
    const { hooks } = JSON.parse(before) as Settings;
    const command = hooks['Stop']?.[0]?.hooks[0]?.command ?? '';
    assert.ok(command.endsWith(` --event stop --config '${config}'`), command);
    spawnSync('sh', ['-c', command], { env: box.environment(), input: '{}' });
    const log = text(join(box.home, '.subconscious-mcp', 'data', 'logs', 'hook.log'));
    assert.ok(log.includes('capture_enabled'), log);
    const refused = run(box, ['install-hooks', '--config', 'gone.json']);
    assert.equal(refused.status, 1);
    assert.ok(
      refused.stderr.startsWith(`There is no configuration file ${join(box.project, 'gone.json')}. Nothing`),
    );
    assert.equal(text(userSettings(box)), before);
    const odd = write(join(box.home, 'list.json'), '[]');
    const broken = write(join(box.home, 'broken.json'), '{');
    for (const [path, why] of [
      [box.home, 'is not a regular file'],
      [odd, 'must hold one JSON object'],
      [broken, 'is not valid JSON'],
    ] as const) {
      const { status: code, stderr } = run(box, ['install-hooks', '--config', path]);
      assert.equal(code, 1);
      assert.ok(
        stderr.includes(path) && stderr.includes(why) && stderr.includes('Nothing was changed.'),
        stderr,
      );
    }
    assert.equal(text(userSettings(box)), before);
    const { stdout } = run(box, ['uninstall-hooks']);
    assert.ok(stdout.endsWith(`install-hooks --config '${config}'\n`), stdout);
  });

  it('refuses settings it cannot read, with the place and an exit code', (t) => {
    const box = new Sandbox(t);
    const file = write(userSettings(box), '{\n  "model": \n}\n');
    for (const words of [['install-hooks'], ['install-hooks', '--dry-run']]) {
      const { status, stdout, stderr } = run(box, words);
      assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
      assert.ok(stderr.startsWith(`${file} is not valid JSON (value expected): line 3, column 1.`), stderr);
      assert.equal(text(file), '{\n  "model": \n}\n');
      assert.deepEqual(readdirSync(dirname(file)), ['settings.json']);
      assert.equal(existsSync(join(box.home, '.subconscious-mcp')), false);
    }
  });

  it('says what to do where there is no home folder', (t) => {
    const box = new Sandbox(t);
    const env = { HOME: '.', USERPROFILE: '.' };
    const words = ['--import', `data:text/javascript,${encodeURIComponent(NO_USER)}`];
    const { status, stderr } = spawnSync(process.execPath, [...words, SERVER, 'install-hooks'], {
      cwd: box.project,
      env: box.environment(env),
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.match(stderr, /^There is no home folder .* Set HOME .*\.\n$/);
  });

  it('leaves one entry for each event when many processes do it at once', async (t) => {
    const box = new Sandbox(t);
    write(userSettings(box));
    const all = Array.from({ length: 6 }, () =>
      spawn(process.execPath, [SERVER, 'install-hooks'], { env: box.environment(), stdio: 'ignore' }),
    );
    await Promise.all(all.map((child) => once(child, 'exit')));
    assert.deepEqual(
      all.map((child) => child.exitCode),
      [0, 0, 0, 0, 0, 0],
    );
    assert.equal(text(userSettings(box)).match(/subconscious-hook/g)?.length, 3);
    assert.equal(readdirSync(dirname(userSettings(box))).length, 2);
  });
});

/** A user that the system knows nothing of. */
const NO_USER = `
  import os from 'node:os';
  import { syncBuiltinESMExports } from 'node:module';
  os.userInfo = () => { throw new Error('no such user'); };
  syncBuiltinESMExports();
`;

describe('uninstall-hooks', () => {
  it('restores the file, or removes what install-hooks has made', (t) => {
    const box = new Sandbox(t);
    run(box, ['install-hooks']);
    assert.match(
      run(box, ['uninstall-hooks']).stdout,
      /^Removed .*settings\.json, which install-hooks had made\.\n/,
    );
    assert.equal(existsSync(join(box.home, '.claude')), false);
    write(userSettings(box));
    run(box, ['install-hooks']);
    const { status, stdout } = run(box, ['uninstall-hooks']);
    assert.equal(status, 0);
    assert.match(stdout, /byte for byte .*\n(.*\n)*To have them again: subconscious-mcp install-hooks\n$/);
    assert.equal(text(userSettings(box)), BEFORE);
  });

  it('takes out its own where others have changed the file, and keeps that file', (t) => {
    const box = new Sandbox(t);
    const file = write(userSettings(box));
    run(box, ['install-hooks']);
    writeFileSync(file, text(file).replace('opus', 'haiku'));
    const dry = run(box, ['uninstall-hooks', '--dry-run']);
    assert.equal(dry.stdout, BEFORE.replace('opus', 'haiku'));
    assert.match(dry.stderr, /as uninstall-hooks would write it\. Nothing was written\.\n$/);
    const { status, stdout } = run(box, ['uninstall-hooks']);
    assert.equal(status, 0);
    assert.match(stdout, /All else in it was left as it is\.\nThe file as it was before is .*\.bak\.\d+\.\n/);
    assert.equal(text(file), dry.stdout);
  });

  it('has nothing to do where no hooks are, and says so', (t) => {
    const box = new Sandbox(t);
    const { status, stdout } = run(box, ['uninstall-hooks', '--scope', 'local']);
    assert.equal(status, 0);
    assert.match(stdout, /no hooks of Subconscious in .*settings\.local\.json\. Nothing was changed\.\n$/);
    assert.match(run(box, ['uninstall-hooks', '--dry-run']).stderr, /Nothing would change\.\n$/);
  });

  it('leaves the launcher to other settings, even where nothing is remembered of them', (t) => {
    const box = new Sandbox(t);
    const own = join(box.home, '.subconscious-mcp');
    run(box, ['install-hooks', '--scope', 'local']);
    rmSync(join(own, 'installed-hooks.json'));
    run(box, ['install-hooks']);
    run(box, ['uninstall-hooks']);
    assert.ok(existsSync(join(own, 'bin', 'subconscious-hook')));
    run(box, ['uninstall-hooks', '--scope', 'local']);
    assert.equal(existsSync(join(own, 'bin')), false);
  });

  it('says in a dry run that the file would go', (t) => {
    const box = new Sandbox(t);
    run(box, ['install-hooks']);
    const { stdout, stderr } = run(box, ['uninstall-hooks', '--dry-run']);
    assert.equal(stdout, '');
    assert.match(stderr, /would remove .*settings\.json, which install-hooks had made/);
    assert.ok(existsSync(userSettings(box)));
  });
});

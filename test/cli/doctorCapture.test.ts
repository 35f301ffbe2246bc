import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { noteFailure, noteRun } from '../../src/capture/hookLog.js';
import { Sandbox, SERVER, WITHOUT_MODEL } from '../server/sandbox.js';
import { run, userSettings } from './command.js';
import { found, onlyFault, report } from './doctorRig.js';

const HOUR = 3_600_000;
const before = (hours: number) => new Date(Date.now() - hours * HOUR - 1000).toISOString();

describe('doctor on hooks and capture', { concurrency: 2 }, () => {
  it('warns of a hook whose last run failed, and no more when it has run well since', async (t) => {
    const box = new Sandbox(t, 'shared');
    run(box, ['install-hooks']);
    noteRun(box.storage, 'stop', before(3));
    // Older than a week, of an event that has not come again.
    noteFailure(box.storage, { at: before(8 * 24), event: 'session-end', message: 'Long forgotten.' });
    noteFailure(box.storage, { at: before(3), event: 'stop', message: 'No room left on the disk.' });
    noteRun(box.storage, 'session-start', before(1));
    const words = onlyFault(await report(box), 'hooks', 'warning');
    assert.match(
      words,
      /^The last stop hook failed 3 hours ago: No room left on the disk\. .* made these 2 failures good: see .*hook\.log/,
    );
    noteRun(box.storage, 'stop', before(2));
    // No run is of this event, so any makes it good.
    noteFailure(box.storage, { at: before(2.5), event: 'unknown', message: 'There is no event "x".' });
    const runs = found(await report(box), 'hooks').at(-1);
    assert.deepEqual(runs, ['ok', 'Last good runs: session-start 1 hour ago, stop 2 hours ago.']);
  });

  it('looks where the environment says while the configuration cannot be read, as hooks do', async (t) => {
    const box = new Sandbox(t, 'shared');
    run(box, ['install-hooks']);
    box.configure('{ "log_level" "INFO" }');
    const storage = join(box.root, 'elsewhere');
    const env = { ...WITHOUT_MODEL, SUBCONSCIOUS_STORAGE_DIR: storage };
    const hook = join(dirname(SERVER), 'hook.js');
    spawnSync(process.execPath, [hook, '--event', 'stop'], { env: box.environment(env), input: '{}' });
    const said = await report(box, [], { env });
    assert.match(
      onlyFault(said, 'hooks', 'warning'),
      /^The last stop hook failed .*elsewhere.logs.hook\.log/,
    );
    assert.ok(found(said, 'storage').join().includes(storage), found(said, 'storage').join());
    assert.match(found(said, 'capture').join(), /^ok,On/);
    const off = await report(box, [], { env: { ...env, SUBCONSCIOUS_CAPTURE_ENABLED: 'off' } });
    assert.match(found(off, 'capture').join(), /^ok,Off by SUBCONSCIOUS_CAPTURE_ENABLED/);
  });

  it('names file and line of settings it cannot read, and goes on with the others', async (t) => {
    const box = new Sandbox(t, 'shared');
    run(box, ['install-hooks']);
    mkdirSync(join(box.project, '.claude'));
    writeFileSync(join(box.project, '.claude', 'settings.local.json'), '{\n  "hooks": [ }\n');
    const said = await report(box);
    const words = onlyFault(said, 'hooks', 'error');
    assert.ok(words.startsWith(join(box.project, '.claude', 'settings.local.json')), words);
    assert.match(words, /line 2, column 14/);
    assert.match(
      found(said, 'hooks').join(),
      /Installed in .*home\/\.claude\/settings\.json for SessionStart, Stop and/,
    );
  });

  it('finds hooks in the settings of the project, and in the folder the user names', async (t) => {
    const box = new Sandbox(t, 'shared');
    const env = { CLAUDE_CONFIG_DIR: box.folder('claude') };
    run(box, ['install-hooks', '--scope', 'local']);
    run(box, ['install-hooks'], { env });
    const installed = found(await report(box, [], { env: { ...env, ...WITHOUT_MODEL } }), 'hooks').join();
    assert.ok(installed.includes(`Installed in ${join(box.root, 'claude', 'settings.json')}`), installed);
    assert.ok(
      installed.includes(`Installed in ${join(box.project, '.claude', 'settings.local.json')}`),
      installed,
    );
  });

  it('warns of hooks that are switched off, unless nearer settings switch them on', async (t) => {
    const box = new Sandbox(t, 'shared');
    mkdirSync(join(box.home, '.claude'));
    writeFileSync(userSettings(box), '{ "disableAllHooks": true } // for now');
    run(box, ['install-hooks']);
    assert.match(onlyFault(await report(box), 'hooks', 'warning'), /"disableAllHooks" in .*settings\.json/);
    mkdirSync(join(box.project, '.claude'));
    writeFileSync(join(box.project, '.claude', 'settings.json'), '{ "disableAllHooks": false }');
    assert.deepEqual(
      found(await report(box), 'hooks').map(([level]) => level),
      ['ok', 'ok', 'ok'],
    );
  });

  it('says by what capture is off', async (t) => {
    const box = new Sandbox(t, 'shared');
    const capture = async (env = {}) =>
      found(await report(box, [], { env: { ...WITHOUT_MODEL, ...env } }), 'capture');
    const file = join(box.project, '.subconscious.json');
    assert.deepEqual(await capture(), [
      ['ok', 'On: what hooks capture here belongs to the project project.'],
    ]);
    writeFileSync(file, '{ "capture": false }');
    assert.deepEqual(await capture(), [['ok', `Off in this project by ${file}.`]]);
    writeFileSync(file, 'no');
    assert.match((await capture()).join(), /^warning,Off in this project, because .* it is no JSON object/);
    assert.match(
      (await capture({ SUBCONSCIOUS_CAPTURE_ENABLED: '0' })).join(),
      /^ok,Off by SUBCONSCIOUS_CAPTURE_ENABLED/,
    );
    const config = box.configure({ capture_enabled: false });
    assert.ok((await capture()).join().startsWith(`ok,Off by capture_enabled in ${config}`));
  });

  it('names the folder of captured sessions that the memory process set aside', async (t) => {
    const box = new Sandbox(t, 'shared');
    const inbox = join(box.storage, 'inbox');
    mkdirSync(inbox, { recursive: true, mode: 0o700 });
    writeFileSync(join(inbox, 'session.json'), '{ "version": 1', { mode: 0o600 });
    const long = Date.now() / 1000 - 60;
    utimesSync(join(inbox, 'session.json'), long, long);
    const words = onlyFault(await report(box), 'inbox', 'warning');
    assert.ok(words.includes(join(inbox, 'damaged')), words);
  });

  it('says of an inbox that is a file that hooks have no place', async (t) => {
    const box = new Sandbox(t, 'shared');
    mkdirSync(box.storage, { recursive: true, mode: 0o700 });
    writeFileSync(join(box.storage, 'inbox'), '', { mode: 0o600 });
    assert.match(onlyFault(await report(box), 'inbox', 'error'), /inbox is a file.* Move it away/);
  });
});

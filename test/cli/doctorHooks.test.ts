import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { checkHooks } from '../../src/cli/doctor/checkHooks.js';
import { CHECKS, examine } from '../../src/cli/doctor/examine.js';
import { launcherState } from '../../src/clients/launcherState.js';
import { launcherFiles } from '../../src/clients/launcherText.js';
import { surroundingsOf } from './surroundingsOf.js';

describe('settings that cannot be read', () => {
  it('are no settings without hooks', async (t) => {
    const place = surroundingsOf(t);
    // The system refuses a name this long to everybody, root too.
    const claude = join(place.home, 'x'.repeat(300));
    const said = await checkHooks({ ...place, env: { CLAUDE_CONFIG_DIR: claude } });
    assert.equal(said[0]?.level, 'error');
    assert.ok(said[0].message.includes('it is not known whether hooks are installed'), said[0].message);
    assert.match(said[0].advice, /chown .* chmod u\+rw /);
    assert.ok(!said.some(({ message }) => message.startsWith('Not installed')));
  });
});

describe('a launcher whose Node is gone', () => {
  it('falls back where there is one on the PATH', async (t) => {
    const { home } = surroundingsOf(t);
    const bin = join(home, 'bin');
    mkdirSync(bin);
    const script = join(home, 'hook.js');
    writeFileSync(script, '');
    const program = { node: join(home, 'gone'), script, version: '1.0.0' };
    const path = join(home, 'launcher');
    writeFileSync(path, launcherFiles(program, 'linux')[0]?.text ?? '');
    chmodSync(path, 0o700);
    const state = (folders: string) => launcherState(path, { platform: 'linux', env: { PATH: folders } });
    const fault = `starts ${program.node}, which is gone`;
    assert.deepEqual(await state(bin), { path, fault, fallsBack: false, program });
    symlinkSync(process.execPath, join(bin, 'node'));
    assert.deepEqual(await state(`/nowhere:${bin}`), { path, fault, fallsBack: true, program });
    assert.deepEqual(await state(''), { path, fault, fallsBack: false, program });
  });
});

describe('an examination without a home folder', () => {
  it('says what to set and looks at nothing in the working directory', async (t) => {
    const problem = 'There is no home folder to store memories in.';
    const place = surroundingsOf(t);
    // As surroundings are without a home: the folder would be below the working directory.
    const config = { ...place.config, storageDir: join(place.home, 'data') };
    mkdirSync(config.storageDir);
    writeFileSync(join(config.storageDir, 'memory.db.damaged-2026-01-02T0Z'), '');
    const { findings } = await examine({ ...place, home: '', config, configProblem: problem }, false, CHECKS);
    for (const name of ['storage', 'ownership', 'inbox', 'permissions']) {
      const [one, ...more] = findings.filter(({ check }) => check === name);
      assert.deepEqual([one?.level, more], ['warning', []]);
      assert.match(one?.advice ?? '', /Set HOME .*SUBCONSCIOUS_STORAGE_DIR/);
    }
    assert.ok(findings.some(({ check, level }) => check === 'config' && level === 'error'));
  });

  it('looks into the folder for memories that the environment names', async (t) => {
    const place = surroundingsOf(t);
    const { storageDir } = place.config;
    const env = { SUBCONSCIOUS_STORAGE_DIR: storageDir };
    writeFileSync(join(storageDir, 'memory.db.damaged-2026-01-02T0Z'), '');
    const homeless = { ...place, home: '', env, configProblem: 'It is broken.', configFile: null };
    const { findings } = await examine(homeless, false, CHECKS);
    assert.ok(findings.some(({ message }) => message.startsWith('memory.db was found damaged')));
    assert.ok(!findings.some(({ message }) => message.startsWith('Not looked at')));
  });
});

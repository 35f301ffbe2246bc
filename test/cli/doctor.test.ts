import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };
import { CHECK_NAMES } from '../../src/cli/doctor/finding.js';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { hostsOf, killHost, recordIn } from '../../test/shared/hosts.js';
import { changeOwner } from '../../test/shared/owners.js';
import { copyBundles, release } from '../../test/shared/programs.js';
import { doctor, found, onlyFault, report } from './doctorRig.js';

describe('doctor', { concurrency: 2 }, () => {
  it('starts a server where nothing is there yet, and finds all but the hooks in order', async (t) => {
    const box = new Sandbox(t, 'shared');
    const said = await report(box, [], { env: {} });
    assert.deepEqual([...new Set(said.findings.map(({ check }) => check))], [...CHECK_NAMES]);
    assert.deepEqual(
      said.findings.filter(({ level }) => level !== 'ok').map(({ check, level }) => [check, level]),
      [['hooks', 'warning']],
    );
    assert.match(onlyFault(said, 'hooks', 'warning'), /Not installed.* subconscious-mcp install-hooks$/);
    assert.match(
      found(said, 'node').join(),
      new RegExp(`Node ${process.versions.node} .*${packageJson.version}`),
    );
    assert.match(found(said, 'storage').join(), /data is not there yet: the first client makes it/);
    assert.match(found(said, 'ownership').join(), /No memory process was running\. One was started/);
    assert.match(found(said, 'model').join(), /all-MiniLM-L6-v2.* is ready/);
    assert.equal(said.version, packageJson.version);
  });

  it('asks the memory process that runs, and leaves it running', async (t) => {
    const box = new Sandbox(t, 'shared');
    const client = await box.start({ env: WITHOUT_MODEL });
    await client.call('remember', { task: 'how to find the log', answer: 'x' });
    const { pid } = recordIn(box.storage);
    const said = await report(box);
    assert.match(
      found(said, 'ownership').join(),
      new RegExp(`ok,The memory process \\(pid ${pid}, .*\\) answers`),
    );
    assert.match(found(said, 'server').join(), /This project sees 1 memory and 0 episodes/);
    assert.deepEqual(hostsOf(box), [pid]);
    assert.equal((await client.call('stats')).total_entries, 1);
  });

  it('takes the record of a memory process that was killed for no fault', async (t) => {
    const box = new Sandbox(t, 'shared');
    const client = await box.start({ env: WITHOUT_MODEL });
    const { pid } = recordIn(box.storage);
    await client.end();
    await killHost(box);
    const said = await report(box);
    const words = new RegExp(
      `^ok,The memory process that ran last \\(pid ${pid}\\) has ended; it has been replaced`,
    );
    assert.match(found(said, 'ownership').join(), words);
  });

  it('says that an older memory process made way for this version', async (t) => {
    const box = new Sandbox(t, 'shared');
    const client = await box.start({ env: WITHOUT_MODEL, program: release(box, { version: '0.0.1' }) });
    const said = await report(box);
    assert.match(found(said, 'ownership').join(), /was of version 0\.0\.1 and made way for this one/);
    await client.end();
  });

  it('passes on what the server says where the store belongs to another machine', async (t) => {
    const box = new Sandbox(t, 'shared');
    await (await box.start({ env: WITHOUT_MODEL })).end();
    await killHost(box);
    changeOwner(box.storage, { machineId: 'another', host: 'elsewhere' });
    const said = await report(box);
    const words = /in use by process \d+ on machine elsewhere.*delete .*owner\.\d/;
    assert.match(onlyFault(said, 'server', 'error'), words);
    assert.match(onlyFault(said, 'model', 'warning'), /not tried/);
  });

  it('goes on with the defaults where the configuration is broken', async (t) => {
    const box = new Sandbox(t, 'shared');
    const file = box.configure('{\n  "log_level" "INFO"\n}');
    const said = await report(box);
    const words = onlyFault(said, 'config', 'error');
    assert.ok(words.startsWith(file), words);
    assert.match(words, /line 2, column 15/);
    assert.match(found(said, 'storage').join(), /^ok,/);
    assert.match(onlyFault(said, 'server', 'error'), /while the configuration cannot be used/);
    assert.deepEqual(hostsOf(box), []);
    assert.deepEqual([...new Set(said.findings.map(({ check }) => check))], [...CHECK_NAMES]);
  });

  it('warns of each key that has no effect, of the file it is told to read', async (t) => {
    const box = new Sandbox(t, 'shared');
    const file = join(box.project, 'mine.json');
    writeFileSync(file, JSON.stringify({ capture_enabeld: false, colour: 1, namespace: 'mine' }), {
      mode: 0o600,
    });
    const said = await report(box, ['--config', 'mine.json']);
    const warnings = found(said, 'config');
    assert.deepEqual(
      warnings.map(([level]) => level),
      ['warning', 'warning'],
    );
    assert.match(warnings.join(), /capture_enabeld.*Did you mean "capture_enabled".*colour/);
    assert.ok(warnings.join().includes(file), warnings.join());
    assert.match(found(said, 'capture').join(), /the project mine/);
    // The server was started with the same file.
    assert.deepEqual(onlyFault(said, 'model', 'error').includes('not-installed'), true);
  });

  it('names a storage folder that is a file', async (t) => {
    const box = new Sandbox(t, 'shared');
    mkdirSync(join(box.home, '.subconscious-mcp'), { mode: 0o700 });
    writeFileSync(box.storage, 'in the way');
    const said = await report(box);
    assert.match(
      onlyFault(said, 'storage', 'error'),
      /data is a file.* Move it away, or choose another folder/,
    );
    assert.match(onlyFault(said, 'server', 'error'), /it is a file, not a folder/);
    assert.deepEqual([...new Set(said.findings.map(({ check }) => check))], [...CHECK_NAMES]);
  });

  it('says of a storage folder that cannot be written that nothing new is remembered', async (t) => {
    const box = new Sandbox(t, 'shared');
    mkdirSync(box.storage, { recursive: true, mode: 0o700 });
    // Root may write anywhere, so under root this runs as nobody, on a copy that nobody can read.
    const asNobody = process.getuid?.() === 0 ? { uid: 65_534, program: copyBundles(box) } : {};
    if (asNobody.uid !== undefined) {
      chmodSync(box.root, 0o755);
      for (const folder of [box.home, join(box.home, '.subconscious-mcp'), box.storage]) {
        chownSync(folder, asNobody.uid, asNobody.uid);
      }
    }
    chmodSync(box.storage, 0o500);
    const said = await report(box, [], asNobody);
    assert.match(
      onlyFault(said, 'storage', 'error'),
      /cannot write in .*data: its permissions.*chmod u\+rwx/,
    );
    assert.match(onlyFault(said, 'server', 'warning'), /can only be read/);
    chmodSync(box.storage, 0o700);
  });

  it('names what the store set aside as damaged, once', async (t) => {
    const box = new Sandbox(t, 'shared');
    const client = await box.start({ env: WITHOUT_MODEL });
    await client.call('remember', { task: 'how to find the log', answer: 'x' });
    await client.end();
    await killHost(box);
    writeFileSync(join(box.storage, 'memory.db'), 'not a database', { mode: 0o600 });
    const first = onlyFault(await report(box), 'server', 'error');
    const kept = readdirSync(box.storage).find((name) => name.startsWith('memory.db.damaged-'));
    assert.ok(kept !== undefined && first.includes(join(box.storage, kept)), first);
    const said = await report(box);
    const words = onlyFault(said, 'storage', 'error');
    assert.ok(words.includes(join(box.storage, kept)), words);
    assert.deepEqual(
      found(said, 'server').map(([level]) => level),
      ['ok'],
    );
  });

  it('says why a model cannot be used', async (t) => {
    const said = await report(new Sandbox(t, 'shared'));
    assert.match(onlyFault(said, 'model', 'error'), /"not-installed" is not installed .*identical text only/);
  });

  it('says the same in text as in JSON, with ~ for the home folder', async (t) => {
    const box = new Sandbox(t, 'shared');
    box.configure({ colour: 1 });
    await box.start({ env: WITHOUT_MODEL });
    const said = await report(box);
    const { code, stdout, stderr } = await doctor(box);
    assert.deepEqual({ code, stderr }, { code: 1, stderr: '' });
    for (const { check, message, advice } of said.findings) {
      // Time passes between the two.
      const words = [message, advice].map((text) =>
        text.replaceAll(box.home, '~').replace(/started (just now|.* ago)/, 'started'),
      );
      const line = stdout
        .split('\n')
        .find((text) =>
          text
            .replace(/started (just now|.* ago)/, 'started')
            .endsWith(`${check.padEnd(11)}  ${words[0] ?? ''}`),
        );
      assert.ok(line !== undefined, `${message}\n${stdout}`);
      assert.ok(stdout.includes(words[1] ?? ''), `${advice}\n${stdout}`);
    }
    assert.match(stdout, /\n\n1 error, 3 warnings; run with --fix to mend 1 of them\.\n$/);
    assert.match(stdout, /^[\x20-\x7e\n]*$/);
  });

  it('refuses an option it does not know, and looks at nothing', async (t) => {
    const box = new Sandbox(t, 'shared');
    const { code, stdout, stderr } = await doctor(box, ['--fixx']);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    assert.match(stderr, /Did you mean --fix\?/);
    assert.deepEqual(hostsOf(box), []);
  });
});

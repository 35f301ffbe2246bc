import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { spoolText } from '../../src/capture/spoolDocument.js';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { run, userSettings } from './command.js';
import { doctor, found, mended, onlyFault, report, stateOf } from './doctorRig.js';

const own = (box: Sandbox) => join(box.home, '.subconscious-mcp');
const launcher = (box: Sandbox) => join(own(box), 'bin', 'subconscious-hook');
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

function backups(box: Sandbox): string[] {
  return readdirSync(own(box)).filter((name) => name.startsWith('doctor-backup-'));
}

/** Without what the memory process writes and takes up meanwhile. */
const settled = (box: Sandbox) => stateOf(box.home, /\/data\/(?!inbox\/damaged|logs)|\/logs\/server\.log/);

/** Fixes, and checks that another fix finds nothing left to change. */
async function fixTwice(box: Sandbox) {
  const first = await report(box, ['--fix']);
  const before = settled(box);
  const second = await report(box, ['--fix']);
  assert.deepEqual(mended(second), []);
  assert.equal(second.backup, undefined);
  assert.deepEqual(settled(box), before);
  assert.equal(backups(box).length, 1);
  return first;
}

/** What a session leaves in the inbox. */
function session(id: string): string {
  const turn = { id: 'turn-1', task: 'mend the build', outcome: 'done', at: 1, revisedAt: 1, final: true };
  const project = { key: 'path:/p', name: 'p' };
  return spoolText({ project, directory: '/p', sessionId: id, turns: [turn] });
}

describe('doctor --fix', { concurrency: 2 }, () => {
  it('changes nothing where nothing is wrong', async (t) => {
    const box = new Sandbox(t, 'shared');
    run(box, ['install-hooks']);
    const before = settled(box);
    await doctor(box);
    const said = await report(box, ['--fix']);
    assert.deepEqual(mended(said), []);
    assert.deepEqual(
      found(said, 'hooks').map(([level]) => level),
      ['ok', 'ok', 'ok'],
    );
    assert.deepEqual({ ...settled(box), ...before }, settled(box));
    assert.deepEqual(backups(box), []);
  });

  it('closes folders and files to others, and keeps their modes', async (t) => {
    const box = new Sandbox(t, 'shared');
    const config = box.configure({});
    await (await box.start({ env: WITHOUT_MODEL })).end();
    const open = [own(box), box.storage, join(own(box), 'logs')];
    for (const folder of open) chmodSync(folder, 0o777);
    chmodSync(config, 0o664);
    const owner = join(box.storage, 'owner.1');
    chmodSync(owner, 0o644);

    const without = await report(box);
    assert.match(
      found(without, 'storage').join(),
      /error,.*data \(0777\) is open.*warning,.*owner\.1 \(0644\) is open/,
    );
    assert.match(onlyFault(without, 'permissions', 'error'), /chmod go= /);
    for (const folder of open) chmodSync(folder, 0o777);
    chmodSync(owner, 0o644);

    const said = await fixTwice(box);
    assert.equal(mended(said).length, 3);
    assert.deepEqual([...open, config, owner].map(modeOf), ['700', '700', '700', '600', '600']);
    assert.match(found(said, 'ownership').join(), /^ok,.*answers\./);
    const kept = readFileSync(join(said.backup ?? '', 'modes.json'), 'utf8');
    for (const [path, mode] of [
      [box.storage, '0777'],
      [config, '0664'],
      [owner, '0644'],
    ] as const) {
      const one = (JSON.parse(kept) as { path: string; mode: string }[]).find((entry) => entry.path === path);
      assert.equal(one?.mode, mode, path);
    }
    assert.equal(modeOf(said.backup ?? ''), '700');
    assert.deepEqual(
      readdirSync(said.backup ?? '').filter((name) => name.endsWith('owner.1')),
      [],
    );
  });

  it('writes a launcher anew that was deleted', async (t) => {
    const box = new Sandbox(t, 'shared');
    run(box, ['install-hooks']);
    const before = readFileSync(launcher(box), 'utf8');
    rmSync(launcher(box));
    assert.match(onlyFault(await report(box), 'hooks', 'error'), /launcher .* is gone.* doctor --fix$/);
    const said = await fixTwice(box);
    assert.match(mended(said).join(), /launcher .* is gone/);
    assert.equal(readFileSync(launcher(box), 'utf8'), before);
  });

  it('gives a launcher back what makes it a program', async (t) => {
    const box = new Sandbox(t, 'shared');
    run(box, ['install-hooks']);
    chmodSync(launcher(box), 0o600);
    const said = await fixTwice(box);
    assert.match(mended(said).join(), /may not be executed/);
    assert.equal(modeOf(launcher(box)), '700');
  });

  for (const what of ['script', 'node'] as const) {
    it(`has a launcher name this installation where the ${what} it names is gone`, async (t) => {
      const box = new Sandbox(t, 'shared');
      run(box, ['install-hooks']);
      // A process that starts mends a launcher itself; this one has started when it answers.
      await (await box.start({ env: WITHOUT_MODEL })).call('stats');
      const before = readFileSync(launcher(box), 'utf8');
      const gone = join(box.root, "it's gone");
      const stale = before.replace(
        new RegExp(`^${what}='.*'$`, 'm'),
        `${what}='${gone.replace("'", "'\\''")}'`,
      );
      assert.notEqual(stale, before);
      writeFileSync(launcher(box), stale);
      const said = await fixTwice(box);
      assert.ok(mended(said).join().includes(`starts ${gone}, which is gone`), mended(said).join());
      assert.equal(readFileSync(launcher(box), 'utf8'), before);
      const [copy = ''] = readdirSync(said.backup ?? '').filter((name) => name.endsWith('subconscious-hook'));
      assert.equal(readFileSync(join(said.backup ?? '', copy), 'utf8'), stale);
    });
  }

  it('replaces hooks of the older program, and adds those that are missing', async (t) => {
    const box = new Sandbox(t, 'shared');
    const older = { type: 'command', command: '/opt/bin/subconscious-mcp hook --event stop' };
    const foreign = { type: 'command', command: 'notify-send done' };
    mkdirSync(join(box.home, '.claude'));
    writeFileSync(userSettings(box), JSON.stringify({ hooks: { Stop: [{ hooks: [foreign, older] }] } }));
    const words = onlyFault(await report(box), 'hooks', 'warning');
    assert.match(
      words,
      /the hooks for SessionStart and SessionEnd are missing and the hook for Stop is of the older/,
    );
    const said = await fixTwice(box);
    assert.deepEqual(mended(said).length, 1);
    const now = readFileSync(userSettings(box), 'utf8');
    assert.ok(now.includes('notify-send') && !now.includes('/opt/bin'), now);
    assert.deepEqual(
      found(said, 'hooks').map(([level]) => level),
      ['ok', 'ok', 'ok', 'ok'],
    );
    assert.ok(existsSync(launcher(box)));
  });

  it('leaves one hook for an event, with the right launcher', async (t) => {
    const box = new Sandbox(t, 'shared');
    run(box, ['install-hooks']);
    const right = readFileSync(userSettings(box), 'utf8');
    const { hooks } = JSON.parse(right) as { hooks: Record<string, unknown[]> };
    const moved = JSON.stringify(hooks['Stop']).replaceAll(box.home, '/home/before');
    const twice = {
      ...hooks,
      Stop: [...(hooks['Stop'] ?? []), ...(hooks['Stop'] ?? [])],
      SessionEnd: JSON.parse(moved) as unknown,
    };
    writeFileSync(userSettings(box), JSON.stringify({ hooks: twice }));
    const words = onlyFault(await report(box), 'hooks', 'warning');
    assert.match(
      words,
      /the hook for Stop is there 2 times and the hook for SessionEnd names another launcher/,
    );
    await fixTwice(box);
    const after = JSON.parse(readFileSync(userSettings(box), 'utf8')) as { hooks: Record<string, unknown> };
    assert.deepEqual(after.hooks['Stop'], hooks['Stop']);
    assert.ok(!JSON.stringify(after).includes('/home/before'));
  });

  it('keeps the configuration file that hooks name, and says where it is not the one looked at', async (t) => {
    const box = new Sandbox(t, 'shared');
    const config = join(box.root, 'my config.json');
    writeFileSync(config, '{}', { mode: 0o600 });
    run(box, ['install-hooks', '--config', config]);
    const right = readFileSync(userSettings(box), 'utf8');
    assert.deepEqual(
      found(await report(box, ['--config', config]), 'hooks').map(([level]) => level),
      ['ok', 'ok', 'ok'],
    );
    const words = onlyFault(await report(box), 'hooks', 'warning');
    assert.ok(words.includes(`read the configuration ${config}, and this is about`), words);
    assert.ok(words.includes(`subconscious-mcp doctor --config '${config}'. Where it is not: `), words);
    writeFileSync(userSettings(box), right.replace('--event stop', '--event nothing'));
    const said = await report(box, ['--fix', '--config', config]);
    assert.equal(mended(said).length, 1);
    assert.equal(readFileSync(userSettings(box), 'utf8'), right);
  });

  it('moves captured sessions back that can be read now, and leaves those that cannot', async (t) => {
    const box = new Sandbox(t, 'shared');
    const client = await box.start({ env: { ...WITHOUT_MODEL, SUBCONSCIOUS_NAMESPACE: 'p' } });
    const damaged = join(box.storage, 'inbox', 'damaged');
    mkdirSync(damaged, { recursive: true, mode: 0o700 });
    const names = { good: 'a.0123456789abcdef.json', bad: 'b.0123456789abcdef.json' };
    writeFileSync(join(damaged, names.good), session('a'), { mode: 0o600 });
    writeFileSync(join(damaged, names.bad), '{', { mode: 0o600 });
    const before = found(await report(box), 'inbox');
    assert.deepEqual(
      before.map(([level]) => level),
      ['ok', 'warning', 'warning'],
    );
    assert.ok(before.join().includes(damaged), before.join());
    const said = await fixTwice(box);
    assert.match(mended(said).join(), /^1 captured session was set aside .* can be read now/);
    assert.match(onlyFault(said, 'inbox', 'warning'), /^1 captured session could not be read/);
    assert.deepEqual(readdirSync(damaged), [names.bad]);
    const everywhere = async () => (await client.call('stats')).all_projects_entries === 1;
    await until('the session is taken up', everywhere);
  });

  it('removes what hooks left unfinished an hour ago, and nothing younger', async (t) => {
    const box = new Sandbox(t, 'shared');
    const client = await box.start({ env: WITHOUT_MODEL });
    // The process removes them itself when it starts; it has started when it answers this.
    await client.call('stats');
    const inbox = join(box.storage, 'inbox');
    mkdirSync(inbox, { recursive: true, mode: 0o700 });
    for (const name of ['0123456789abcdef.tmp', 'fedcba9876543210.tmp']) {
      writeFileSync(join(inbox, name), 'half', { mode: 0o600 });
    }
    const longAgo = Date.now() / 1000 - 7200;
    utimesSync(join(inbox, '0123456789abcdef.tmp'), longAgo, longAgo);
    assert.match(onlyFault(await report(box), 'inbox', 'warning'), /^1 unfinished file/);
    const said = await fixTwice(box);
    assert.equal(mended(said).length, 1);
    assert.deepEqual(
      readdirSync(inbox).filter((name) => name.endsWith('.tmp')),
      ['fedcba9876543210.tmp'],
    );
  });

  it('says in text what it mended and where the backup is', async (t) => {
    const box = new Sandbox(t, 'shared');
    run(box, ['install-hooks']);
    rmSync(launcher(box));
    const { code, stdout } = await doctor(box, ['--fix']);
    assert.equal(code, 1, 'there is no model');
    assert.match(stdout, /^\+ hooks +Found and mended: The launcher ~\/\S+ is gone/m);
    assert.match(
      stdout,
      /^What was changed is kept as it was in ~\/\.subconscious-mcp\/doctor-backup-\d+\.$/m,
    );
    assert.match(stdout, /\n\nMended 1\. 1 error\.\n$/);
  });
});

import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { checkClients } from '../../src/cli/doctor/checkClients.js';
import { CHECKS } from '../../src/cli/doctor/examine.js';
import type { Observation } from '../../src/cli/doctor/finding.js';
import { prepareCopy } from '../../src/clients/clientStates.js';
import { clientOf } from '../../src/clients/clientTable.js';
import { connectClient } from '../../src/clients/connect.js';
import type { ClientWorld } from '../../src/clients/world.js';
import { NOW, surroundingsOf } from './surroundingsOf.js';

/** A home with an installation in it. */
function installed(t: TestContext) {
  const home = surroundingsOf(t).home;
  const folder = join(home, 'program');
  mkdirSync(folder);
  for (const name of ['hook.js', 'server.js']) writeFileSync(join(folder, name), '');
  const program = { node: process.execPath, script: join(folder, 'hook.js'), version: '1.0.0' };
  const around = { ...surroundingsOf(t), home, directory: home, program, platform: 'linux' as const };
  const world: ClientWorld = {
    home,
    platform: 'linux',
    env: {},
    folder: home,
    program,
    now: () => NOW,
    run: () => Promise.reject(new Error('Nothing is started.')),
  };
  const launcher = join(home, '.subconscious-mcp', 'bin', 'subconscious-mcp');
  return { around, world, launcher, script: join(folder, 'server.js') };
}

const connect = (world: ClientWorld) => connectClient(clientOf('cursor') ?? assert.fail(), world);

/** What is found, with the mend made where it is wrong. */
async function mended(found: readonly Observation[]): Promise<string> {
  assert.deepEqual(found.map(({ level }) => level).join(), 'error');
  const [{ mend, message, advice } = assert.fail()] = found;
  assert.equal(advice, 'subconscious-mcp doctor --fix');
  await mend?.apply();
  return message;
}

describe('the check of clients', () => {
  it('is one of those the doctor makes', () => {
    assert.equal(CHECKS.clients, checkClients);
  });

  it('says what a connected client starts', async (t) => {
    const { around, world, script } = installed(t);
    await connect(world);
    const message = `The launcher of the server starts ${script} for Cursor.`;
    assert.deepEqual(await checkClients(around), [{ level: 'ok', message, advice: '' }]);
  });

  it('does not miss a launcher that nobody was told to start', async (t) => {
    const { around } = installed(t);
    const [only, ...more] = await checkClients(around);
    assert.deepEqual([only?.level, more], ['ok', []]);
    assert.match(only?.message ?? '', /^No client has the entry/);
  });

  it('finds that the launcher is gone, and writes it anew', async (t) => {
    const { around, world, launcher } = installed(t);
    await connect(world);
    const before = readFileSync(launcher, 'utf8');
    rmSync(launcher);
    assert.equal(
      await mended(await checkClients(around)),
      `The launcher ${launcher} is gone: Cursor cannot start the server.`,
    );
    assert.equal(readFileSync(launcher, 'utf8'), before);
    assert.deepEqual(
      (await checkClients(around)).map(({ level }) => level),
      ['ok'],
    );
    assert.equal(existsSync(`${launcher.slice(0, -3)}hook`), false, 'that of the hooks is not made');
  });

  it('finds that it may not be executed', async (t) => {
    const { around, world, launcher } = installed(t);
    await connect(world);
    chmodSync(launcher, 0o600);
    assert.match(await mended(await checkClients(around)), /may not be executed: Cursor cannot/);
    assert.equal(statSync(launcher).mode & 0o777, 0o700);
  });

  it('finds that what it starts is gone', async (t) => {
    const { around, world, script } = installed(t);
    const other = join(around.home, 'older', 'hook.js');
    await connect({ ...world, program: { ...world.program, script: other } });
    const gone = join(around.home, 'older', 'server.js');
    const message = await mended(await checkClients(around));
    assert.ok(message.includes(`starts ${gone}, which is gone: `), message);
    assert.ok((await checkClients(around))[0]?.message.includes(script));
  });

  it('counts a configuration that was copied, and a client in another folder', async (t) => {
    for (const elsewhere of [true, false]) {
      const { around, world, launcher } = installed(t);
      if (elsewhere) {
        const folder = join(around.home, 'elsewhere');
        await connectClient(clientOf('claude-code-project') ?? assert.fail(), { ...world, folder });
      } else await prepareCopy(world);
      rmSync(launcher);
      assert.match(
        await mended(await checkClients(around)),
        /is gone: clients that were connected cannot start/,
      );
    }
  });

  it('says what to set where there is no home, and looks at nothing', async (t) => {
    const [only] = await checkClients({ ...surroundingsOf(t), home: '' });
    assert.deepEqual([only?.level, only?.advice], ['warning', 'Set HOME to a folder.']);
  });
});

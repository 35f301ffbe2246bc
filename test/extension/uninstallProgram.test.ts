import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { connectClient } from '../../src/clients/connect.js';
import { hookShell } from '../../src/clients/hookShell.js';
import { installHooks } from '../../src/clients/installHooks.js';
import { theClient } from '../clients/connectPlace.js';
import { InstalledPlace } from './installedPlace.js';

const BUNDLE = join(import.meta.dirname, '..', '..', 'dist', 'uninstall.js');

/** The extension in a folder of its own, with hooks and a client on this platform. */
async function installed(t: TestContext) {
  const place = new InstalledPlace(t);
  const dist = join(place.extension, 'dist');
  place.write('{ "type": "commonjs" }', join(dist, 'package.json'));
  copyFileSync(BUNDLE, join(dist, 'uninstall.js'));
  const { platform } = process;
  const program = place.programOf();
  place.write('{}');
  await installHooks({ ...place.installation, program, platform, shell: hookShell() });
  const { file } = await connectClient(theClient('cursor'), place.world({ program, platform }));
  return { place, cursor: file };
}

/** As the editor starts it. */
async function run(t: TestContext, place: InstalledPlace, fields: NodeJS.ProcessEnv = {}) {
  const env = {
    ...process.env,
    HOME: place.home,
    USERPROFILE: place.home,
    CLAUDE_CONFIG_DIR: '',
    XDG_CONFIG_HOME: '',
    APPDATA: '',
    ...fields,
  };
  const child = spawn(process.execPath, [join(place.extension, 'dist', 'uninstall.js')], {
    env,
    cwd: place.root,
  });
  t.after(() => child.kill('SIGKILL'));
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said: await said };
}

const QUIET = { code: 0, said: ['', ''] };

describe('the program that the editor runs', () => {
  it('removes what names its installation and the launchers, and no memory', async (t) => {
    const { place, cursor } = await installed(t);
    const memories = ['memory.db', 'changes.log', 'config.toml'];
    for (const name of memories) place.write(name, join(place.home, '.subconscious-mcp', name));
    assert.notDeepEqual(place.launchers(), []);
    assert.deepEqual(await run(t, place), QUIET);
    assert.equal(place.text(), '{}');
    assert.equal(existsSync(cursor), false);
    assert.deepEqual(readdirSync(join(place.home, '.subconscious-mcp')).sort(), memories.sort());
  });

  it('says nothing where there is nothing', async (t) => {
    const { place } = await installed(t);
    await run(t, place);
    const before = readdirSync(place.home).sort();
    assert.deepEqual(await run(t, place), QUIET);
    assert.deepEqual(readdirSync(place.home).sort(), before);
    const nowhere = join(place.root, 'nowhere');
    assert.deepEqual(await run(t, place, { HOME: nowhere, USERPROFILE: nowhere }), QUIET);
    assert.equal(existsSync(nowhere), false);
  });

  it('says nothing where a file is broken', async (t) => {
    const { place, cursor } = await installed(t);
    place.write(`${place.text()}{`);
    assert.deepEqual(await run(t, place), QUIET);
    assert.notDeepEqual(place.launchers(), []);
    assert.equal(existsSync(cursor), false);
  });

  it('leaves a file that another program holds, and does the rest', async (t) => {
    const { place, cursor } = await installed(t);
    const hooks = place.text();
    place.write(JSON.stringify({ pid: process.pid }), `${place.settings}.subconscious.lock`);
    assert.deepEqual(await run(t, place), QUIET);
    assert.equal(place.text(), hooks);
    assert.equal(existsSync(place.launcher), true);
    assert.equal(existsSync(cursor), false);
    assert.equal(existsSync(place.server), false);
  });
});

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { writeLauncher } from '../../src/clients/launcher.js';
import { LAUNCHERS, SERVER_LAUNCHER } from '../../src/clients/launcherPath.js';
import { isBelow } from '../../src/extension/removeOwnLaunchers.js';
import { Place } from '../clients/place.js';
import { uninstalling } from './uninstalling.js';

const NODE = '/opt/node';

/** All launchers, started from the folder of an installation. */
async function launchersOf(folder: string, { home }: Place) {
  const program = { node: NODE, script: join(folder, 'dist', 'hook.js'), version: '1.2.3' };
  for (const launcher of LAUNCHERS) await writeLauncher(home, program, 'linux', launcher);
}

const inHome = ({ home }: Place, ...names: string[]) => join(home, '.subconscious-mcp', ...names);
const launchers = (place: Place) =>
  existsSync(inHome(place, 'bin')) ? readdirSync(inHome(place, 'bin')).sort() : null;

describe('launchers, after the extension was removed', () => {
  it('are gone, with their folder, where they start its programs', async (t) => {
    const place = new Place(t);
    await launchersOf('/extensions/subconscious-1.2.3', place);
    assert.deepEqual(launchers(place), ['subconscious-hook', 'subconscious-mcp']);
    await uninstalling(place, '/extensions/subconscious-1.2.3');
    assert.equal(launchers(place), null);
  });

  it('stay where they start those of another installation, be its name longer or its folder above', async (t) => {
    for (const folder of ['/extensions/subconscious-1.2.3-next', '/extensions', '/opt/..subconscious']) {
      const place = new Place(t);
      await launchersOf(folder, place);
      await uninstalling(place, '/extensions/subconscious-1.2.3');
      assert.deepEqual(launchers(place), ['subconscious-hook', 'subconscious-mcp'], folder);
    }
  });

  it('go one by one: what another installation has taken over stays', async (t) => {
    const place = new Place(t);
    await launchersOf('/extensions/subconscious-1.2.3', place);
    const other = { node: NODE, script: '/usr/lib/subconscious/dist/hook.js', version: '1.2.4' };
    await writeLauncher(place.home, other, 'linux', SERVER_LAUNCHER);
    await uninstalling(place, '/extensions/subconscious-1.2.3');
    assert.deepEqual(launchers(place), ['subconscious-mcp']);
  });

  it('are found on Windows however the path is written', () => {
    const isOwn = (script: string) => isBelow('c:\\Ext\\sub-1.2.3', script, 'win32');
    assert.ok(isOwn('C:\\ext\\sub-1.2.3\\dist\\hook.js'));
    assert.ok(isOwn('C:/Ext/sub-1.2.3/dist/hook.js'));
    for (const other of [
      'C:\\Ext\\sub-1.2.30\\dist\\hook.js',
      'D:\\Ext\\sub-1.2.3\\dist\\hook.js',
      'c:\\Ext',
    ]) {
      assert.equal(isOwn(other), false, other);
    }
  });

  it('are found through a link to the folder of extensions', async (t) => {
    const place = new Place(t);
    const real = join(place.root, 'real', 'subconscious-1.2.3');
    mkdirSync(join(real, 'dist'), { recursive: true });
    place.write('', join(real, 'dist', 'hook.js'));
    symlinkSync(join(place.root, 'real'), join(place.root, 'extensions'), 'dir');
    await launchersOf(join(place.root, 'extensions', 'subconscious-1.2.3'), place);
    place.write('', join(real, 'dist', 'server.js'));
    await uninstalling(place, real);
    assert.equal(launchers(place), null);
  });

  it('leave everything else as it is: memories, settings, and files of that name that somebody else wrote', async (t) => {
    const place = new Place(t);
    await launchersOf('/extensions/subconscious-1.2.3', place);
    const kept = {
      'memory.db': 'memories',
      'changes.log': 'more memories',
      [join('bin', 'subconscious-mcp')]: '#!/bin/sh\necho mine\n',
      [join('bin', 'another')]: "script='/extensions/subconscious-1.2.3/dist/hook.js'\n",
    };
    for (const [name, text] of Object.entries(kept)) place.write(text, inHome(place, name));
    place.write('{}');
    await uninstalling(place, '/extensions/subconscious-1.2.3');
    assert.equal(existsSync(inHome(place, 'bin', 'subconscious-hook')), false);
    for (const [name, text] of Object.entries(kept)) {
      assert.equal(readFileSync(inHome(place, name), 'utf8'), text);
    }
    assert.equal(readFileSync(place.settings, 'utf8'), '{}');
  });

  it('need not be there', async (t) => {
    const place = new Place(t);
    await uninstalling(place, '/extensions/subconscious-1.2.3');
    assert.equal(existsSync(place.home), false);
  });
});

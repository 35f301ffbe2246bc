import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { writeLauncher } from '../../src/clients/launcher.js';
import { EXTENSION, InstalledPlace } from './installedPlace.js';

describe('a launcher of another version of the extension', () => {
  const isTaken = async (place: InstalledPlace, extension: string) => {
    place.write('{}');
    await place.hook(place.settings, extension);
    await place.uninstall();
    const isGone = place.launchers().length === 0;
    assert.equal(place.text() === '{}', isGone, 'hooks and launcher go together');
    return isGone;
  };

  it('is the own one where that version was deleted, be it older or newer', async (t) => {
    for (const name of [
      'subconscious.subconscious-mcp-0.2.0',
      'subconscious.subconscious-mcp-0.10.0',
      'Subconscious.subconscious-mcp-0.2.0-linux-x64',
    ]) {
      const place = new InstalledPlace(t);
      place.version(EXTENSION);
      assert.equal(await isTaken(place, join(dirname(place.extension), name)), true, name);
    }
  });

  it('is that of another installation where it is there, lies elsewhere, or is another extension', async (t) => {
    const place = new InstalledPlace(t);
    place.version(EXTENSION);
    const folder = dirname(place.extension);
    for (const other of [
      place.version('subconscious.subconscious-mcp-0.2.0'),
      join(place.root, 'other', 'subconscious.subconscious-mcp-0.2.0'),
      join(folder, 'deeper', 'subconscious.subconscious-mcp-0.2.0'),
      join(folder, 'subconscious.subconscious-mcp-pro-0.2.0'),
      join(folder, 'somebody.subconscious-mcp-0.2.0'),
      join(folder, 'subconscious.subconscious-mcp-0.2.0', 'more'),
    ]) {
      assert.equal(await isTaken(place, other), false, other);
    }
  });

  it('is that of somebody else where its programs lie in another folder than ours do', async (t) => {
    const place = new InstalledPlace(t);
    const folder = join(dirname(place.extension), 'subconscious.subconscious-mcp-0.2.0', 'out');
    place.version(EXTENSION);
    await writeLauncher(place.home, { ...place.programOf(), script: join(folder, 'hook.js') }, 'linux');
    await place.uninstall();
    assert.deepEqual(place.launchers(), ['subconscious-hook']);
  });

  it('is found through a link to the folder of extensions', async (t) => {
    const place = new InstalledPlace(t);
    place.version(EXTENSION);
    symlinkSync(dirname(place.extension), join(place.root, 'link'), 'dir');
    assert.equal(await isTaken(place, join(place.root, 'link', 'subconscious.subconscious-mcp-0.2.0')), true);
  });
});

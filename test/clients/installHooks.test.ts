import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { parse } from 'jsonc-parser';
import { ClientError } from '../../src/clients/clientError.js';
import { installHooks, previewInstall } from '../../src/clients/installHooks.js';
import { readSettings } from '../../src/clients/settingsFile.js';
import { uninstallHooks } from '../../src/clients/uninstallHooks.js';
import { NOW, Place } from './place.js';
import { hook, ourHooks } from './settingsBuilders.js';

const SECOND = Math.floor(NOW);

/** Settings of somebody who has not met us. */
const BEFORE = '{\n  "model": "opus", // the big one\n  "hooks": {}\n}\n';

/** Rejects in the words for people, with the settings as they were and nothing beside them. */
async function refused(place: Place, why: RegExp): Promise<void> {
  const names = place.beside();
  const before = place.text();
  await assert.rejects(installHooks(place.installation), (error) => {
    assert.ok(error instanceof ClientError, String(error));
    assert.match(error.message, why);
    return true;
  });
  assert.deepEqual(place.beside(), names);
  assert.equal(place.text(), before);
}

describe('installing hooks', () => {
  it('makes the settings with their folder where there are none', async (t) => {
    const place = new Place(t);
    assert.deepEqual(await installHooks(place.installation), { changed: true, backup: null });
    assert.deepEqual(JSON.parse(place.text()), { hooks: ourHooks((event) => place.command(event)) });
    assert.deepEqual(place.beside(), ['settings.json']);
  });

  it('names the configuration file it is told, in the place of hooks with another one or none', async (t) => {
    const place = new Place(t);
    place.write(BEFORE);
    const withConfig = (configPath: string | null) => ({ ...place.installation, configPath });
    for (const configPath of ["/etc/it's mine.json", '/etc/other.json', null]) {
      assert.equal((await installHooks(withConfig(configPath))).changed, true);
      const words = configPath === null ? '' : ` --config '${configPath.replace("'", "'\\''")}'`;
      const { hooks } = parse(place.text()) as { hooks: unknown };
      assert.deepEqual(
        hooks,
        ourHooks((event) => place.command(event) + words),
      );
      assert.equal((await installHooks(withConfig(configPath))).changed, false);
    }
    assert.deepEqual(await uninstallHooks(place.installation), { outcome: 'restored' });
    assert.equal(place.text(), BEFORE);
  });

  it('keeps the file before, and leaves no other trace beside it', async (t) => {
    const place = new Place(t);
    place.write(BEFORE);
    const backup = `${place.settings}.bak.${SECOND}`;
    assert.deepEqual(await installHooks(place.installation), { changed: true, backup });
    assert.equal(place.text(backup), BEFORE);
    assert.deepEqual(place.beside(), ['settings.json', `settings.json.bak.${SECOND}`]);
  });

  it('never writes over an older backup', async (t) => {
    const place = new Place(t);
    place.write(BEFORE);
    place.write('older', `${place.settings}.bak.${SECOND}`);
    const { backup } = await installHooks(place.installation);
    assert.equal(backup, `${place.settings}.bak.${SECOND + 1}`);
    assert.equal(place.text(`${place.settings}.bak.${SECOND}`), 'older');
  });

  it('does not touch a file that has the hooks, whatever their time limit', async (t) => {
    const place = new Place(t);
    place.write(BEFORE);
    await installHooks(place.installation);
    place.write(place.text().replace('"timeout": 10', '"timeout": 30'));
    utimesSync(place.settings, 1, 1);
    const { ino } = statSync(place.settings);
    assert.deepEqual(await installHooks(place.installation), { changed: false, backup: null });
    assert.deepEqual([statSync(place.settings).mtimeMs, statSync(place.settings).ino], [1000, ino]);
    assert.equal(place.beside().length, 2);
  });

  it('writes the launcher that the settings name, for its owner alone', async (t) => {
    const place = new Place(t);
    await installHooks(place.installation);
    assert.match(place.text(place.launcher), /\/opt\/dist\/hook\.js/);
    for (const path of [place.launcher, join(place.launcher, '..'), join(place.launcher, '..', '..')]) {
      assert.equal(statSync(path).mode & 0o777, 0o700, path);
    }
    assert.equal(statSync(place.records).mode & 0o777, 0o600);
  });

  it('writes the launcher again where only that is missing', async (t) => {
    const place = new Place(t);
    await installHooks(place.installation);
    execFileSync('rm', [place.launcher]);
    assert.deepEqual(await installHooks(place.installation), { changed: false, backup: null });
    assert.ok(existsSync(place.launcher));
  });

  it("keeps the file's mode, for the backup as well, under any umask", async (t) => {
    const place = new Place(t);
    place.write(BEFORE);
    const umask = process.umask(0o077);
    try {
      for (const mode of [0o600, 0o664]) {
        place.write(BEFORE);
        chmodSync(place.settings, mode);
        const { backup } = await installHooks(place.installation);
        assert.equal(statSync(place.settings).mode & 0o777, mode);
        assert.equal(statSync(backup ?? '').mode & 0o077 & ~mode, 0);
      }
    } finally {
      process.umask(umask);
    }
  });

  it('replaces the target of a link and leaves the link', async (t) => {
    const place = new Place(t);
    const target = place.write(BEFORE, join(place.root, 'dotfiles', 'claude.json'));
    mkdirSync(join(place.settings, '..'), { recursive: true });
    symlinkSync('../../dotfiles/claude.json', place.settings);
    await installHooks(place.installation);
    assert.equal(readlinkSync(place.settings), '../../dotfiles/claude.json');
    assert.ok(place.text(target).includes('subconscious-hook'));
    assert.deepEqual(place.beside(target), ['claude.json']);
    assert.equal(place.text(`${place.settings}.bak.${SECOND}`), BEFORE);
  });

  it('follows a link from where it really lies', async (t) => {
    const place = new Place(t);
    const target = place.write(BEFORE, join(place.root, 'dotfiles', 'claude.json'));
    mkdirSync(join(place.root, 'dotfiles', 'claude'));
    mkdirSync(place.home);
    symlinkSync(join(place.root, 'dotfiles', 'claude'), join(place.home, '.claude'));
    symlinkSync('../claude.json', place.settings);
    await installHooks(place.installation);
    assert.ok(place.text(target).includes('subconscious-hook'));
    assert.ok(lstatSync(place.settings).isSymbolicLink());
  });

  it('makes what a link to nothing stands for', async (t) => {
    const place = new Place(t);
    const target = join(place.root, 'new', 'claude.json');
    mkdirSync(join(place.settings, '..'), { recursive: true });
    symlinkSync(target, place.settings);
    await installHooks(place.installation);
    assert.ok(lstatSync(place.settings).isSymbolicLink());
    assert.ok(place.text(target).includes('subconscious-hook'));
  });
});

describe('settings that cannot be used', () => {
  it('are refused where they are no JSON, with file, line and advice', async (t) => {
    const place = new Place(t);
    place.write('{\n  "model" "opus"\n}\n');
    await refused(place, new RegExp(`^${place.settings} is not valid JSON .* line 2, column 11.* Correct`));
    assert.equal(existsSync(place.launcher), false);
    assert.equal(existsSync(place.records), false);
  });

  it('are refused where they are not UTF-8', async (t) => {
    const place = new Place(t);
    place.write(Buffer.from('\uFEFF{}', 'utf16le'));
    await refused(place, /is not UTF-8 text\. .* Save it as UTF-8/);
  });

  it('are refused where they are a folder, a pipe or a link in a circle', async (t) => {
    const place = new Place(t);
    mkdirSync(place.settings, { recursive: true });
    const pipe = join(place.root, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const circle = join(place.root, 'circle');
    symlinkSync('circle', circle);
    for (const [settings, why] of [
      [place.settings, /is a folder\. Name the settings file in it/],
      [pipe, /is no regular file\. Name a settings file/],
      [circle, /leads in a circle\. Name the settings file itself/],
      [join(pipe, 'settings.json'), /was not changed: .* Make that place writable/],
    ] as const) {
      await assert.rejects(installHooks({ ...place.installation, settings }), (error) => {
        assert.ok(error instanceof ClientError, String(error));
        return why.test(error.message);
      });
    }
    assert.ok(lstatSync(place.settings).isDirectory());
    assert.equal(existsSync(place.launcher), false);
  });

  it('are left alone where the place of the launcher cannot be had', async (t) => {
    const place = new Place(t);
    place.write(BEFORE);
    place.write('a file', join(place.home, '.subconscious-mcp'));
    await refused(
      place,
      /installed-hooks\.json cannot be used: .* was not changed\. Make .* yours and writable/,
    );
  });
});

describe('a dry run', () => {
  it('gives the whole file as it would be and writes nothing', async (t) => {
    const place = new Place(t);
    place.write(BEFORE);
    const { content, changed } = await previewInstall(place.installation);
    assert.ok(changed);
    assert.deepEqual([place.text(), place.beside()], [BEFORE, ['settings.json']]);
    assert.equal(existsSync(place.records), false);
    await installHooks(place.installation);
    assert.deepEqual(readFileSync(place.settings), content);
    assert.deepEqual(await previewInstall(place.installation), { content, changed: false });
  });

  it('makes no folder either', async (t) => {
    const place = new Place(t);
    assert.ok((await previewInstall(place.installation)).changed);
    assert.equal(existsSync(place.home), false);
  });
});

describe('settings that others change at the same time', () => {
  /** Reads as always, but between the first look and the second another program writes. */
  function interrupted(t: TestContext, times: number, change: (place: Place, turn: number) => void) {
    const place = new Place(t);
    place.write(BEFORE);
    let looks = 0;
    const read = async (file: string) => {
      looks += 1;
      if (looks % 2 === 0 && looks / 2 <= times) change(place, looks / 2);
      return await readSettings(file);
    };
    return { place, installation: { ...place.installation, read } };
  }

  it('are read again, and the hooks added to what is there then', async (t) => {
    const { place, installation } = interrupted(t, 2, (at, turn) =>
      at.write(JSON.stringify({ hooks: { Stop: [{ hooks: [hook(`theirs ${turn}`)] }] } })),
    );
    const { backup } = await installHooks(installation);
    const written = JSON.parse(place.text()) as { hooks: { Stop: unknown[] } };
    assert.deepEqual(written.hooks.Stop[0], { hooks: [hook('theirs 2')] });
    assert.equal(written.hooks.Stop.length, 2);
    // The one backup holds what was replaced.
    assert.deepEqual(place.beside(), ['settings.json', `settings.json.bak.${SECOND}`]);
    assert.match(place.text(backup ?? ''), /theirs 2/);
  });

  it('are made anew where they were deleted', async (t) => {
    const { place, installation } = interrupted(t, 1, (at) => execFileSync('rm', [at.settings]));
    assert.deepEqual(await installHooks(installation), { changed: true, backup: null });
    assert.deepEqual(JSON.parse(place.text()), { hooks: ourHooks((event) => place.command(event)) });
  });

  it('are left alone where that never ends', async (t) => {
    const { place, installation } = interrupted(t, 100, (at, turn) => at.write(`{"turn": ${turn}}`));
    await assert.rejects(installHooks(installation), /keeps changing it\. End that program/);
    assert.equal(place.text(), '{"turn": 10}');
    assert.deepEqual(place.beside(), ['settings.json']);
  });

  it('get each hook once from many installations at a time', async (t) => {
    const place = new Place(t);
    place.write(BEFORE);
    const all = await Promise.all(Array.from({ length: 8 }, () => installHooks(place.installation)));
    assert.equal(all.filter(({ changed }) => changed).length, 1);
    assert.equal(place.text().match(/subconscious-hook/g)?.length, 3);
    assert.equal(place.beside().length, 2);
  });
});

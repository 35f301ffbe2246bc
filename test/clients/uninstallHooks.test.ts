import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { ClientError } from '../../src/clients/clientError.js';
import { installHooks } from '../../src/clients/installHooks.js';
import { readSettings } from '../../src/clients/settingsFile.js';
import { previewUninstall, uninstallHooks } from '../../src/clients/uninstallHooks.js';
import { NOW, Place } from './place.js';
import { hook, settings, settingsText } from './settingsBuilders.js';

const SECOND = Math.floor(NOW);
const BEFORE = '\uFEFF{\r\n\t"model": "opus", // the big one\r\n}';

describe('removing hooks from settings', () => {
  it('restores the file byte for byte, with its mode, and forgets about it', async (t) => {
    const place = new Place(t);
    place.write(BEFORE);
    chmodSync(place.settings, 0o640);
    await installHooks(place.installation);
    assert.deepEqual(await uninstallHooks(place.installation), { outcome: 'restored' });
    assert.equal(place.text(), BEFORE);
    assert.equal(statSync(place.settings).mode & 0o777, 0o640);
    assert.deepEqual(place.beside(), ['settings.json', `settings.json.bak.${SECOND}`]);
    assert.equal(existsSync(place.records), false);
    assert.equal(existsSync(dirname(place.launcher)), false);
  });

  it('removes a file that was made by the installation, and the folders made for it', async (t) => {
    const place = new Place(t);
    place.write('', join(place.home, 'kept'));
    const installation = { ...place.installation, settings: join(place.home, 'a', 'b', 'settings.json') };
    await installHooks(installation);
    assert.deepEqual(await uninstallHooks(installation), { outcome: 'deleted' });
    assert.equal(existsSync(join(place.home, 'a')), false);
    assert.ok(existsSync(join(place.home, 'kept')));
  });

  it('leaves a folder that others have used since, and one that was there', async (t) => {
    const place = new Place(t);
    await installHooks(place.installation);
    place.write('', join(dirname(place.settings), 'agents.md'));
    await uninstallHooks(place.installation);
    assert.deepEqual(place.beside(), ['agents.md']);
    rmSync(join(dirname(place.settings), 'agents.md'));
    await installHooks(place.installation);
    await uninstallHooks(place.installation);
    assert.deepEqual(place.beside(), []);
  });

  it('remembers what was there first through any number of installations', async (t) => {
    const place = new Place(t);
    place.write(BEFORE);
    await installHooks(place.installation);
    await installHooks(place.installation);
    // Another shell means another command.
    await installHooks({ ...place.installation, shell: 'cmd' });
    assert.match(place.text(), /subconscious-hook\.cmd/);
    assert.deepEqual(await uninstallHooks(place.installation), { outcome: 'restored' });
    assert.equal(place.text(), BEFORE);
  });

  it('remembers through them that there was no file', async (t) => {
    const place = new Place(t);
    await installHooks(place.installation);
    await installHooks({ ...place.installation, shell: 'cmd' });
    assert.deepEqual(await uninstallHooks(place.installation), { outcome: 'deleted' });
  });

  it('removes the folder it has made even when the file was made twice, but none above it', async (t) => {
    const place = new Place(t);
    const outer = join(place.root, 'outer');
    mkdirSync(outer);
    const installation = { ...place.installation, settings: join(outer, 'a', 'b', 'settings.json') };
    await installHooks(installation);
    rmSync(installation.settings);
    await installHooks(installation);
    assert.deepEqual(await uninstallHooks(installation), { outcome: 'deleted' });
    assert.deepEqual(readdirSync(outer), []);
  });

  it('leaves what others wrote since, and keeps the file before', async (t) => {
    const place = new Place(t);
    place.write(BEFORE);
    await installHooks(place.installation);
    const edited = place.text().replace('"opus"', '"haiku"');
    place.write(edited);
    const backup = `${place.settings}.bak.${SECOND + 1}`;
    assert.deepEqual(await uninstallHooks(place.installation), { outcome: 'edited', backup });
    assert.equal(place.text(), BEFORE.replace('"opus"', '"haiku"'));
    assert.equal(place.text(backup), edited);
    assert.equal(existsSync(place.launcher), false);
  });

  it('restores what an installation after such a change found, without entries of ours', async (t) => {
    const place = new Place(t);
    place.write(BEFORE);
    await installHooks(place.installation);
    place.write(place.text().replace('"opus"', '"haiku"').replace('--event stop', '--event nothing'));
    await installHooks(place.installation);
    assert.deepEqual(await uninstallHooks(place.installation), { outcome: 'restored' });
    assert.equal(place.text(), BEFORE.replace('"opus"', '"haiku"'));
  });

  it('gives the hooks of the Python program back that were replaced', async (t) => {
    const place = new Place(t);
    const python = JSON.stringify({
      hooks: { Stop: [{ hooks: [hook('subconscious-mcp hook --event stop')] }] },
    });
    place.write(python);
    await installHooks(place.installation);
    assert.equal(place.text().includes('subconscious-mcp hook'), false);
    await uninstallHooks(place.installation);
    assert.equal(place.text(), python);
  });

  it('works without a record, and with one that cannot be read', async (t) => {
    const place = new Place(t);
    for (const record of [null, '{', '7', '{"settings": {"x": 1}}']) {
      place.write(BEFORE);
      await installHooks(place.installation);
      if (record === null) rmSync(place.records);
      else place.write(record, place.records);
      assert.equal((await uninstallHooks(place.installation)).outcome, 'edited');
      assert.equal(place.text(), BEFORE);
    }
  });

  it('finds nothing to do where there are no hooks, no file, or no folder', async (t) => {
    const place = new Place(t);
    assert.deepEqual(await uninstallHooks(place.installation), { outcome: 'untouched' });
    assert.equal(existsSync(place.home), false);
    place.write(BEFORE);
    assert.deepEqual(await uninstallHooks(place.installation), { outcome: 'untouched' });
    await installHooks(place.installation);
    rmSync(dirname(place.settings), { recursive: true });
    assert.deepEqual(await uninstallHooks(place.installation), { outcome: 'untouched' });
    assert.equal(existsSync(place.records), false);
    assert.equal(existsSync(place.launcher), false);
  });

  it('keeps the launcher as long as other settings name it', async (t) => {
    const place = new Place(t);
    const other = { ...place.installation, settings: join(place.root, 'project', 'settings.local.json') };
    await Promise.all([installHooks(place.installation), installHooks(other)]);
    await uninstallHooks(place.installation);
    assert.ok(existsSync(place.launcher));
    await uninstallHooks(other);
    assert.equal(existsSync(place.launcher), false);
  });

  it('keeps the launcher for settings that are known without a record', async (t) => {
    const place = new Place(t);
    const other = { ...place.installation, settings: join(place.root, 'project', 'settings.local.json') };
    await installHooks(other);
    rmSync(place.records);
    await installHooks(place.installation);
    const others = [place.settings, other.settings, join(place.root, 'none.json'), place.root];
    await uninstallHooks({ ...place.installation, others });
    assert.ok(existsSync(place.launcher));
    // A text that is broken may be mended again.
    place.write(place.text(other.settings).replace('{', '{,'), other.settings);
    await installHooks(place.installation);
    await uninstallHooks({ ...place.installation, others });
    assert.ok(existsSync(place.launcher));
    rmSync(other.settings);
    await installHooks(place.installation);
    await uninstallHooks({ ...place.installation, others });
    assert.equal(existsSync(place.launcher), false);
  });

  it('keeps the launcher where other settings cannot be read', async (t) => {
    const place = new Place(t);
    await installHooks(place.installation);
    const unreadable = join(place.root, 'circle.json');
    symlinkSync(unreadable, unreadable);
    await uninstallHooks({ ...place.installation, others: [unreadable] });
    assert.ok(existsSync(place.launcher));
    // Whose folder is a file, that is certainly not there.
    await installHooks(place.installation);
    const within = join(place.write('{}', join(place.root, 'file')), 'settings.json');
    await uninstallHooks({ ...place.installation, others: [within] });
    assert.equal(existsSync(place.launcher), false);
  });

  it('says that the hooks are gone where only the launcher cannot be removed', async (t) => {
    const place = new Place(t);
    place.write(BEFORE);
    await installHooks(place.installation);
    rmSync(place.launcher);
    mkdirSync(place.launcher);
    await assert.rejects(uninstallHooks(place.installation), (error) => {
      assert.ok(error instanceof ClientError, String(error));
      assert.match(
        error.message,
        /^There are no hooks in .* any more, but .* could not be removed: .* delete/,
      );
      return true;
    });
    assert.equal(place.text(), BEFORE);
  });

  it('leaves a link a link', async (t) => {
    const place = new Place(t);
    place.write(BEFORE, join(place.root, 'claude.json'));
    place.write('', join(dirname(place.settings), 'x'));
    symlinkSync(join(place.root, 'claude.json'), place.settings);
    await installHooks(place.installation);
    assert.deepEqual(await uninstallHooks(place.installation), { outcome: 'restored' });
    assert.equal(readFileSync(join(place.root, 'claude.json'), 'utf8'), BEFORE);
  });

  it('refuses what is no JSON, untouched', async (t) => {
    const place = new Place(t);
    place.write(BEFORE);
    await installHooks(place.installation);
    const broken = place.text().replace('{', '{,');
    place.write(broken);
    await assert.rejects(uninstallHooks(place.installation), ClientError);
    assert.equal(place.text(), broken);
    assert.ok(existsSync(place.launcher));
  });

  it('takes a change between two looks for one, not for the installation', async (t) => {
    const place = new Place(t);
    place.write(BEFORE);
    await installHooks(place.installation);
    let looks = 0;
    const read = async (file: string) => {
      looks += 1;
      // After the first look and the one that decides.
      if (looks === 3) place.write(place.text().replace('"opus"', '"haiku"'));
      return await readSettings(file);
    };
    assert.equal((await uninstallHooks({ ...place.installation, read })).outcome, 'edited');
    assert.equal(place.text(), BEFORE.replace('"opus"', '"haiku"'));
  });

  it('shows beforehand what would be left, and writes nothing', async (t) => {
    const place = new Place(t);
    assert.deepEqual(await previewUninstall(place.installation), { outcome: 'untouched', content: null });
    await installHooks(place.installation);
    const installed = place.text();
    assert.deepEqual(await previewUninstall(place.installation), { outcome: 'deleted', content: null });
    place.write(installed.replace('{', '{ "model": "opus",'));
    const { outcome, content } = await previewUninstall(place.installation);
    assert.deepEqual([outcome, content?.toString()], ['edited', '{ "model": "opus"\n}\n']);
    assert.deepEqual(place.beside(), ['settings.json']);
  });
});

test('over any settings file, removing what was installed leaves the same bytes', async (t) => {
  const place = new Place(t);
  await fc.assert(
    fc.asyncProperty(settingsText, fc.constantFrom(1, 2), async (text, times) => {
      place.write(text);
      for (let time = 0; time < times; time += 1) await installHooks(place.installation);
      assert.deepEqual(await uninstallHooks(place.installation), { outcome: 'restored' });
      assert.equal(place.text(), text);
    }),
    { numRuns: 40 },
  );
});

type Content = Record<string, unknown> & { hooks?: Record<string, unknown[]> };

/** What other programs do to settings: they read all of it, change something and write it in their own layout. */
const edit = fc.record({
  set: fc.dictionary(fc.constantFrom('model', 'theme', 'new'), fc.constantFrom('a', 'b'), { maxKeys: 2 }),
  groups: fc.dictionary(
    fc.constantFrom('Stop', 'SessionStart', 'PreToolUse'),
    fc.constantFrom({ matcher: '', hooks: [hook('theirs')] }),
    { maxKeys: 2 },
  ),
  front: fc.boolean(),
  unit: fc.constantFrom('', '  ', '\t'),
});

test('over any settings file and any change since, removing leaves exactly that change', async (t) => {
  const place = new Place(t);
  await fc.assert(
    fc.asyncProperty(settings, edit, async (before, { set, groups, front, unit }) => {
      const edited = (content: Content): Content => {
        const hooks: Record<string, unknown[]> = { ...content.hooks };
        for (const [event, group] of Object.entries(groups)) {
          const there = hooks[event] ?? [];
          hooks[event] = front ? [group, ...there] : [...there, group];
        }
        return {
          ...content,
          ...set,
          ...(Object.keys(hooks).length === 0 && !content.hooks ? {} : { hooks }),
        };
      };
      place.write(JSON.stringify(before));
      await installHooks(place.installation);
      place.write(JSON.stringify(edited(JSON.parse(place.text()) as Content), null, unit));
      await uninstallHooks(place.installation);
      assert.deepEqual(parse(place.text()), JSON.parse(JSON.stringify(edited(before))));
      for (const name of place.beside())
        if (name.includes('.bak.')) rmSync(join(dirname(place.settings), name));
    }),
    { numRuns: 40 },
  );
});

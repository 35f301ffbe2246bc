import assert from 'node:assert/strict';
import { chownSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { ClientError } from '../../src/clients/clientError.js';
import { installHooks } from '../../src/clients/installHooks.js';
import { inWords, readSettings, replaceUnchanged } from '../../src/clients/settingsFile.js';
import { uninstallHooks } from '../../src/clients/uninstallHooks.js';
import { Place } from './place.js';

const SOMEBODY = { uid: 65_534, gid: 65_533 };

const ownerOf = (path: string) => {
  const { uid, gid } = statSync(path);
  return { uid, gid };
};

describe('the owner of a settings file', () => {
  it('has to be the user who replaces it', async (t) => {
    const place = new Place(t);
    const file = place.write('before');
    const seen = Buffer.from('before');
    const replacement = {
      file,
      seen,
      content: Buffer.from('after'),
      backup: file,
      now: 0,
      read: readSettings,
    };
    const { uid } = ownerOf(file);
    await assert.rejects(replaceUnchanged({ ...replacement, uid: uid + 1 }), (error) => {
      assert.ok(error instanceof ClientError);
      assert.ok(
        error.message.startsWith(
          `${file} belongs to user ${uid}, and you are user ${uid + 1}. Nothing was changed.`,
        ),
        error.message,
      );
      return true;
    });
    assert.deepEqual(place.beside(), ['settings.json']);
    assert.equal(readFileSync(file, 'utf8'), 'before');
    await replaceUnchanged({ ...replacement, uid });
    assert.equal(readFileSync(file, 'utf8'), 'after');
  });

  it('stays what it was when root installs and uninstalls for somebody', async (t) => {
    // Nobody else can give a file away: for all others their own is what has to stay.
    const isRoot = process.geteuid?.() === 0;
    const place = new Place(t);
    const file = place.write('{}');
    if (isRoot) for (const path of [dirname(file), file]) chownSync(path, SOMEBODY.uid, SOMEBODY.gid);
    const owner = ownerOf(file);
    const { backup } = await installHooks(place.installation);
    assert.deepEqual([ownerOf(file), ownerOf(backup ?? '')], [owner, owner]);
    await uninstallHooks(place.installation);
    assert.deepEqual(ownerOf(file), owner);
  });
});

describe('a failure in words', () => {
  it('names what failed in our own folder, and does not blame the settings', (t) => {
    const place = new Place(t);
    const failed = Object.assign(new Error('EACCES: permission denied'), {
      code: 'EACCES',
      path: place.records,
    });
    const words = String(inWords(failed, place.settings, place.home));
    assert.ok(words.startsWith(`ClientError: ${place.records} cannot be used: EACCES`), words);
    assert.ok(words.includes('yours and writable') && !words.includes('--settings'), words);
    const theirs = Object.assign(new Error('EACCES'), { code: 'EACCES', path: place.settings });
    assert.match(
      String(inWords(theirs, place.settings, place.home)),
      /settings\.json was not changed: .*--settings/,
    );
  });
});

import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readlinkSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Sandbox, WITHOUT_MODEL, type StartOptions } from '../server/sandbox.js';
import { onlyHost, recordIn } from './hosts.js';
import { copyBundles } from './programs.js';

/** A user that no user database knows, as in containers. */
const BARE_USER = 54_321;

/** Two clients share what is stored in `storage`, which nobody else can enter, and the host works there. */
async function works(box: Sandbox, storage: string, options: StartOptions): Promise<void> {
  const env = { ...WITHOUT_MODEL, ...options.env };
  const first = await box.start({ ...options, env });
  await first.call('remember', { task: 'in an odd place', answer: 'kept' });
  const second = await box.start({ ...options, env });
  assert.equal((await second.call('recall', { task: 'in an odd place' })).answer, 'kept');

  const host = await onlyHost(box);
  const { pid, address } = recordIn(storage);
  assert.equal(pid, host);
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  assert.deepEqual(
    { storage: mode(storage), record: mode(join(storage, 'host.json')), socket: mode(address) },
    { storage: '700', record: '600', socket: '600' },
  );
  assert.equal(readlinkSync(`/proc/${host}/cwd`), realpathSync(storage));
}

function storageIn(home: string): string {
  return join(home, '.subconscious-mcp', 'data');
}

describe('front and host meet', { concurrency: true }, () => {
  const homes: [string, string[]][] = [
    ['whose path is longer than a socket’s may be', ['long'.repeat(55), 'longer'.repeat(40)]],
    [
      'with blanks, quotes, dollar signs and a line break',
      ['it\'s "mine"', '$HOME ${IFS} `id` $(id)', 'a\nb; c & d'],
    ],
    ['in Japanese, with a blank at its end', ['わたしの記憶', 'ホーム ']],
  ];
  for (const [what, names] of homes) {
    test(`in a home ${what}`, async (t) => {
      const box = new Sandbox(t, 'shared');
      const home = box.folder(...names);
      await works(box, storageIn(home), { env: { HOME: home, USERPROFILE: home } });
    });
  }

  test('in a storage directory behind a link, whichever of its names is used', async (t) => {
    const box = new Sandbox(t, 'shared');
    const link = join(box.root, 'link');
    mkdirSync(join(box.root, 'target'), { mode: 0o700 });
    symlinkSync('target', link);
    await works(box, join(box.root, 'target'), { env: { SUBCONSCIOUS_STORAGE_DIR: link } });
    const env = { ...WITHOUT_MODEL, SUBCONSCIOUS_STORAGE_DIR: join(box.root, 'target') };
    const direct = await box.start({ env });
    assert.equal((await direct.call('recall', { task: 'in an odd place' })).hit, true);
    assert.equal(recordIn(link).pid, await onlyHost(box));
  });

  test('where the folder for temporary files is missing', async (t) => {
    const box = new Sandbox(t, 'shared');
    const missing = join(box.root, 'missing');
    await works(box, box.storage, { env: { TMPDIR: missing, TEMP: missing, TMP: missing } });
  });

  test('where there is no home, in the storage directory that is given', async (t) => {
    const box = new Sandbox(t, 'shared');
    const storage = join(box.folder('given'), 'data');
    const env = { SUBCONSCIOUS_STORAGE_DIR: storage };
    if (process.getuid?.() !== 0) {
      // This user has a home in the user database; one that is none is as near as it gets.
      await works(box, storage, { env: { ...env, HOME: '/dev/null' } });
      return;
    }
    chmodSync(box.root, 0o755);
    chownSync(join(box.root, 'given'), BARE_USER, BARE_USER);
    const prefix = ['env', '-u', 'HOME', '-u', 'USERPROFILE'];
    await works(box, storage, { env, prefix, uid: BARE_USER, program: copyBundles(box) });
  });

  test('where the working directory has been deleted and everything would be open to others', async (t) => {
    const box = new Sandbox(t, 'shared');
    const script = 'umask 000; mkdir gone.$$ && cd gone.$$ && rmdir "$PWD" && exec "$@"';
    const prefix = ['sh', '-c', script, 'sh'];
    await works(box, box.storage, { prefix });
    const third = await box.start({ prefix, env: WITHOUT_MODEL });
    assert.equal((await third.call('stats')).project, 'global');
  });
});

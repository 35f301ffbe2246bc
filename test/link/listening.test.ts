import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { listenPrivately } from '../../src/link/address.js';
import { thisSystem } from '../../src/link/linkSystem.js';
import { failure, PickyServer, Place } from './place.js';

const uid = thisSystem.uid ?? 0;
const mode = (path: string) => lstatSync(path).mode & 0o777;

test('a storage directory that is gone is named, and not made again', async (t) => {
  const place = new Place(t);
  place.system = { ...place.system, platform: 'linux' };
  place.storageDir = join(place.base, 'missing');
  assert.match(await failure(place.listen(place.host('host'))), /cannot be reached.*missing/);
  assert.equal(existsSync(place.storageDir), false);
});

if (process.platform !== 'win32') {
  test('a host listens in the storage directory, and both sides stand where they should', async (t) => {
    const place = new Place(t);
    const address = await place.listen(place.host('host'));
    assert.equal(dirname(address), place.storageDir);
    assert.match(address, /\/host\.[0-9a-f]{8}\.sock$/);
    assert.equal(process.cwd(), place.storageDir);
    process.chdir(place.base);
    assert.equal(await place.ask(address), 'host hears hello');
    assert.equal(process.cwd(), place.storageDir);
  });

  test('the socket is for this user only, whatever the umask', async (t) => {
    const place = new Place(t);
    const mask = process.umask(0);
    try {
      const address = await place.listen(place.host('host'));
      assert.ok(lstatSync(address).isSocket());
      assert.equal(mode(address), 0o600);
    } finally {
      process.umask(mask);
    }
  });

  test('the path may be long, with blanks and letters of every script', async (t) => {
    const place = new Place(t);
    place.storageDir = place.folder(join(...Array.from({ length: 12 }, () => 'ein Ördner 日本 🗂️')));
    assert.ok(Buffer.byteLength(place.storageDir) > 300);
    const address = await place.listen(place.host('host'));
    assert.equal(dirname(address), place.storageDir);
    process.chdir(place.base);
    assert.equal(await place.ask(address), 'host hears hello');
    const second = await place.listen(place.host('second'));
    assert.equal(await place.ask(second), 'second hears hello');
    assert.equal(await place.ask(address), 'host hears hello');
  });

  test('a storage directory behind a link is used under its real path', async (t) => {
    const place = new Place(t);
    const real = place.storageDir;
    place.storageDir = join(place.base, 'link');
    symlinkSync(real, place.storageDir);
    const address = await place.listen(place.host('host'));
    assert.equal(dirname(address), real);
    assert.equal(await place.ask(address), 'host hears hello');
  });

  test('where a folder cannot be used the next one is: runtime, temp, home', async (t) => {
    const place = new Place(t);
    const { storageDir } = place;
    chmodSync(storageDir, 0o755);
    const home = place.folder('home', 0o755);
    const runtimeDir = place.folder('runtime');
    const tempDir = place.folder('temp', 0o777);
    const places = [
      [{ runtimeDir, tempDir }, join(runtimeDir, 'subconscious')],
      [{ tempDir }, join(tempDir, `subconscious-${uid}`)],
      [{}, join(home, '.subconscious-mcp', 'run')],
    ] as const;
    for (const [changes, expected] of places) {
      const system = { ...place.system, ...changes };
      // The second time the folder is there.
      for (const name of ['first', 'second']) {
        const address = await listenPrivately(place.host(name), { storageDir, home, system });
        assert.equal(dirname(address), expected);
        assert.equal(process.cwd(), storageDir);
        assert.deepEqual([mode(expected), mode(address)], [0o700, 0o600]);
        assert.equal(await place.ask(address), `${name} hears hello`);
        assert.equal(process.cwd(), expected);
      }
    }
    assert.equal(mode(home), 0o755);
  });

  test('a mount that knows no sockets is passed over', async (t) => {
    const place = new Place(t);
    const runtimeDir = place.folder('runtime');
    place.system = { ...place.system, runtimeDir, tempDir: place.folder('temp') };
    const passedOver = [place.storageDir, join(runtimeDir, 'subconscious')];
    const server = new PickyServer(passedOver);
    const address = await place.listen(place.host('host', server));
    assert.equal(dirname(address), join(place.base, 'temp', `subconscious-${uid}`));
    assert.deepEqual(server.seen, [...passedOver, dirname(address)]);
    assert.equal(await place.ask(address), 'host hears hello');
  });

  test('a folder that somebody else could have prepared is passed over and left alone', async (t) => {
    const place = new Place(t);
    chmodSync(place.storageDir, 0o750);
    const runtimeDir = place.folder('runtime');
    symlinkSync(place.folder('private'), join(runtimeDir, 'subconscious'));
    const tempDir = place.folder('temp');
    const open = place.folder(join('temp', `subconscious-${uid}`), 0o777);
    const home = place.folder('home');
    mkdirSync(join(home, '.subconscious-mcp'));
    writeFileSync(join(home, '.subconscious-mcp', 'run'), 'a file');
    place.system = { ...place.system, runtimeDir, tempDir };
    const message = await failure(place.listen(place.host('host'), home));
    assert.match(message, /store: it is open to other users \(mode 0750\)/);
    assert.match(message, /runtime\/subconscious: it is not a folder, or a link to one/);
    assert.match(message, /temp\/subconscious-\d+: it is open to other users \(mode 0777\)/);
    assert.match(message, /home\/\.subconscious-mcp\/run: it is not a folder/);
    assert.match(message, /--standalone/);
    assert.deepEqual(
      [readdirSync(join(place.base, 'private')), readdirSync(open), mode(open)],
      [[], [], 0o777],
    );
    assert.equal(process.cwd(), place.storageDir);
  });

  test('without a home, a runtime folder and a temporary folder there is nothing left to try', async (t) => {
    const place = new Place(t);
    chmodSync(place.storageDir, 0o755);
    place.system = { ...place.system, runtimeDir: '', tempDir: 'relative' };
    const one = await failure(place.listen(place.host('host')));
    assert.match(one, /\(\S+store: [^;]*\)\. Make/);
    const missing = join(place.base, 'no');
    place.system = { ...place.system, runtimeDir: missing, tempDir: missing };
    const message = await failure(place.listen(place.host('host'), missing));
    for (const tried of [
      'subconscious: ENOENT',
      `subconscious-${uid}: ENOENT`,
      '.subconscious-mcp/run: ENOENT',
    ]) {
      assert.ok(message.includes(`${missing}/${tried}`), message);
    }
    assert.deepEqual(readdirSync(place.base), ['store']);
    assert.deepEqual(readdirSync(place.storageDir), []);
  });

  test('folders of another user are passed over', async (t) => {
    const place = new Place(t);
    place.system = { ...place.system, uid: uid + 1 };
    const message = await failure(place.listen(place.host('host')));
    assert.ok(message.includes(`${place.storageDir}: it belongs to user ${uid}, not to ${uid + 1}`), message);
  });
}

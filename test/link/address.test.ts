import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { connectTo, directoryIdentity, removeSocket, removeStaleSockets } from '../../src/link/address.js';
import { thisSystem, type LinkSystem } from '../../src/link/linkSystem.js';
import { failure, PickyServer, Place } from './place.js';

const PIPE = `\\\\.\\pipe\\subconscious-${'0'.repeat(32)}`;
const windows: LinkSystem = { platform: 'win32', uid: null, runtimeDir: '', tempDir: '' };

test('on Windows host and front meet at a pipe with a random name, and no folder matters', async (t) => {
  const place = new Place(t);
  // Elsewhere the name of a pipe is that of a socket in the working directory.
  process.chdir(place.base);
  place.system = windows;
  place.storageDir = join(place.base, 'missing');
  const first = await place.listen(place.host('first'));
  const second = await place.listen(place.host('second'));
  for (const pipe of [first, second]) assert.match(pipe, /^\\\\\.\\pipe\\subconscious-[0-9a-f]{32}$/);
  assert.equal(await place.ask(first), 'first hears hello');
  assert.equal(await place.ask(second), 'second hears hello');
  assert.equal(process.cwd(), place.base);
  assert.equal(existsSync(place.storageDir), false);
  await removeSocket(first);
  assert.equal(await place.ask(first), 'first hears hello');
});

test('on Windows a pipe that cannot be opened is refused with the way out', async (t) => {
  const place = new Place(t);
  process.chdir(place.base);
  place.system = windows;
  const message = await failure(place.listen(new PickyServer([place.base])));
  assert.match(message, /operation not supported.*--standalone/);
});

test('only addresses that a host gives out are connected to', () => {
  for (const address of ['', '\\\\far\\pipe\\subconscious', `\\\\far${PIPE.slice(3)}`, 'C:\\a', `${PIPE}0`]) {
    assert.throws(() => connectTo(address, windows), /is no pipe of a Subconscious host/, address);
  }
  const posix: LinkSystem = { ...windows, platform: 'linux', uid: 0 };
  for (const address of [
    '',
    'host.0a1b2c3d.sock',
    '/',
    '/var/run/docker.sock',
    '/store/host.json',
    '80',
    PIPE,
  ]) {
    assert.throws(() => connectTo(address, posix), /is no socket of a Subconscious host/, address);
  }
});

test('a directory is told from a copy of it, not from itself under another name', (t) => {
  const { base, storageDir } = new Place(t);
  writeFileSync(join(storageDir, 'memory.db'), 'content');
  const identity = directoryIdentity(storageDir);
  assert.match(identity ?? '', /^\d+:\d+$/);
  assert.equal(directoryIdentity(join(storageDir, '..', 'store')), identity);
  cpSync(storageDir, join(base, 'copy'), { recursive: true });
  assert.notEqual(directoryIdentity(join(base, 'copy')), identity);
  assert.equal(directoryIdentity(join(base, 'missing')), null);
  assert.equal(directoryIdentity(join(storageDir, 'memory.db')), null);
  assert.equal(directoryIdentity(join(storageDir, 'memory.db', 'store')), null);
});

test('where the system does not tell, nothing is known of a directory', (t) => {
  const { base } = new Place(t);
  assert.equal(directoryIdentity(join(base, 'x'.repeat(100_000))), undefined);
});

test('stale sockets in the storage directory are removed, nothing else is', async (t) => {
  const { base, storageDir } = new Place(t);
  const others = ['host.json', 'host.log', 'memory.db', 'owner.1', 'my.sock'];
  for (const name of [...others, 'host.0a1b2c3d.sock', 'host.ffffffff.sock']) {
    writeFileSync(join(storageDir, name), '');
  }
  await removeStaleSockets(storageDir);
  assert.deepEqual(readdirSync(storageDir).sort(), others.sort());
  await removeStaleSockets(join(base, 'missing'));
  await removeSocket(join(storageDir, 'memory.db'));
  await removeSocket(join(storageDir, 'host.none.sock'));
  assert.deepEqual(readdirSync(storageDir).sort(), others.sort());
});

test('a stale socket that cannot be removed stops nothing', async (t) => {
  const { storageDir } = new Place(t);
  mkdirSync(join(storageDir, 'host.folder.sock'));
  await removeStaleSockets(storageDir);
  assert.deepEqual(readdirSync(storageDir), ['host.folder.sock']);
});

if (process.platform !== 'win32') {
  const uid = thisSystem.uid ?? 0;

  test('a front does not connect where the socket could be somebody else’s', async (t) => {
    const place = new Place(t);
    const address = await place.listen(place.host('host'));
    const refused = (path: string, system: LinkSystem, expected: RegExp) => {
      process.chdir(place.base);
      assert.throws(() => connectTo(path, system), expected);
      assert.equal(process.cwd(), place.base);
    };
    refused(address, { ...place.system, uid: uid + 1 }, /belongs to user \d+, not to \d+.*--standalone/);
    symlinkSync(place.storageDir, join(place.base, 'link'));
    refused(address.replace('/store/', '/link/'), place.system, /not a folder, or a link/);
    refused(address.replace('/store/', '/missing/'), place.system, /missing was not used: ENOENT/);
    for (const mode of [0o701, 0o710, 0o770]) {
      chmodSync(place.storageDir, mode);
      refused(address, place.system, /open to other users/);
    }
    chmodSync(place.storageDir, 0o700);
    assert.equal(await place.ask(address), 'host hears hello');
  });

  test('where nobody listens the socket says so', async (t) => {
    const place = new Place(t);
    const server = place.host('host');
    const address = await place.listen(server);
    // Under another name it is not found when its server closes, like that of a killed one.
    const stale = join(dirname(address), 'host.stale.sock');
    renameSync(address, stale);
    server.close();
    const connected = (path: string) => once(connectTo(path, place.system), 'connect');
    await assert.rejects(connected(address), { code: 'ENOENT' });
    await assert.rejects(connected(stale), { code: 'ECONNREFUSED' });
    assert.ok(lstatSync(stale).isSocket());
    await removeStaleSockets(place.storageDir);
    assert.equal(existsSync(stale), false);
  });

  test('a host that ends leaves no socket behind, wherever it listened', async (t) => {
    const place = new Place(t);
    place.system = { ...place.system, tempDir: place.folder('temp') };
    for (const mode of [0o700, 0o755]) {
      chmodSync(place.storageDir, mode);
      const server = place.host('host');
      const address = await place.listen(server);
      assert.ok(existsSync(address));
      server.close();
      await removeSocket(address);
      assert.equal(existsSync(address), false);
    }
  });
}

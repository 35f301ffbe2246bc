import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { StoreDirectory } from '../../src/storage/files.js';
import { openSqlStore } from '../../src/storage/sqlStore.js';
import { collect, entry, temporaryDirectory } from './builders.js';
import { faulty, systemError } from './faults.js';

const NOON = Date.parse('2026-05-04T12:00:00Z') / 1000;

/** Fails the first `times` renames. */
function busy(code: string, times: number) {
  let left = times;
  return faulty((call, _args, proceed) => {
    if (call === 'renameSync' && left > 0) {
      left -= 1;
      throw systemError(code);
    }
    return proceed();
  });
}

describe('store directory', () => {
  for (const code of ['EPERM', 'EBUSY', 'EACCES']) {
    it(`waits longer and longer on Windows while a file is held (${code})`, (t) => {
      const path = temporaryDirectory(t);
      const pauses: number[] = [];
      const directory = new StoreDirectory(path, busy(code, 3), 'win32', (ms) => pauses.push(ms));
      directory.prepare('memory.db', Buffer.from('content'));
      directory.publish('memory.db');
      assert.deepEqual(pauses, [10, 20, 40]);
      assert.equal(readFileSync(join(path, 'memory.db'), 'utf8'), 'content');
    });
  }

  it('gives up in the end, at once where waiting does not help', (t) => {
    const pauses: number[] = [];
    const attempt = (code: string, platform: NodeJS.Platform) => {
      const fs = busy(code, 100);
      const directory = new StoreDirectory(temporaryDirectory(t), fs, platform, (ms) => pauses.push(ms));
      directory.prepare('memory.db', Buffer.from('content'));
      assert.throws(() => directory.publish('memory.db'), { code });
      return pauses.splice(0).length;
    };
    assert.equal(attempt('EBUSY', 'win32'), 7);
    assert.equal(attempt('ENOSPC', 'win32'), 0);
    assert.equal(attempt('EPERM', 'linux'), 0);
  });

  it('syncs the directory everywhere but on Windows', (t) => {
    const path = temporaryDirectory(t);
    const synced: string[] = [];
    const fs = faulty((call, args, proceed) => {
      if (call === 'openSync') synced.push(String(args[0]));
      return proceed();
    });
    new StoreDirectory(path, fs, 'win32').sync();
    assert.deepEqual(synced, []);
    new StoreDirectory(path, fs, 'darwin').sync();
    assert.deepEqual(synced, [path]);
  });

  it('never writes through a temporary name that is a link to a file in use', (t) => {
    const path = temporaryDirectory(t);
    writeFileSync(join(path, 'memory.db'), 'in use');
    const directory = new StoreDirectory(path);
    directory.prepareKept('memory.db', 'memory.previous.db');
    directory.prepare('memory.previous.db', Buffer.from('other'));
    assert.equal(readFileSync(join(path, 'memory.db'), 'utf8'), 'in use');
  });

  it('leaves no temporary name when both names are the same file already', (t) => {
    const path = temporaryDirectory(t);
    writeFileSync(join(path, 'memory.db'), 'content');
    const directory = new StoreDirectory(path);
    for (let n = 0; n < 2; n += 1) {
      directory.prepareKept('memory.db', 'memory.previous.db');
      directory.publish('memory.previous.db');
    }
    assert.deepEqual(readdirSync(path).sort(), ['memory.db', 'memory.previous.db']);
  });

  it('gives files that are set aside in the same moment different names', (t) => {
    const path = temporaryDirectory(t);
    writeFileSync(join(path, 'memory.db'), 'content');
    const directory = new StoreDirectory(path);
    const aside = 'memory.db.damaged-2026-05-04T120000.000Z';
    assert.equal(directory.setAside('memory.db', NOON), aside);
    directory.prepare('memory.db', Buffer.from('other'));
    directory.publish('memory.db');
    assert.equal(directory.setAside('memory.db', NOON), `${aside}-2`);
    assert.equal(readdirSync(path).length, 3);
  });

  it('gives a file that was set aside already no second name', (t) => {
    const path = temporaryDirectory(t);
    writeFileSync(join(path, 'memory.db'), 'content');
    const directory = new StoreDirectory(path);
    const aside = directory.setAside('memory.db', NOON);
    assert.equal(directory.setAside('memory.db', NOON + 60), aside);
    assert.equal(readdirSync(path).length, 2);
  });

  it('copies where the file system has no links', async (t) => {
    const path = temporaryDirectory(t);
    const fs = faulty((call, _args, proceed) => {
      if (call === 'linkSync') throw systemError('ENOTSUP');
      return proceed();
    });
    const store = await openSqlStore(path, { fs, platform: 'win32' });
    for (const id of ['a', 'b', 'c']) {
      await store.insert(entry(id));
      await store.snapshot();
    }
    await store.insert(entry('d'));
    assert.equal(statSync(join(path, 'memory.previous.db')).nlink, 1);
    writeFileSync(join(path, 'memory.db'), 'damaged');
    const again = await openSqlStore(path, { fs });
    const ids = (await collect(again.all('model-a'))).map((row) => row.memory.id);
    assert.deepEqual(ids, ['a', 'b', 'c', 'd']);
  });
});

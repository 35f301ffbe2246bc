import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { connectClient } from '../../src/clients/connect.js';
import { ConnectPlace, theClient } from './connectPlace.js';

const cursor = theClient('cursor');
const HEX = '0123456789ab';
const DAY = 24 * 3600;

/** What a process leaves beside a file when it is killed while it changes it. */
function leave(place: ConnectPlace, file: string, name: string, age: number): string {
  const left = place.write('half', join(dirname(file), name));
  const then = Date.now() / 1000 - age;
  utimesSync(left, then, then);
  return left;
}

describe('what a process that was killed has left beside the file of a client', () => {
  it('is no obstacle, and is removed by the next change when it is older than a day', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.configure('cursor', '{}');
    const name = basename(file);
    const { pid } = spawnSync(process.execPath, ['--version']);
    const old = leave(place, file, `${name}.${pid}.${HEX}.tmp`, 2 * DAY);
    const lock = `${name}.subconscious.lock`;
    const aside = leave(place, file, `${lock}.11111111-2222-3333-4444-555555555555`, 2 * DAY);
    const young = leave(place, file, `${name}.${pid}.ba9876543210.tmp`, 3600);
    leave(place, file, lock, 0);
    place.write(`{"pid":${pid},"claim":"x"}`, join(dirname(file), lock));
    assert.equal((await connectClient(cursor, place.world())).changed, true);
    assert.deepEqual([old, aside, young].map(existsSync), [false, false, true]);
    assert.equal(existsSync(join(dirname(file), lock)), false);
  });

  it('is told from files of others by the whole name, and folders are left', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.configure('cursor', '{}');
    const name = basename(file);
    const others = [
      `${name}.tmp`,
      `${name}.1.${HEX}.tmp.txt`,
      `${name}.x.${HEX}.tmp`,
      `${name}.1.short.tmp`,
      `other.${name}.1.${HEX}.tmp`,
      `${name}x.1.${HEX}.tmp`,
      `${name}.bak.1`,
      `${name}.subconscious.lock.mine`,
    ];
    const left = others.map((other) => leave(place, file, other, 9 * DAY));
    const folder = join(dirname(file), `${name}.1.${HEX}.tmp`);
    mkdirSync(folder);
    utimesSync(folder, 1, 1);
    assert.equal((await connectClient(cursor, place.world())).changed, true);
    assert.deepEqual(
      [...left, folder].filter((path) => !existsSync(path)),
      [],
    );
  });
});

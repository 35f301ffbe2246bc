import assert from 'node:assert/strict';
import { mkdirSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { readRecord, removeRecord, writeRecord } from '../../src/clients/installRecord.js';
import { readSettings } from '../../src/clients/settingsFile.js';
import { Place } from './place.js';

const record = (written: string) => ({ written, original: Buffer.from('{}'), madeFolder: null });

test('what is remembered of a settings file stays until it is forgotten', async (t) => {
  const { home, records } = new Place(t);
  await writeRecord(home, '/a', record('1'));
  await writeRecord(home, '/b', record('2'));
  await writeRecord(home, '/a', record('3'));
  assert.equal(statSync(records).mode & 0o777, 0o600);
  let lasts = 0;
  const whenLast = () => Promise.resolve(void (lasts += 1));
  assert.deepEqual(await readRecord(home, '/a'), record('3'));
  await removeRecord(home, '/a', whenLast);
  assert.deepEqual([await readRecord(home, '/a'), lasts], [null, 0]);
  assert.deepEqual(await readRecord(home, '/b'), record('2'));
  await removeRecord(home, '/b', whenLast);
  assert.deepEqual([await readRecord(home, '/b'), lasts], [null, 1]);
});

test('nothing is lost that another process has written although it had no lock', async (t) => {
  const place = new Place(t);
  const { home, records } = place;
  mkdirSync(home);
  const other = new Place(t);
  await writeRecord(other.home, '/theirs', record('theirs'));
  let looks = 0;
  await writeRecord(home, '/ours', record('ours'), async (file) => {
    looks += 1;
    // After the look that the change is made from.
    if (looks === 2) place.write(other.text(other.records), records);
    return await readSettings(file);
  });
  assert.deepEqual(await readRecord(home, '/ours'), record('ours'));
  assert.deepEqual(await readRecord(home, '/theirs'), record('theirs'));
  assert.deepEqual(place.beside(records), ['installed-hooks.json']);
});

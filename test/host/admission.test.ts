import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import { admit } from '../../src/host/admission.js';

const root = mkdtempSync(join(tmpdir(), 'admission-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** Stands in for a disk on which no file can be created, as without free inodes. */
const noRoom = (): Promise<never> => {
  const cause = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  return Promise.reject(new MemoryError('storage', 'The disk is full.', { cause }));
};

test('a directory in use is refused, also where its disk has no room for anything new', async () => {
  const directory = mkdtempSync(join(root, 'used-'));
  const owner = await admit(directory, 'host');
  const refused = (error: unknown) => error instanceof MemoryError && error.reason === 'owned';
  await assert.rejects(admit(directory, 'host'), refused);
  await assert.rejects(admit(directory, 'host', noRoom), refused);
  await owner.release();
  await (await admit(directory, 'host')).release();
});

test('a directory that cannot be prepared for any other reason is refused with that reason', async () => {
  const directory = mkdtempSync(join(root, 'odd-'));
  const broken = () => Promise.reject(new MemoryError('storage', 'It is a file.'));
  await assert.rejects(admit(directory, 'host', broken), /It is a file/);
});

import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import { prepareDirectory } from '../../src/host/directory.js';
import { takeOwnership } from '../../src/host/ownership.js';
import { identifySelf } from '../../src/host/processIdentity.js';

const root = mkdtempSync(join(tmpdir(), 'directory-'));
after(() => rmSync(root, { recursive: true, force: true }));

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(root, 'case-'));
});

const mode = (path: string): number => statSync(path).mode & 0o777;

async function refusal(doing: Promise<unknown>): Promise<string> {
  const error: unknown = await doing.then(
    () => assert.fail('nothing was refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof MemoryError, String(error));
  assert.equal(error.reason, 'storage');
  return error.message;
}

function existing(bits: number, ...names: string[]): string {
  const path = join(base, 'store');
  mkdirSync(path);
  for (const name of names) writeFileSync(join(path, name), '');
  chmodSync(path, bits);
  return path;
}

test('a missing directory is created with its parents, and preparing it again changes nothing', async () => {
  const path = join(base, 'a', 'b');
  await prepareDirectory(path);
  await prepareDirectory(path);
  assert.deepEqual(readdirSync(path), []);
});

// Such folders answer like missing ones for ever; only Linux is known to have any.
if (process.platform === 'linux') {
  test(
    'a folder below one that takes no folders is refused, and not tried for ever',
    { timeout: 5000 },
    async () => {
      assert.ok((await refusal(prepareDirectory('/proc/none/store'))).includes('/proc/none/store'));
    },
  );
}

test('a file in its place, or in the path to it, is refused', async () => {
  const file = join(base, 'file');
  writeFileSync(file, '');
  assert.match(await refusal(prepareDirectory(file)), /file cannot be used: it is a file, not a folder/);
  assert.ok((await refusal(prepareDirectory(join(file, 'store')))).includes(join(file, 'store')));
});

if (process.platform !== 'win32') {
  const uid = process.geteuid?.() ?? 0;

  /** Root may do everything, so what is refused to a user is tried as one. */
  const asUser = async (paths: string[], act: () => Promise<void>): Promise<void> => {
    if (uid === 0) for (const path of [root, base, ...paths]) chownSync(path, 65_534, 65_534);
    if (uid === 0) process.seteuid?.(65_534);
    try {
      await act();
    } finally {
      if (uid === 0) process.seteuid?.(0);
    }
  };

  test('a new directory and its parents are for this user only', async () => {
    await prepareDirectory(join(base, 'a', 'b'));
    assert.deepEqual([mode(join(base, 'a')), mode(join(base, 'a', 'b'))], [0o700, 0o700]);
  });

  test('an empty directory, or one with nothing but known names, is closed to others', async () => {
    const known = [
      'memory.db',
      'memory.previous.db',
      'memory.db.damaged-20250101T000000',
      'changes.log',
      'owner.12',
      'host.json',
      'inbox',
      'echo_log_team.jsonl',
      'context.db-wal',
      'chroma.sqlite3',
      'e3b0c442-98fc-4c14-9afb-f4c8996fb924',
    ];
    for (const names of [[], known]) {
      const path = existing(0o755, ...names);
      await prepareDirectory(path);
      assert.equal(mode(path), 0o700);
      rmSync(path, { recursive: true });
    }
  });

  test('a store that others could read is closed to them, files included', async () => {
    const path = existing(0o755, 'memory.db', 'changes.log');
    for (const name of ['memory.db', 'changes.log']) chmodSync(join(path, name), 0o644);
    await prepareDirectory(path);
    assert.deepEqual(
      [mode(path), mode(join(path, 'memory.db')), mode(join(path, 'changes.log'))],
      [0o700, 0o600, 0o600],
    );
  });

  test('a directory with foreign content keeps its permissions', async () => {
    const path = existing(0o755, 'memory.db', 'thesis.tex');
    await prepareDirectory(path);
    assert.equal(mode(path), 0o755);
  });

  test('an empty home keeps its permissions, also when reached through a link', async () => {
    const home = existing(0o755);
    symlinkSync(home, join(base, 'link'));
    for (const path of [home, join(base, 'link')]) await prepareDirectory(path, { uid, home });
    assert.equal(mode(home), 0o755);
  });

  test('a directory of another user is refused and left alone', async () => {
    const path = existing(0o755);
    const message = await refusal(prepareDirectory(path, { uid: uid + 1, home: '/nowhere' }));
    assert.ok(message.includes(`belongs to user ${uid} and this process runs as user ${uid + 1}`), message);
    assert.equal(mode(path), 0o755);
  });

  test('a read-only directory is refused, and stays read-only', async () => {
    const path = existing(0o555);
    await asUser([path], async () => {
      assert.match(await refusal(prepareDirectory(path)), /permission denied/);
      assert.equal(mode(path), 0o500);
    });
  });

  test('ownership of a read-only directory is refused with the reason', async () => {
    const path = existing(0o500);
    await asUser([path], async () => {
      const message = await refusal(takeOwnership(path, await identifySelf()));
      assert.ok(message.includes(`${path} cannot be used: permission denied`), message);
    });
  });

  test('a directory that cannot be created is refused with the reason', async () => {
    const parent = existing(0o500);
    await asUser([parent], async () => {
      assert.match(await refusal(prepareDirectory(join(parent, 'store'))), /permission denied/);
    });
  });
}

test('many that prepare a directory with missing parents at once all find it ready', async () => {
  for (let round = 0; round < 20; round += 1) {
    const deep = join(root, `race-${round}`, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 8 }, () => prepareDirectory(deep)));
    assert.ok(statSync(deep).isDirectory());
  }
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import {
  newToken,
  readHostFile,
  removeHostFile,
  sameToken,
  writeHostFile,
  type HostRecord,
} from '../../src/link/hostFile.js';
import { thisSystem } from '../../src/link/linkSystem.js';

const root = mkdtempSync(join(tmpdir(), 'host-file-'));
after(() => rmSync(root, { recursive: true, force: true }));

let directory = '';
let path = '';
beforeEach(() => {
  directory = mkdtempSync(join(root, 'case-'));
  path = join(directory, 'host.json');
});

function record(changes: Partial<HostRecord> = {}): HostRecord {
  return {
    protocol: 1,
    pid: 4242,
    token: 'a'.repeat(64),
    address: '/store/host.0a1b2c3d.sock',
    version: '0.2.0',
    schema: 3,
    startedAt: 1_700_000_000,
    ...changes,
  };
}

/** A rename that fails `times` times, as on Windows while somebody reads the file. */
function busyRename(times: number, code: string) {
  const attempts = { left: times };
  return (from: string, to: string): Promise<void> => {
    if (attempts.left === 0) return rename(from, to);
    attempts.left -= 1;
    return Promise.reject(Object.assign(new Error('in use'), { code }));
  };
}

test('what was written is read, and a later record takes its place', async () => {
  assert.equal(await readHostFile(directory), null);
  await writeHostFile(directory, record());
  assert.deepEqual(await readHostFile(directory), record());
  await writeHostFile(directory, record({ pid: 4343, token: newToken() }));
  assert.equal((await readHostFile(directory))?.pid, 4343);
  assert.deepEqual(readdirSync(directory), ['host.json']);
});

test('what a newer version adds is passed over', async () => {
  writeFileSync(path, JSON.stringify({ ...record(), color: 'blue' }), { mode: 0o600 });
  assert.deepEqual(await readHostFile(directory), record());
});

test('a missing directory holds no record, and none can be written there', async () => {
  const missing = join(directory, 'missing');
  assert.equal(await readHostFile(missing), null);
  await removeHostFile(missing, 'x');
  await assert.rejects(writeHostFile(missing, record()), { code: 'ENOENT' });
  assert.equal(existsSync(missing), false);
});

test('what is no record is none', async () => {
  const wrong: object[] = [
    { protocol: '1' },
    { protocol: 1.5 },
    { pid: 0 },
    { pid: -1 },
    { pid: '4242' },
    { token: '' },
    { token: 5 },
    { address: '' },
    { address: null },
    { version: 1 },
    { schema: -1 },
    { startedAt: 'yesterday' },
  ];
  const contents = [
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '{}',
    ...wrong.map((change) => JSON.stringify({ ...record(), ...change })),
  ];
  for (const content of contents) {
    writeFileSync(path, content, { mode: 0o600 });
    assert.equal(await readHostFile(directory), null, content);
  }
});

test('a file far larger than a record is not read', async () => {
  await writeHostFile(directory, record());
  const text = readFileSync(path, 'utf8');
  const padded = (length: number) => writeFileSync(path, text.padEnd(length), { mode: 0o600 });
  padded(64 * 1024);
  assert.deepEqual(await readHostFile(directory), record());
  padded(64 * 1024 + 1);
  assert.equal(await readHostFile(directory), null);
  truncateSync(path, 8 * 1024 ** 3);
  assert.equal(await readHostFile(directory), null);
});

test('a folder in its place is no record, and cannot be replaced by one', async () => {
  mkdirSync(path);
  assert.equal(await readHostFile(directory), null);
  await assert.rejects(writeHostFile(directory, record()));
  assert.deepEqual(readdirSync(directory), ['host.json']);
});

test('drafts that killed hosts left are removed by the next, other files stay', async () => {
  const others = ['host.json.notes.tmp', 'host.log', 'memory.db'];
  for (const name of [...others, 'host.json.0011aabbccdd.tmp', 'host.json.ffffffffffff.tmp']) {
    writeFileSync(join(directory, name), '');
  }
  await writeHostFile(directory, record());
  assert.deepEqual(readdirSync(directory).sort(), [...others, 'host.json'].sort());
});

test('a file that is in use for a moment is replaced when it is free', async () => {
  for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
    await writeHostFile(directory, record({ version: code }), busyRename(3, code));
    assert.equal((await readHostFile(directory))?.version, code);
  }
});

test('one that stays in use, or another failure, is told, and no draft is left', async () => {
  await writeHostFile(directory, record());
  for (const [times, code] of [
    [1000, 'EBUSY'],
    [1, 'ENOSPC'],
  ] as const) {
    await assert.rejects(writeHostFile(directory, record({ pid: 1 }), busyRename(times, code)), { code });
    assert.deepEqual(readdirSync(directory), ['host.json']);
  }
  assert.deepEqual(await readHostFile(directory), record());
});

test('a draft is called so that it is known as a file of this product', async () => {
  const names: string[] = [];
  await writeHostFile(directory, record(), async (from, to) => {
    names.push(...readdirSync(directory));
    await rename(from, to);
  });
  assert.equal(names.length, 1);
  assert.match(names[0] ?? '', /^host\.(json|log)/);
});

test('only the host whose token it holds removes the record', async () => {
  const [mine, theirs] = [newToken(), newToken()];
  await writeHostFile(directory, record({ token: mine }));
  await removeHostFile(directory, theirs);
  assert.equal((await readHostFile(directory))?.token, mine);
  await removeHostFile(directory, mine);
  assert.deepEqual(readdirSync(directory), []);
  await removeHostFile(directory, mine);
});

test('tokens are long, different each time, and compared as a whole', () => {
  const [a, b] = [newToken(), newToken()];
  assert.match(a, /^[0-9a-f]{64}$/);
  assert.notEqual(a, b);
  assert.equal(sameToken(a, a), true);
  assert.equal(sameToken(a, b), false);
  assert.equal(sameToken(a, a.slice(1)), false);
  assert.equal(sameToken(a, `${a}0`), false);
  assert.equal(sameToken(a, ''), false);
  // As many characters, more bytes.
  assert.equal(sameToken('aa', 'aé'), false);
});

test('on Windows neither user nor mode count', async () => {
  await writeHostFile(directory, record());
  if (process.platform !== 'win32') chmodSync(path, 0o666);
  assert.deepEqual(await readHostFile(directory, { ...thisSystem, platform: 'win32', uid: null }), record());
});

if (process.platform !== 'win32') {
  test('the file is for this user only, whatever the umask', async () => {
    const mask = process.umask(0);
    try {
      await writeHostFile(directory, record());
    } finally {
      process.umask(mask);
    }
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  test('a file that others can write, or of another user, is not believed', async () => {
    await writeHostFile(directory, record());
    for (const [mode, expected] of [
      [0o620, null],
      [0o602, null],
      [0o644, record()],
    ] as const) {
      chmodSync(path, mode);
      assert.deepEqual(await readHostFile(directory), expected, mode.toString(8));
    }
    assert.equal(await readHostFile(directory, { ...thisSystem, uid: (thisSystem.uid ?? 0) + 1 }), null);
  });

  test('a pipe in its place is not waited for', async () => {
    execFileSync('mkfifo', ['-m', '600', path]);
    assert.equal(await readHostFile(directory), null);
    await writeHostFile(directory, record());
    assert.deepEqual(await readHostFile(directory), record());
  });

  test('a link is not followed, and replaced without touching what it leads to', async () => {
    const target = join(directory, 'elsewhere');
    writeFileSync(target, JSON.stringify(record()), { mode: 0o600 });
    symlinkSync(target, path);
    assert.equal(await readHostFile(directory), null);
    await writeHostFile(directory, record({ pid: 7 }));
    assert.equal((await readHostFile(directory))?.pid, 7);
    assert.deepEqual(JSON.parse(readFileSync(target, 'utf8')), record());
  });
}

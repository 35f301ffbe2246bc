import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { hostsOf } from './hosts.js';
import { refusedHandshake } from './refusals.js';

const KINDS: readonly [name: string, make: (path: string) => void][] = [
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  [
    'a file of 100 MB',
    (path) => {
      writeFileSync(path, '{');
      truncateSync(path, 100 * 1024 * 1024);
    },
  ],
  ['a folder', (path) => mkdirSync(path)],
];

describe('in the place of an owner file', { concurrency: true }, () => {
  for (const [name, make] of KINDS) {
    test(`${name} is named, leaves no process behind, and keeps nobody out once it is gone`, async (t) => {
      const box = new Sandbox(t, 'shared');
      const owner = join(box.folder('home', '.subconscious-mcp', 'data'), 'owner.1');
      make(owner);
      const front = await box.start({ env: WITHOUT_MODEL, initialize: false });
      const refusal = await refusedHandshake(front);
      assert.ok(refusal.includes(owner), refusal);
      await until('no host is left', () => hostsOf(box).length === 0);

      rmSync(owner, { recursive: true });
      await front.initialize();
      assert.equal((await front.call('remember', { task: 'mended', answer: 'x' })).stored, true);
    });
  }
});

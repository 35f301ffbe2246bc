import assert from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { Sandbox, SERVER, WITHOUT_MODEL } from '../server/sandbox.js';
import { hostsOf, killHost } from './hosts.js';
import { copyBundles } from './programs.js';
import { HANDSHAKE } from './refusals.js';
import { scale } from '../scale.js';

/** What is in the way of a host, by what it leads to. */
interface Obstacle {
  readonly name: string;
  /** The storage directory, where it is another one than usual. */
  storage?(box: Sandbox): string;
  /** @param host path of the bundle */
  put(host: string, box: Sandbox): void;
  readonly sentence: RegExp;
  remove(host: string, box: Sandbox): Promise<void> | void;
}

function mended(host: string): void {
  copyFileSync(join(dirname(SERVER), 'host.js'), host);
}

const OBSTACLES: readonly Obstacle[] = [
  {
    name: 'a bundle that is missing',
    put: (host) => renameSync(host, `${host}.away`),
    sentence: /host\.js is gone: .*Restart/,
    remove: (host) => renameSync(`${host}.away`, host),
  },
  {
    name: 'a bundle that throws',
    put: (host) => writeFileSync(host, "throw new Error('This bundle is broken.');"),
    sentence: /could not start\. .*This bundle is broken\./,
    remove: mended,
  },
  {
    name: 'a bundle that ends without a word',
    put: (host) => writeFileSync(host, ''),
    sentence: /came up within 10 seconds.*Try again/,
    remove: mended,
  },
  {
    name: 'a bundle that hangs',
    put: (host) => writeFileSync(host, 'setInterval(() => undefined, 1000);'),
    sentence: /came up within 10 seconds.*Try again/,
    remove: async (host, box) => {
      for (const pid of hostsOf(box)) await killHost(box, pid);
      mended(host);
    },
  },
  {
    name: 'a storage directory that cannot be made',
    storage: (box) => join(box.root, 'file', 'data'),
    put: (_, box) => writeFileSync(join(box.root, 'file'), 'in the way'),
    sentence: /file\/data cannot be used: a part of its path is a file\. Make it a folder/,
    remove: (_, box) => rmSync(join(box.root, 'file')),
  },
];

const WAITED_FOR = /hangs|without a word/;

describe('a front that cannot start a host', { concurrency: true }, () => {
  for (const obstacle of OBSTACLES) {
    if (WAITED_FOR.test(obstacle.name) && !scale.hangingHost) continue;
    test(`because of ${obstacle.name} says so to every request, and works once that is mended`, async (t) => {
      const box = new Sandbox(t, 'shared');
      const program = copyBundles(box);
      const host = join(dirname(program), 'host.js');
      obstacle.put(host, box);
      const env = { ...WITHOUT_MODEL, SUBCONSCIOUS_STORAGE_DIR: obstacle.storage?.(box) ?? box.storage };
      const front = await box.start({ env, program, initialize: false });
      const requests = [
        front.request('initialize', HANDSHAKE),
        front.request('tools/list'),
        front.request('tools/call', { name: 'stats', arguments: {} }),
      ];
      for (const { error } of await Promise.all(requests)) {
        assert.match(error?.message ?? '', obstacle.sentence);
        assert.match(error?.message ?? '', /--standalone/);
      }

      await obstacle.remove(host, box);
      await front.initialize();
      assert.equal((await front.call('remember', { task: 'mended', answer: 'x' })).stored, true);
      assert.deepEqual(front.unclaimed, []);
    });
  }
});

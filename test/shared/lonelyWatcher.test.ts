import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';
import { hostsOf, killHost, onlyHost, recordIn } from './hosts.js';
import { changeOwner, ownerIn } from './owners.js';
import { scale } from '../scale.js';
import { ENTRIES, Watcher } from './watcher.js';

const env = WITHOUT_MODEL;
/** A front that could not reach a host tries again within this time, unless it has failed often. */
const AGAIN_SECONDS = 10;

/** A client that has subscribed and asks for nothing any more. */
async function watcherIn(box: Sandbox): Promise<{ watcher: Watcher; front: number }> {
  const client = await box.connect({ env });
  const watcher = await Watcher.of(client, ENTRIES);
  const { transport } = client;
  assert.ok(transport instanceof StdioClientTransport && transport.pid !== null);
  return { watcher, front: transport.pid };
}

/** The watcher is told of what this client stores, once its front has come back and ever after. */
async function hearsAgain(watcher: Watcher, writer: ServerProcess): Promise<void> {
  watcher.told.length = 0;
  await writer.call('remember', { task: 'stored by another client', answer: 'x' });
  await watcher.hears([ENTRIES], AGAIN_SECONDS);
  await watcher.settled();
  await watcher.isTold([ENTRIES], () => writer.call('remember', { task: 'stored later', answer: 'x' }));
}

interface Holder {
  readonly name: string;
  /** Whether a host waits for it to leave. */
  readonly waited: boolean;
  /** Resolves to what lets the folder go. */
  readonly hold: (box: Sandbox) => Promise<() => Promise<unknown>>;
}

const HOLDERS: readonly Holder[] = [
  {
    name: 'a process of another machine',
    waited: false,
    hold: (box) => {
      const { owner } = ownerIn(box.storage);
      assert.ok(owner);
      changeOwner(box.storage, { machineId: 'f'.repeat(32), host: 'elsewhere' });
      const letGo = () => {
        changeOwner(box.storage, owner);
        return Promise.resolve();
      };
      return Promise.resolve(letGo);
    },
  },
  {
    name: 'a standalone server',
    waited: true,
    hold: async (box) => {
      const standalone = await box.start({ env: { ...env, SUBCONSCIOUS_STANDALONE: '1' } });
      await standalone.call('stats');
      return () => standalone.end();
    },
  },
];

describe('a client that has subscribed and asks for nothing', { concurrency: true }, () => {
  for (const holder of HOLDERS) {
    if (holder.waited && !scale.hangingHost) continue;
    test(`hears again when the folder was held by ${holder.name} for a while`, async (t) => {
      const box = new Sandbox(t, 'shared');
      const { watcher, front } = await watcherIn(box);
      process.kill(front, 'SIGSTOP');
      await killHost(box);
      const letGo = await holder.hold(box);
      process.kill(front, 'SIGCONT');
      await until('a host was started', () => hostsOf(box).length > 0);
      await until('it gave up', () => hostsOf(box).length === 0);
      await letGo();

      // The watcher's front is the one that starts the next host.
      await until('a host serves', () => hostsOf(box).length > 0);
      await hearsAgain(watcher, await box.start({ env }));
    });
  }

  test('does not bring a deleted folder back, and hears again once another client has', async (t) => {
    const box = new Sandbox(t, 'shared');
    const { watcher } = await watcherIn(box);
    rmSync(box.storage, { recursive: true });
    await until('the host is gone', () => hostsOf(box).length === 0);
    // The one wait that is meant: that nothing happens is not announced.
    await sleep(scale.deletedSeconds * 1000);
    assert.equal(existsSync(box.storage), false);
    assert.deepEqual(hostsOf(box), []);
    watcher.told.length = 0;
    const writer = await box.start({ env });
    await writer.call('remember', { task: 'stored in the new folder', answer: 'x' });
    await watcher.hears([ENTRIES], AGAIN_SECONDS);
    assert.deepEqual(await watcher.tasks(), ['stored in the new folder']);
  });

  if (scale.hangingHost) {
    test('hears again when the next host did not answer for longer than a front waits', async (t) => {
      const box = new Sandbox(t, 'shared');
      const { watcher, front } = await watcherIn(box);
      process.kill(front, 'SIGSTOP');
      await killHost(box);
      const writer = await box.start({ env });
      const host = await onlyHost(box);
      process.kill(host, 'SIGSTOP');
      process.kill(front, 'SIGCONT');
      // The one wait that is meant: a front that gives up says so to nobody who asks for nothing.
      await sleep(12_000);
      process.kill(host, 'SIGCONT');
      await hearsAgain(watcher, writer);
      assert.equal(recordIn(box.storage).pid, host);
    });
  }
});

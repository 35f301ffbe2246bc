import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import initSqlJs from 'sql.js';
import { treeOf } from '../front/processTree.js';
import { processesOf, Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { Exit, ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';
import { hostsOf, onlyHost } from './hosts.js';
import { ownerIn } from './owners.js';
import { HANDSHAKE } from './refusals.js';

const LIMIT_SECONDS = 2;
const SHORT_LIVED = { SUBCONSCIOUS_IDLE_SECONDS: '1' };

describe('the end of a front', { concurrency: true }, () => {
  const ends: [string, (front: ServerProcess) => Promise<Exit>][] = [
    ['stdin that ends', (front) => front.end()],
    ['SIGTERM', (front) => front.kill('SIGTERM')],
    ['SIGINT', (front) => front.kill('SIGINT')],
    ['SIGHUP', (front) => front.kill('SIGHUP')],
    [
      'a client that no longer reads',
      (front) => {
        front.child.stdout.destroy();
        front.write('{"jsonrpc":"2.0","id":"unread","method":"ping"}\n');
        return front.exited;
      },
    ],
  ];
  for (const [how, end] of ends) {
    test(`comes with ${how}, in order and in time, and is not the end of the host`, async (t) => {
      const box = new Sandbox(t, 'shared');
      const front = await box.start({ env: WITHOUT_MODEL });
      const host = await onlyHost(box);
      let exit: Exit | undefined;
      void end(front).then((how) => (exit = how));
      await until('the front is gone', () => exit !== undefined, LIMIT_SECONDS);
      assert.deepEqual(exit, { code: 0, signal: null });
      assert.deepEqual(processesOf(box.root), [host]);
    });
  }

  test('comes with the death of its parent, also where its stdin stays open', async (t) => {
    const box = new Sandbox(t, 'shared');
    const pipe = join(box.root, 'requests');
    // Opened for both directions a pipe never ends.
    const prefix = ['sh', '-c', 'mkfifo "$0" && { "$@" 0<>"$0" & wait; }', pipe];
    const client = await box.start({ env: WITHOUT_MODEL, prefix, initialize: false });
    await until('the pipe is there', () => existsSync(pipe));
    writeFileSync(
      pipe,
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: HANDSHAKE })}\n`,
    );
    await client.answerTo(1);
    const [, front = -1, ...more] = treeOf(client.pid);
    assert.deepEqual(more, []);
    client.child.kill('SIGKILL');
    const isGone = () => !processesOf(box.root).includes(front);
    await until('the front is gone', isGone, LIMIT_SECONDS).catch((error: unknown) => {
      // It holds the streams that the sandbox waits for.
      process.kill(front, 'SIGKILL');
      throw error;
    });
  });
});

test('a client that leaves while its front looks for a host is not waited with', async (t) => {
  const box = new Sandbox(t, 'shared');
  const owner = await box.start({ env: WITHOUT_MODEL, args: ['--standalone'] });
  await owner.call('stats');
  const front = await box.start({ env: WITHOUT_MODEL, initialize: false });
  front.write('{"jsonrpc":"2.0","id":"too late","method":"ping"}\n');
  await until('a host waits for the owner', () => hostsOf(box).length === 1);
  let exit: Exit | undefined;
  void front.end().then((how) => (exit = how));
  // Half of what the search would take.
  await until('the front is gone', () => exit !== undefined, 5);
  assert.deepEqual(exit, { code: 0, signal: null });
});

describe('the end of a host', { concurrency: true }, () => {
  test('comes when it is idle, with everything in memory.db and nothing left but what is stored', async (t) => {
    const box = new Sandbox(t, 'shared');
    const front = await box.start({ env: { ...WITHOUT_MODEL, ...SHORT_LIVED } });
    for (let at = 0; at < 3; at += 1) await front.call('remember', { task: `row ${at}`, answer: 'x' });
    await front.end();
    await until('the host is gone', () => processesOf(box.root).length === 0);

    const names = readdirSync(box.storage).sort();
    assert.deepEqual(
      names.filter((name) => !/^((changes|memory)(\.previous)?\.(log|db)|owner\.\d+|briefs)$/.test(name)),
      [],
    );
    assert.equal(ownerIn(box.storage).owner, null);
    assert.equal(await rowsIn(join(box.storage, 'memory.db')), 3);
  });

  test('takes the embedder along', async (t) => {
    const box = new Sandbox(t, 'shared');
    const front = await box.start({ env: SHORT_LIVED });
    await front.modelSettled();
    assert.equal((await front.call('stats')).model.state, 'ready');
    const running = processesOf(box.root);
    assert.equal(running.length, 3, 'front, host and embedder');
    await front.end();
    await until('host and embedder are gone', () => processesOf(box.root).length === 0);
  });
});

/** Memories in a database file, as any program sees them that can read SQLite. */
async function rowsIn(file: string): Promise<unknown> {
  const locateFile = () => createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');
  const sqlite = await initSqlJs({ locateFile });
  const [result] = new sqlite.Database(readFileSync(file)).exec('SELECT count(*) FROM memories');
  return result?.values[0]?.[0];
}

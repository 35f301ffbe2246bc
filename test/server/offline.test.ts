import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Sandbox } from './sandbox.js';

/** Loaded first into every Node process of the server: refuses the network and writes down who asked for it. */
function refuseNetwork(box: Sandbox): { env: Record<string, string>; attempts: string } {
  const attempts = join(box.root, 'attempts.txt');
  const script = join(box.root, 'refuse-network.cjs');
  writeFileSync(
    script,
    `const { appendFileSync } = require('node:fs');
    const refuse = (what) => function () {
      appendFileSync(${JSON.stringify(attempts)}, what + '\\n');
      throw new Error('no network: ' + what);
    };
    const net = require('node:net');
    net.Socket.prototype.connect = refuse('connect');
    net.Server.prototype.listen = refuse('listen');
    require('node:dgram').createSocket = refuse('dgram');
    const dns = require('node:dns');
    for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
      dns[name] = refuse(name);
      dns.promises[name] = refuse(name);
    }`,
  );
  return { env: { NODE_OPTIONS: `--require ${JSON.stringify(script)}` }, attempts };
}

test('the guard of this file notices an attempt', (t) => {
  const box = new Sandbox(t);
  const { env, attempts } = refuseNetwork(box);
  const script = "fetch('http://127.0.0.1:65000').catch(() => undefined)";
  spawnSync(process.execPath, ['-e', script], { env: box.environment(env) });
  assert.match(readFileSync(attempts, 'utf8'), /connect|lookup/);
});

test('from the first start on everything works without a network, and none is asked for', async (t) => {
  const box = new Sandbox(t);
  const { env, attempts } = refuseNetwork(box);
  // Where the system lets us, there is no network at all, not even for native code.
  const isolated = spawnSync('unshare', ['-n', 'true']).status === 0;
  const server = await box.start({ env, prefix: isolated ? ['unshare', '-n'] : [] });
  await server.modelSettled();
  const task = 'Export the invoices of last quarter as one spreadsheet';
  await server.call('remember', { task, answer: 'Use the finance export with quarter=last.' });
  const hit = await server.call('recall', {
    task: 'Export the invoices of the last quarter as a single spreadsheet',
  });
  assert.equal(hit.task_text, task);
  assert.equal((await server.call('stats')).model.state, 'ready');
  await server.end();
  assert.equal(existsSync(attempts), false);
});

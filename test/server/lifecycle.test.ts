import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { processesOf, Sandbox, SERVER, WITHOUT_MODEL } from './sandbox.js';
import type { Exit, ServerProcess } from './serverProcess.js';
import { until } from './until.js';

const LIMIT_SECONDS = 2;

/** Remembers a few rows with the real model, so that an embedder process is there to be left behind. */
async function busyServer(box: Sandbox): Promise<ServerProcess> {
  const server = await box.start();
  await server.modelSettled();
  for (let at = 0; at < 3; at += 1)
    await server.call('remember', { task: `row ${at} of the life cycle`, answer: 'x' });
  return server;
}

async function endsInTime(box: Sandbox, exited: Promise<Exit>): Promise<Exit> {
  let exit: Exit | undefined;
  void exited.then((how) => (exit = how));
  await until(
    'the server and its embedder are gone',
    () => exit !== undefined && processesOf(box.root).length === 0,
    LIMIT_SECONDS,
  );
  return exited;
}

async function everythingIsThere(box: Sandbox): Promise<void> {
  const next = await box.start({ env: WITHOUT_MODEL });
  const { total_entries, without_vector, health } = await next.call('stats');
  assert.equal(total_entries, 3);
  assert.equal(without_vector, 3, 'another vector space has no vectors yet');
  assert.deepEqual(
    health.map(({ code }) => code),
    ['no_model'],
  );
}

test('stdin that ends is the end of server and embedder, with everything on disk', async (t) => {
  const box = new Sandbox(t);
  const server = await busyServer(box);
  assert.deepEqual(await endsInTime(box, server.end()), { code: 0, signal: null });
  await everythingIsThere(box);
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal} is an orderly end`, async (t) => {
    const box = new Sandbox(t);
    const server = await busyServer(box);
    assert.deepEqual(await endsInTime(box, server.kill(signal)), { code: 0, signal: null });
    await everythingIsThere(box);
  });
}

test('a client that no longer reads is a client that is gone', async (t) => {
  const box = new Sandbox(t);
  const server = await busyServer(box);
  server.child.stdout.destroy();
  server.notify('notifications/nobody-listens');
  server.write('{"jsonrpc":"2.0","id":"unread","method":"ping"}\n');
  assert.deepEqual(await endsInTime(box, server.exited), { code: 0, signal: null });
  await everythingIsThere(box);
});

test('SIGTERM in the middle of many calls loses nothing that was acknowledged', async (t) => {
  const box = new Sandbox(t);
  const server = await box.start({ env: WITHOUT_MODEL });
  const acknowledged: string[] = [];
  const calls = Array.from({ length: 200 }, async (_, at) => {
    const { entry_id } = await server.call('remember', { task: `in flight ${at}`, answer: 'x' });
    acknowledged.push(entry_id ?? '');
    if (acknowledged.length === 20) void server.kill('SIGTERM');
  });
  await Promise.allSettled(calls);
  await endsInTime(box, server.exited);
  assert.ok(acknowledged.length >= 20);
  const next = await box.start({ env: WITHOUT_MODEL });
  for (const entry_id of acknowledged) await next.call('get', { entry_id });
});

test('a second signal while it ends changes nothing', async (t) => {
  const box = new Sandbox(t);
  const server = await busyServer(box);
  server.child.kill('SIGTERM');
  server.child.kill('SIGINT');
  assert.deepEqual(await endsInTime(box, server.exited), { code: 0, signal: null });
  await everythingIsThere(box);
});

test('a server whose client was killed is gone soon after', async (t) => {
  const box = new Sandbox(t);
  // A client in a process of its own, that starts a server, waits for its first answer, and reports its pid.
  const script = `
    const { spawn } = require('node:child_process');
    const server = spawn(process.execPath, [process.env.SERVER], { stdio: ['pipe', 'pipe', 'ignore'] });
    server.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\\n');
    server.stdout.once('data', () => process.stdout.write(String(server.pid)));
    setInterval(() => undefined, 1000);`;
  const client = spawn(process.execPath, ['-e', script], {
    env: box.environment({ SERVER }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => client.kill('SIGKILL'));
  const pid = Number(
    await new Promise<string>((resolve) => client.stdout.once('data', (data) => resolve(String(data)))),
  );
  assert.ok(isAlive(pid));
  client.kill('SIGKILL');
  await until('the server is gone', () => !isAlive(pid), LIMIT_SECONDS);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('thousands of calls under way do not put off the end, and what was acknowledged is there', async (t) => {
  const box = new Sandbox(t);
  const server = await box.start();
  await server.modelSettled();
  const requests = Array.from({ length: 3000 }, (_, n) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: `burst ${n}`,
      method: 'tools/call',
      params: { name: 'remember', arguments: { task: `task ${n} of the burst`, answer: 'x'.repeat(2000) } },
    }),
  );
  server.write(`${requests.join('\n')}\n`);
  await server.answerTo('burst 20');
  process.kill(server.pid, 'SIGTERM');
  await endsInTime(box, server.exited);
  const answered = server.unclaimed.filter(
    ({ id, result }) => String(id).startsWith('burst') && result !== undefined,
  );
  const next = await box.start({ env: WITHOUT_MODEL });
  assert.ok((await next.call('stats')).total_entries >= answered.length + 1);
});

test('a working directory that was deleted is no project, and no reason not to start', async (t) => {
  const box = new Sandbox(t);
  const prefix = ['sh', '-c', 'rmdir "$PWD" && exec "$@"', 'sh'];
  const server = await box.start({ env: WITHOUT_MODEL, cwd: box.folder('gone'), prefix });
  assert.equal((await server.call('stats')).project, 'global');
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import type { LaunchOptions } from '../../src/server/launch.js';
import { program } from '../program.js';

export const STAND_IN = join(import.meta.dirname, 'standInHost.mjs');
const STARTER = await program(join(import.meta.dirname, 'starter.ts'));

export const root = realpathSync(mkdtempSync(join(tmpdir(), 'launch-')));
/** Hosts that are told nothing more end with their connection. */
const calls: Socket[] = [];
const port = createServer((socket) => calls.push(socket)).listen(0, '127.0.0.1');
await once(port, 'listening');

after(() => {
  for (const socket of calls) socket.destroy();
  port.close();
  rmSync(root, { recursive: true, force: true });
});

/** What `standInHost.mjs` tells of itself. */
interface Facts {
  readonly pid: number;
  readonly cwd: string;
  readonly script: string;
  readonly words: readonly string[];
  readonly mode?: string;
}

interface RunningHost extends Facts {
  /** Resolves when the host has answered; rejects when it is gone. */
  readonly answers: () => Promise<void>;
}

/** A limit for what is waited for: nothing here takes so long. */
const inTime = () => ({ signal: AbortSignal.timeout(30_000) });

/** To launch `standInHost.mjs`, which may say something first and not serve then. */
export function optionsFor(
  does: { say?: string; then?: 'crash' | 'exit' } = {},
  script = STAND_IN,
): LaunchOptions {
  return { script, hostOptions: { port: (port.address() as AddressInfo).port, ...does } };
}

/** The next host that says who it is. Ask before it is launched. */
export async function nextHost(t: TestContext): Promise<RunningHost> {
  const [socket] = (await once(port, 'connection', inTime())) as [Socket];
  socket.on('error', () => undefined);
  t.after(() => socket.destroy());
  const gone = new AbortController();
  socket.on('close', () => gone.abort(new Error('the host is gone')));
  const hear = async () => String((await once(socket, 'data', { signal: gone.signal }))[0]);
  // One small write, and the only one before an answer.
  const facts = JSON.parse(await hear()) as Facts;
  return {
    ...facts,
    answers: async () => {
      socket.write('still there?');
      assert.equal(await hear(), 'still there?');
    },
  };
}

/** A process in a group of its own that starts a host when told so. */
export async function newStarter(t: TestContext, cwd = process.cwd()) {
  const args = [STARTER, JSON.stringify(optionsFor())];
  // The last pipe stands for anything a client leaves open.
  const child = spawn(process.execPath, args, {
    cwd,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  assert.ok(child.pid !== undefined && child.stdin && child.stdout);
  const { pid, stdin, stdout } = child;
  await once(stdout, 'data', inTime());
  return { pid, exited: once(child, 'exit', inTime()), tell: (order: string) => stdin.write(`${order}\n`) };
}

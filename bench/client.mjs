import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('../dist/server.js', import.meta.url));

/** Process id of the host of this folder, or 0. @param {string} folder */
export function hostOf(folder) {
  try {
    return Number(JSON.parse(readFileSync(`${folder}/data/host.json`, 'utf8')).pid);
  } catch {
    return 0;
  }
}

/** Ends the host of this folder, if there is one, and waits for its end. @param {string} folder */
export async function endHost(folder) {
  const pid = hostOf(folder);
  if (pid === 0) return;
  try {
    process.kill(pid, 'SIGTERM');
    for (;;) {
      process.kill(pid, 0);
      await sleep(10);
    }
  } catch {
    // Gone.
  }
}

/**
 * A raw client: as little as can be between the clock and the server.
 * @param {string} folder
 * @param {'shared' | 'standalone'} mode
 * @param {string} project folder that is worked in; where it is not `folder`, what is stored belongs to it
 */
export function startServer(folder, mode = 'shared', project = folder) {
  const child = spawn(process.execPath, [SERVER], {
    cwd: project,
    env: {
      ...process.env,
      HOME: folder,
      SUBCONSCIOUS_STORAGE_DIR: `${folder}/data`,
      SUBCONSCIOUS_NAMESPACE: project === folder ? 'bench' : '',
      CLAUDE_PROJECT_DIR: project,
      SUBCONSCIOUS_STANDALONE: mode === 'standalone' ? '1' : '0',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  /** @type {Map<number, (message: any) => void>} */
  const waiting = new Map();
  let lastId = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  /** @param {string} method @param {object} params */
  const request = (method, params = {}) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, (message) =>
        message.error ? reject(new Error(message.error.message)) : resolve(message.result),
      );
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })}\n`);
    });
  return {
    pid: child.pid ?? 0,
    request,
    async initialize() {
      await request('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'bench', version: '1' },
      });
      child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    },
    /** @param {string} name @param {object} args */
    async call(name, args) {
      const result = await request('tools/call', { name, arguments: args });
      if (result.isError) throw new Error(result.content[0].text);
      return result.structuredContent;
    },
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

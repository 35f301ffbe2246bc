import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('../dist/server.js', import.meta.url));

/** A raw client: as little as can be between the clock and the server. @param {string} folder */
export function startServer(folder) {
  const child = spawn(process.execPath, [SERVER], {
    cwd: folder,
    env: {
      ...process.env,
      HOME: folder,
      SUBCONSCIOUS_STORAGE_DIR: `${folder}/data`,
      SUBCONSCIOUS_NAMESPACE: 'bench',
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

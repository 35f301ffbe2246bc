import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

export const serverFile = fileURLToPath(new URL('../dist/server.js', import.meta.url));

/** The tool ran and said no; the message is the tool's own. */
export class ToolError extends Error {}

/** A place of its own for one run: an empty home, an empty store, a project folder. */
export async function createPlace() {
  const root = await mkdtemp(join(tmpdir(), 'subconscious-try-'));
  const home = join(root, 'home');
  const project = join(root, 'project');
  const store = join(root, 'store');
  /** Ends the process that clients share, as a crash would; without one it does nothing. */
  const killHost = async () => {
    const record = await readFile(join(store, 'host.json'), 'utf8').catch(() => null);
    if (record === null) return;
    try {
      process.kill(JSON.parse(record).pid, 'SIGKILL');
    } catch {
      // It has just left by itself.
    }
  };
  await Promise.all([mkdir(home), mkdir(project)]);
  return {
    /** How the transport starts the server: nothing of the user's settings reaches it. */
    server: {
      command: process.execPath,
      args: [serverFile],
      cwd: project,
      env: {
        HOME: home,
        USERPROFILE: home,
        APPDATA: home,
        LOCALAPPDATA: home,
        SUBCONSCIOUS_STORAGE_DIR: store,
      },
    },
    killHost,
    async remove() {
      await killHost();
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/**
 * Starts the built server and connects to it the way an editor does.
 * @param {Awaited<ReturnType<typeof createPlace>>} place
 */
export async function connect(place) {
  const transport = new StdioClientTransport({ ...place.server, stderr: 'pipe' });
  let log = '';
  /** @type {Promise<void> | undefined} */
  let closing;
  transport.stderr?.on('data', (chunk) => {
    log = (log + String(chunk)).slice(-4000);
  });
  const client = new Client({ name: 'subconscious-try', version: '1.0.0' });
  try {
    await client.connect(transport);
  } catch (error) {
    await client.close();
    throw new Error(`the server did not start: ${/** @type {Error} */ (error).message}\n${log}`, {
      cause: error,
    });
  }
  return {
    client,
    /** What the server wrote to stderr, its last 4,000 characters. */
    log: () => log,
    /**
     * @param {string} name
     * @param {Record<string, unknown>} [args]
     * @returns {Promise<Record<string, any>>}
     */
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: args });
      if (result.isError) throw new ToolError(result.content?.[0]?.text ?? `${name} failed without a reason`);
      return result.structuredContent ?? JSON.parse(result.content[0].text);
    },
    /** Every caller waits until the server has ended: until then it writes into its place. */
    close: () => (closing ??= client.close()),
  };
}

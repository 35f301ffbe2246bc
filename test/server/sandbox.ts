import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { built } from '../builtProgram.js';
import { ServerProcess } from './serverProcess.js';
import { until } from './until.js';

export const SERVER = built('server.js');

/** Environment of a server that shall not spend time on a model: identical text hits, nothing else does. */
export const WITHOUT_MODEL = { SUBCONSCIOUS_EMBEDDING_MODEL: 'not-installed' };

/** A test's context, or `{ after }` of node:test for a sandbox that all tests of a file share. */
export interface Owner {
  after(cleanUp: () => Promise<void>): void;
}

export interface StartOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Folder the client works in. Default: the sandbox's project. */
  readonly cwd?: string;
  /** The server's bundle. Default: the built one. */
  readonly program?: string;
  /** Words in front of the command, e.g. a shell that sets a limit and executes it. */
  readonly prefix?: readonly string[];
  readonly uid?: number;
  /** false: the handshake is left to the test. */
  readonly initialize?: boolean;
}

/** `shared`: as a client starts it, behind a front; `standalone`: engine and server in one process. */
export type Mode = 'standalone' | 'shared';

/** A home, a store and a project folder of their own, and the servers that were started over them. */
export class Sandbox {
  /** Of a sandbox that is not told its mode: a file that imports a suite runs it in another one. */
  static usualMode: Mode = 'standalone';

  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'subconscious-test-')));
  readonly home = this.folder('home');
  readonly project = this.folder('project');
  readonly storage = join(this.home, '.subconscious-mcp', 'data');
  private readonly servers: ServerProcess[] = [];
  private readonly clients: { client: Client; faults: Error[] }[] = [];

  constructor(
    owner: Owner,
    private readonly mode: Mode = Sandbox.usualMode,
  ) {
    owner.after(() => this.dispose());
  }

  /** Makes a folder below the root. */
  folder(...path: readonly string[]): string {
    const folder = join(this.root, ...path);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** Writes `~/.subconscious-mcp/config.json`: an object as JSON, a string as it is. */
  configure(content: object | string): string {
    const file = join(this.folder('home', '.subconscious-mcp'), 'config.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  }

  /** Starts a server that is spoken to line by line; unless told otherwise, past the handshake. */
  async start(options: StartOptions = {}): Promise<ServerProcess> {
    const { args = [], cwd = this.project, program = SERVER, prefix = [], uid } = options;
    const server = new ServerProcess([...prefix, process.execPath, program, ...args], {
      cwd,
      env: this.environment(options.env),
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    this.servers.push(server);
    if (options.initialize !== false) await server.initialize();
    return server;
  }

  /** Starts a server under the SDK's own client, which checks every result against the tool's output schema. */
  async connect(options: Pick<StartOptions, 'env' | 'cwd'> = {}): Promise<Client> {
    // Most tests do without it, and it takes as long to load as all the rest.
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
    const client = new Client({ name: 'subconscious-test', version: '1.0.0' });
    const connection = { client, faults: [] as Error[] };
    client.onerror = (error) => connection.faults.push(error);
    this.clients.push(connection);
    const { env, cwd = this.project } = options;
    const launch = { command: process.execPath, args: [SERVER], cwd, env: this.environment(env) };
    await client.connect(new StdioClientTransport({ ...launch, stderr: 'pipe' }));
    await client.listTools();
    return client;
  }

  /** What a server gets to see: nothing of the settings of whoever runs the tests. */
  environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    const passed = ['PATH', 'SystemRoot', 'TEMP', 'TMP'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    const mode = this.mode === 'standalone' ? { SUBCONSCIOUS_STANDALONE: '1' } : {};
    return { ...Object.fromEntries(passed), HOME: this.home, USERPROFILE: this.home, ...mode, ...extra };
  }

  /** Ends what runs, and fails where something stayed behind or a server wrote anything but protocol. */
  private async dispose(): Promise<void> {
    for (const { client } of this.clients) await client.close();
    for (const server of this.servers) await server.kill();
    const shared = () => processesOf(this.root).filter(isShared);
    await until(`nothing of ${this.root} runs but what is shared`, () =>
      processesOf(this.root).every(isShared),
    );
    for (const pid of shared()) signal(pid, 'SIGCONT');
    for (const pid of shared()) signal(pid, 'SIGTERM');
    await until(`all processes of ${this.root} are gone`, () => processesOf(this.root).length === 0);
    await rm(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    for (const server of this.servers) assert.deepEqual(server.strayOutput, []);
    for (const { faults } of this.clients) assert.deepEqual(faults, []);
  }
}

/** A host, or the embedder of one: it stays for the next client. */
function isShared(pid: number): boolean {
  try {
    return /dist\/(host|embedder)\.js/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return true; // Gone meanwhile.
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone meanwhile.
  }
}

function processIds(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((id) => id > 0);
}

/** Processes that no test of this file started: to look at them again and again takes long. */
const OLDER = new Set(processIds());

/**
 * Ids of live processes whose environment names the folder, children of children included. Known on Linux
 * only; elsewhere the tests of a server's end still see the embedder go.
 */
export function processesOf(root: string): number[] {
  return processIds().filter((id) => {
    if (OLDER.has(id)) return false;
    try {
      return readFileSync(`/proc/${id}/environ`, 'latin1').includes(root);
    } catch {
      return false; // Gone meanwhile, or somebody else's.
    }
  });
}

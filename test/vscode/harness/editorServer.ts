import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { editorFiles } from './places.js';
import { kill } from './processes.js';
import { until } from './waiting.js';
import type { WorkbenchPlace } from './workbenchPlace.js';

const executeFile = promisify(execFile);

export interface EditorServer {
  readonly process: ChildProcess;
  /** host:port */
  readonly address: string;
}

const common = ({ profile, extensions }: WorkbenchPlace) => [
  editorFiles().server,
  '--accept-server-license-terms',
  '--server-data-dir',
  profile,
  '--extensions-dir',
  extensions,
];

/** Installs .vsix files as `code --install-extension` does, also while the server runs. */
export async function installExtensions(place: WorkbenchPlace, files: readonly string[]): Promise<void> {
  const wanted = files.flatMap((file) => ['--install-extension', file]);
  const { stdout, stderr } = await executeFile(editorFiles().node, [...common(place), ...wanted, '--force'], {
    env: place.env,
    timeout: 90_000,
  });
  const installed = stdout.match(/was successfully installed/g) ?? [];
  if (installed.length !== files.length) throw new Error(`not all were installed:\n${stdout}${stderr}`);
}

/** Starts the server on a free port. `trusted: false`: its folders are restricted until somebody trusts them. */
export async function startServer(place: WorkbenchPlace, trusted: boolean): Promise<EditorServer> {
  const log = join(place.profile, 'server.log');
  const output = openSync(log, 'w');
  const server = spawn(
    editorFiles().node,
    [
      ...common(place),
      ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--disable-telemetry'],
      ...['--reconnection-grace-time', '1'],
      ...(trusted ? ['--disable-workspace-trust'] : []),
    ],
    { env: place.env, detached: true, stdio: ['ignore', output, output] },
  );
  closeSync(output);
  const port = await until(
    `the editor's server says its port (${log})`,
    () => /agent listening on (\d+)/.exec(readFileSync(log, 'utf8'))?.[1],
    30,
  );
  return { process: server, address: `127.0.0.1:${port}` };
}

/** Ends the server and its extension hosts as a logout would. */
export function endServer(server: EditorServer): void {
  if (server.process.pid !== undefined) kill(-server.process.pid, 'SIGTERM');
}

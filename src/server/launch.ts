import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { HOST_OPTIONS } from '../link/hostOptions.js';

export interface LaunchOptions {
  /** Absolute path of the host's bundle. */
  readonly script: string;
  /** Handed to the host as JSON, in an environment variable. */
  readonly hostOptions: object;
}

/** A host that was started. It keeps its stderr open while it serves, and writes to it only why it gives up. */
export interface Launch {
  /**
   * The last words of a host that gave up, at most 2,000 characters; '' where it left without any. A sentence
   * where no process could be started. Never rejects, and stays pending for a host that serves.
   */
  readonly gaveUp: Promise<string>;
  /** Lets go of the host's stderr: from then on neither process keeps the other one alive, and nothing is heard. */
  release(): void;
}

export interface LaunchSystem {
  readonly platform: NodeJS.Platform;
  /** The program that runs this process, and the host too. */
  readonly execPath: string;
  /** Whether that program is an editor that is a Node only when told so. */
  readonly electron: boolean;
  readonly env: NodeJS.ProcessEnv;
  exists(path: string): boolean;
  spawn(program: string, args: readonly string[], options: SpawnOptions): ChildProcess;
}

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly options?: SpawnOptions;
}

const MAX_WORDS = 2_000;
/** What is kept of a text until it is known what it is: a stack trace has its message in front. */
const MAX_HEARD = 16_384;

/** Of the starter alone: they attach its debugger, load its modules, or name a channel the host does not have. */
const NOT_INHERITED = new Set([
  'NODE_OPTIONS',
  'VSCODE_INSPECTOR_OPTIONS',
  'NODE_CHANNEL_FD',
  'NODE_CHANNEL_SERIALIZATION_MODE',
]);

/**
 * Starts a host that outlives this process: editors end a server together with its process tree, group and
 * terminal. So a shell starts it and exits at once, and the host is no descendant of this process. Where there
 * is no shell it is a child, in a session of its own. Throws nothing, `gaveUp` tells.
 */
export function launchHost(options: LaunchOptions, system: LaunchSystem = thisSystem): Launch {
  const { script } = options;
  const common: SpawnOptions = {
    // The starter's folder may be gone already.
    cwd: (system.platform === 'win32' ? win32 : posix).dirname(script),
    env: environment(options, system),
    stdio: ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
  };
  let child: ChildProcess | undefined;
  let released = false;
  const letGo = () => child?.stderr?.destroy();
  // Async for its rejection: some failures to start are thrown, others are events.
  const start = async ({ program, args, options: own }: Command): Promise<string> => {
    child = system.spawn(program, args, { ...common, ...own });
    child.unref();
    if (released) letGo();
    return lastWords(child);
  };
  const direct = { program: system.execPath, args: [script], options: { detached: true } };
  const missing = [system.execPath, script].find((path) => !system.exists(path));
  const gaveUp =
    missing === undefined
      ? start(throughShell(script, system))
          .catch(() => start(direct))
          .catch(notStarted)
      : Promise.resolve(
          `${missing} is gone: Subconscious, or the program that runs it, was updated or removed. ` +
            'Restart the MCP client.',
        );
  return {
    gaveUp,
    release() {
      released = true;
      letGo();
    },
  };
}

/** A command that starts the host and exits at once. No path is read as shell text. */
function throughShell(script: string, system: LaunchSystem): Command {
  if (system.platform === 'win32') {
    return {
      // By its full path: a cmd.exe in some working directory is not the system's.
      program: win32.join(system.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'cmd.exe'),
      // Values of variables are not expanded again, and in quotes nothing in them is an operator.
      args: ['/d', '/v:off', '/s', '/c', '"start "" /b "%SUBCONSCIOUS_NODE%" "%SUBCONSCIOUS_SCRIPT%""'],
      // Not detached: without a console of its own, hidden, the host would be given a visible one.
      options: { windowsVerbatimArguments: true },
    };
  }
  return {
    program: '/bin/sh',
    args: ['-c', '"$0" "$@" </dev/null >/dev/null &', system.execPath, script],
    options: { detached: true },
  };
}

function environment({ script, hostOptions }: LaunchOptions, system: LaunchSystem): NodeJS.ProcessEnv {
  const inherited = Object.entries(system.env).filter(([name]) => !NOT_INHERITED.has(name.toUpperCase()));
  return {
    ...Object.fromEntries(inherited),
    ...(system.electron && { ELECTRON_RUN_AS_NODE: '1' }),
    ...(system.platform === 'win32' && { SUBCONSCIOUS_NODE: system.execPath, SUBCONSCIOUS_SCRIPT: script }),
    [HOST_OPTIONS]: JSON.stringify(hostOptions),
  };
}

/** What was written until every process on the other end was gone. Rejects where none could be started. */
function lastWords(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = '';
    child.on('error', reject);
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (heard = (heard + text).slice(-MAX_HEARD)))
      .on('end', () => resolve(inShort(heard).slice(-MAX_WORDS).toWellFormed()))
      // Not a failure to start: nothing is known then, as of a host that serves.
      .on('error', () => undefined);
  });
}

/** Of a stack trace the line of the message and the first place that is not in Node itself, else the text. */
function inShort(text: string): string {
  const trimmed = text.trim();
  const lines = trimmed.split(/\r?\n/);
  const isPlace = (line: string) => line.startsWith('    at ');
  // Before the message Node shows the line that threw, and a blank one.
  const before = lines.slice(0, Math.max(0, lines.findIndex(isPlace)));
  const message = before[before.lastIndexOf('') + 1];
  if (message === undefined) return trimmed;
  const places = lines.filter(isPlace);
  const place = places.find((line) => !line.includes('node:')) ?? places[0] ?? '';
  return `${message} (${place.trim()})`;
}

function notStarted(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return (
    `This system did not start the process of the memory host (${reason}). ` +
    'It may be out of memory, processes or open files: end some programs and try again.'
  );
}

export const thisSystem: LaunchSystem = {
  platform: process.platform,
  execPath: process.execPath,
  electron: process.versions['electron'] !== undefined,
  env: process.env,
  exists: existsSync,
  spawn,
};

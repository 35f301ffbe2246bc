import { quoteForSh } from './hookCommand.js';
import { HOOK_LAUNCHER, pathsOf, type Launcher } from './launcherPath.js';

/** What the launcher starts, as absolute paths. */
export interface Program {
  /** The Node that runs it, which may be an editor. */
  readonly node: string;
  /** A bundle of an installation: a launcher starts its own, which lies beside it. */
  readonly script: string;
  /** Of the product the script belongs to; empty in a launcher that does not tell. */
  readonly version: string;
}

/** What is written on a platform: on Windows one for Git Bash as well where that starts it, without a detour over cmd. */
export function launcherFiles(
  program: Program,
  platform: NodeJS.Platform,
  launcher = HOOK_LAUNCHER,
): { readonly name: string; readonly text: string }[] {
  const started = withBundle(program, platform, launcher);
  const { name, forGitBash } = launcher;
  if (platform !== 'win32') return [{ name, text: shLauncher(started, launcher) }];
  return [
    ...(forGitBash ? [{ name, text: shLauncher(withSlashes(started), launcher) }] : []),
    { name: `${name}.cmd`, text: cmdLauncher(started, launcher) },
  ];
}

/** What a launcher's text starts; null where it is none of ours. */
export function programIn(text: string): Program | null {
  const [node, script] = ['node', 'script'].map((name) => {
    const forSh = new RegExp(`^${name}='((?:[^']|'\\\\'')*)'$`, 'm').exec(text)?.[1];
    const forBatch = new RegExp(`^set "${name}=(.*)"\\r?$`, 'm').exec(text)?.[1];
    return forSh?.replaceAll("'\\''", "'") ?? forBatch?.replaceAll('%%', '%');
  });
  const version = /^(?:#|rem) Version (\S+)\r?$/m.exec(text)?.[1] ?? '';
  return node === undefined || script === undefined ? null : { node, script, version };
}

/** For POSIX shells, Git Bash among them. */
function shLauncher({ node, script, version }: Program, { about, saysWhatIsGone }: Launcher): string {
  const orElse = (message: string) => (saysWhatIsGone ? `fail "${message}"` : 'exit 0');
  return [
    '#!/bin/sh',
    `# ${about}`,
    `# Version ${version}`,
    `script=${quoteForSh(script)}`,
    `node=${quoteForSh(node)}`,
    ...(saysWhatIsGone ? ['fail() { printf \'%s\\n\' "$1" >&2; exit 1; }'] : []),
    `[ -f "$script" ] || ${orElse(scriptIsGone('$script'))}`,
    `[ -x "$node" ] || node=$(command -v node) || ${orElse(nodeIsGone('the Node it knew'))}`,
    "# An empty entry of the PATH is the working directory, and its node is anybody's.",
    `case $node in /*|[A-Za-z]:*) ;; *) ${orElse(nodeIsGone('the Node it knew'))} ;; esac`,
    '# The program may be an editor, which is a Node only when told so.',
    'ELECTRON_RUN_AS_NODE=1',
    'export ELECTRON_RUN_AS_NODE',
    'exec "$node" "$script" "$@"',
    '',
  ].join('\n');
}

/** For cmd. In the PATH alone: `node` by itself could be one in the working directory. */
function cmdLauncher({ node, script, version }: Program, { about, saysWhatIsGone }: Launcher): string {
  const paths = [`set "script=${inBatch(script)}"`, `set "node=${inBatch(node)}"`];
  const isAscii = /^[\x20-\x7E]*$/.test(node + script);
  const orElse = (label: string) => (saysWhatIsGone ? `goto ${label}` : 'exit /b 0');
  // A path outside of quotes, or in a block, could end the command.
  const saying = (label: string, message: string) =>
    saysWhatIsGone ? [`:${label}`, `>&2 echo ${message}`, 'exit /b 1'] : [];
  return [
    '@echo off',
    `rem ${about}`,
    `rem Version ${version}`,
    'setlocal DisableDelayedExpansion',
    ...(isAscii ? paths : readAsUtf8(paths)),
    `if not exist "%script%" ${orElse('noscript')}`,
    'if not exist "%node%" for %%N in (node.exe) do set "node=%%~$PATH:N"',
    `if not defined node ${orElse('nonode')}`,
    'set ELECTRON_RUN_AS_NODE=1',
    '"%node%" "%script%" %*',
    // What else stands here would run.
    ...(saysWhatIsGone ? ['exit /b %errorlevel%'] : []),
    ...saying('noscript', scriptIsGone('"%script%"')),
    ...saying('nonode', nodeIsGone('the Node it knew')),
    '',
  ].join('\r\n');
}

/** Without a character that a shell or cmd takes for more than itself. */
function scriptIsGone(script: string): string {
  return (
    `Subconscious cannot start: its program ${script} is gone. Install it again and run subconscious-mcp connect, ` +
    'or open an editor with its extension. Then restart this server.'
  );
}

function nodeIsGone(node: string): string {
  return (
    `Subconscious cannot start: ${node} is gone, and there is none in the PATH. Install Node.js 20 or newer and run ` +
    'subconscious-mcp connect, or open an editor with its extension. Then restart this server.'
  );
}

/**
 * cmd reads each line in the code page of that moment, which belongs to the console, and the client has the same one:
 * it gets its own back at once. `chcp` says it behind a colon, in some languages with a full stop.
 */
function readAsUtf8(lines: readonly string[]): string[] {
  return [
    'set "page="',
    'for /f "tokens=2 delims=:." %%P in (\'chcp\') do set "page=%%P"',
    'chcp 65001 >nul',
    ...lines,
    'if defined page chcp %page% >nul',
  ];
}

function inBatch(path: string): string {
  return path.replaceAll('%', '%%');
}

/** Only the last name is replaced: a path is written as it was given. */
function withBundle(program: Program, platform: NodeJS.Platform, { bundle }: Launcher): Program {
  const { script } = program;
  const name = pathsOf(platform).basename(script);
  return { ...program, script: script.slice(0, script.length - name.length) + bundle };
}

function withSlashes({ node, script, version }: Program): Program {
  return { node: node.replaceAll('\\', '/'), script: script.replaceAll('\\', '/'), version };
}

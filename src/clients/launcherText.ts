import { quoteForSh } from './hookCommand.js';
import { LAUNCHER_NAME } from './launcherPath.js';

/** What the launcher starts, as absolute paths. */
export interface HookProgram {
  /** The Node that runs it, which may be an editor. */
  readonly node: string;
  readonly script: string;
  /** Of the product the script belongs to; empty in a launcher that does not tell. */
  readonly version: string;
}

/** What is written on a platform: on Windows one for Git Bash as well, which needs no detour over cmd. */
export function launcherFiles(
  program: HookProgram,
  platform: NodeJS.Platform,
): { readonly name: string; readonly text: string }[] {
  if (platform !== 'win32') return [{ name: LAUNCHER_NAME, text: shLauncher(program) }];
  return [
    { name: LAUNCHER_NAME, text: shLauncher(withSlashes(program)) },
    { name: `${LAUNCHER_NAME}.cmd`, text: cmdLauncher(program) },
  ];
}

/** What a launcher's text starts; null where it is none of ours. */
export function programIn(text: string): HookProgram | null {
  const [node, script] = ['node', 'script'].map((name) => {
    const forSh = new RegExp(`^${name}='((?:[^']|'\\\\'')*)'$`, 'm').exec(text)?.[1];
    const forBatch = new RegExp(`^set "${name}=(.*)"\\r?$`, 'm').exec(text)?.[1];
    return forSh?.replaceAll("'\\''", "'") ?? forBatch?.replaceAll('%%', '%');
  });
  const version = /^(?:#|rem) Version (\S+)\r?$/m.exec(text)?.[1] ?? '';
  return node === undefined || script === undefined ? null : { node, script, version };
}

/** For POSIX shells, Git Bash among them. */
function shLauncher({ node, script, version }: HookProgram): string {
  return [
    '#!/bin/sh',
    '# Starts the capture hooks of Subconscious. Written by install-hooks and by newer versions.',
    `# Version ${version}`,
    `script=${quoteForSh(script)}`,
    `node=${quoteForSh(node)}`,
    '[ -f "$script" ] || exit 0',
    '[ -x "$node" ] || node=$(command -v node) || exit 0',
    '# The program may be an editor, which is a Node only when told so.',
    'ELECTRON_RUN_AS_NODE=1',
    'export ELECTRON_RUN_AS_NODE',
    'exec "$node" "$script" "$@"',
    '',
  ].join('\n');
}

/** For Windows without Git Bash. In the PATH alone: `node` by itself could be one in the working directory. */
function cmdLauncher({ node, script, version }: HookProgram): string {
  const paths = [`set "script=${inBatch(script)}"`, `set "node=${inBatch(node)}"`];
  const isAscii = /^[\x20-\x7E]*$/.test(node + script);
  return [
    '@echo off',
    'rem Starts the capture hooks of Subconscious. Written by install-hooks and by newer versions.',
    `rem Version ${version}`,
    'setlocal DisableDelayedExpansion',
    ...(isAscii ? paths : readAsUtf8(paths)),
    'if not exist "%script%" exit /b 0',
    'if not exist "%node%" for %%N in (node.exe) do set "node=%%~$PATH:N"',
    'if not defined node exit /b 0',
    'set ELECTRON_RUN_AS_NODE=1',
    '"%node%" "%script%" %*',
    '',
  ].join('\r\n');
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

function withSlashes({ node, script, version }: HookProgram): HookProgram {
  return { node: node.replaceAll('\\', '/'), script: script.replaceAll('\\', '/'), version };
}

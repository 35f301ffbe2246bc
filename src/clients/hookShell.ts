import { statSync } from 'node:fs';
import { win32 } from 'node:path';

/** What runs a hook's command; `sh` is Git Bash on Windows. */
export type HookShell = 'sh' | 'powershell' | 'cmd';

export interface ShellSystem {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  isFile(path: string): boolean;
}

/**
 * The shell Claude Code runs hooks with: on Windows Git Bash where it is found, else PowerShell
 * (https://docs.claude.com/en/docs/claude-code/setup).
 */
export function hookShell(system: ShellSystem = thisSystem): HookShell {
  if (system.platform !== 'win32') return 'sh';
  if (gitBashPlaces(system).some((path) => system.isFile(path))) return 'sh';
  return powerShellPlaces(system).some((path) => system.isFile(path)) ? 'powershell' : 'cmd';
}

function gitBashPlaces(system: ShellSystem): string[] {
  const said = valueOf(system, 'CLAUDE_CODE_GIT_BASH_PATH');
  const roots = [
    ...[valueOf(system, 'ProgramFiles'), valueOf(system, 'ProgramFiles(x86)')].map((folder) =>
      folder === '' ? '' : win32.join(folder, 'Git'),
    ),
    // Beside the folder that is on the PATH, which is `cmd` or `bin`.
    ...searchPath(system)
      .filter((folder) => system.isFile(win32.join(folder, 'git.exe')))
      .map((folder) => win32.dirname(folder)),
  ];
  return [
    said,
    ...roots.filter((root) => root !== '').map((root) => win32.join(root, 'bin', 'bash.exe')),
  ].filter((path) => path !== '');
}

function powerShellPlaces(system: ShellSystem): string[] {
  const windows = valueOf(system, 'SystemRoot') || 'C:\\Windows';
  return [
    win32.join(windows, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
    ...searchPath(system).map((folder) => win32.join(folder, 'pwsh.exe')),
  ];
}

function searchPath(system: ShellSystem): string[] {
  return valueOf(system, 'PATH')
    .split(';')
    .filter((folder) => win32.isAbsolute(folder));
}

function valueOf({ env }: ShellSystem, name: string): string {
  return env[name]?.trim() ?? '';
}

const thisSystem: ShellSystem = {
  platform: process.platform,
  env: process.env,
  isFile: (path) => {
    try {
      return statSync(path).isFile();
    } catch {
      return false; // Absent or forbidden: the client cannot use it either.
    }
  },
};

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const NODE_VERSION = '24.21.0';
export const CODE_SERVER_VERSION = '4.139.1';

export const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

/** Where the editor is installed once for all runs. */
export const HOME = process.env['SUBCONSCIOUS_E2E_HOME'] ?? join(tmpdir(), 'subconscious-vscode-e2e');

/** One version of the editor, complete or not there at all. */
export const INSTALLATION = join(HOME, `node-${NODE_VERSION}-code-server-${CODE_SERVER_VERSION}`);

/** Where screenshots of a run are written. */
export const SHOTS = process.env['SUBCONSCIOUS_E2E_SHOTS'] ?? join(tmpdir(), 'subconscious-vscode-shots');

/** npm has Node itself as a package of each platform, with the headers that native modules are built against. */
export const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

export interface EditorFiles {
  /** Folder with Node's `bin` and `include`. */
  readonly nodeFolder: string;
  readonly node: string;
  /** VS Code's own folder inside code-server. */
  readonly vscode: string;
  readonly server: string;
}

/** The parts of an installation below `root`. */
export function editorFiles(root = INSTALLATION): EditorFiles {
  const nodeFolder = join(root, 'node', 'node_modules', NODE_PACKAGE);
  const vscode = join(root, 'code-server', 'node_modules', 'code-server', 'lib', 'vscode');
  return {
    nodeFolder,
    node: join(nodeFolder, 'bin', 'node'),
    vscode,
    server: join(vscode, 'out', 'server-main.js'),
  };
}

/** Full path of the first of these programs that PATH knows. */
export function findProgram(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file));
}

export const findBrowser = () => findProgram('chromium', 'chromium-browser', 'google-chrome');

// Installs what the tests in real VS Code need, once: a Node for the editor's server, code-server, a browser.
// It takes nothing but the npm registry and Debian's mirrors. `npx tsx test/vscode/install.ts` runs it alone.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CODE_SERVER_VERSION,
  HOME,
  INSTALLATION,
  NODE_PACKAGE,
  NODE_VERSION,
  editorFiles,
  findBrowser,
  findProgram,
} from './harness/places.js';

const LOG = join(HOME, 'install.log');

/** Installs what is missing. Throws with the last lines of the log when something cannot be had. */
export function install(): void {
  if (process.platform !== 'linux') throw new Error('The tests in real VS Code run on Linux only.');
  mkdirSync(HOME, { recursive: true });
  const missing = missingDebianPackages();
  if (missing.length > 0) installDebianPackages(missing);
  if (!existsSync(INSTALLATION)) installEditor();
}

function missingDebianPackages(): string[] {
  const missing = findBrowser() === undefined ? ['chromium'] : [];
  // The editor writes its log files through a native module.
  const builders = { python3: 'python3', make: 'make', 'g++': 'g++' };
  if (existsSync(INSTALLATION)) return missing;
  return [...missing, ...Object.keys(builders).filter((name) => findProgram(name) === undefined)];
}

function installDebianPackages(names: readonly string[]): void {
  if (process.getuid?.() !== 0 || findProgram('apt-get') === undefined) {
    throw new Error(
      `Not found: ${names.join(', ')}. Install them, e.g. sudo apt-get install ${names.join(' ')}`,
    );
  }
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  execute('apt-get', ['update', '-qq'], HOME, env);
  execute('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], HOME, env);
}

/** In a folder of its own that gets its name at the end: an interrupted installation is never taken for one. */
function installEditor(): void {
  const draft = `${INSTALLATION}.${process.pid}`;
  try {
    npmInstall(join(draft, 'node'), `${NODE_PACKAGE}@${NODE_VERSION}`);
    const { node, nodeFolder, vscode } = editorFiles(draft);
    const env = { PATH: `${join(node, '..')}${delimiter}${process.env['PATH'] ?? ''}` };
    npmInstall(join(draft, 'code-server'), `code-server@${CODE_SERVER_VERSION}`);
    // code-server's own script does these steps as well, and compiles what only its password needs.
    execute('npm', ['install', '--omit=dev', ...QUIETLY], vscode, env);
    execute('npm', ['install', '--omit=dev', ...QUIETLY], join(vscode, 'extensions'), env);
    const native = ['rebuild', '@vscode/spdlog', '--ignore-scripts=false', `--nodedir=${nodeFolder}`];
    execute('npm', native, vscode, env);
    renameSync(draft, INSTALLATION);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const QUIETLY = ['--ignore-scripts', '--no-audit', '--no-fund'];

function npmInstall(folder: string, specifier: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  execute('npm', ['install', ...QUIETLY, specifier], folder);
}

function execute(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): void {
  const command = [program, ...args].join(' ');
  console.log(`installing: ${command}`);
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 300_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  appendFileSync(LOG, `$ ${command}\n${stdout}${stderr}\n`);
  if (status === 0) return;
  const end = readFileSync(LOG, 'utf8').trimEnd().split('\n').slice(-20).join('\n');
  throw new Error(
    `Failed (${error?.message ?? `exit code ${String(status)}`}): ${command}\n${end}\nSee ${LOG}`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) install();

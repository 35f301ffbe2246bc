import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BRIDGE_VARIABLE } from './bridge/messages.js';
import { placeBridge } from './bundle.js';
import { killProcessesWith, removeFolder, RUN, RUN_VARIABLE, WORKBENCH_VARIABLE } from './processes.js';
import { QUIET, THEMES, type Settings, type Theme } from './settings.js';

export interface WorkbenchOptions {
  /** Extensions to install. */
  readonly vsix?: readonly string[];
  /** Added to those of a quiet workbench. */
  readonly settings?: Settings;
  /** Default: dark. */
  readonly theme?: Theme;
  /** false: the folder is restricted. Default: true. */
  readonly trusted?: boolean;
  /** Of the server, the extension hosts and all they start. undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The user's home. Default: an empty one, removed at the end. */
  readonly home?: string;
  /** What the windows have open. Default: an empty folder, removed at the end; null: none. */
  readonly folder?: string | null;
}

/** The folders and the environment of one workbench. */
export interface WorkbenchPlace {
  readonly id: string;
  /** Everything below it is removed at the end. */
  readonly root: string;
  readonly profile: string;
  readonly extensions: string;
  readonly home: string;
  readonly folder: string | undefined;
  readonly bridge: string;
  readonly env: Record<string, string>;
}

export function makePlace(options: WorkbenchOptions): WorkbenchPlace {
  const id = randomUUID();
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'subconscious-vscode-')));
  const own = (name: string) => {
    mkdirSync(join(root, name));
    return join(root, name);
  };
  const home = options.home ?? own('home');
  const bridge = join(root, 'bridge.sock');
  const place = {
    id,
    root,
    profile: own('profile'),
    extensions: own('extensions'),
    home,
    folder: options.folder === null ? undefined : (options.folder ?? own('folder')),
    bridge,
    env: environment({
      HOME: home,
      ...options.env,
      [BRIDGE_VARIABLE]: bridge,
      [RUN_VARIABLE]: RUN,
      [WORKBENCH_VARIABLE]: id,
    }),
  };
  writeSettings(place.profile, options);
  placeBridge(place.extensions);
  return place;
}

/** What the tests were started with, without what an editor, npm or this project would read from it. */
function environment(added: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE|ELECTRON|SUBCONSCIOUS|XDG|NODE|npm)_/.test(name),
  );
  return Object.fromEntries(
    [...inherited, ...Object.entries(added)].filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}

function writeSettings(profile: string, { settings = {}, theme = 'dark' }: WorkbenchOptions): void {
  const folder = join(profile, 'data', 'User');
  mkdirSync(folder, { recursive: true });
  const all = { ...QUIET, 'workbench.colorTheme': THEMES[theme].name, ...settings };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(all, undefined, 2));
}

/** Ends every process of the workbench at once and removes its folders. */
export function clearPlace({ id, root }: WorkbenchPlace): void {
  killProcessesWith(WORKBENCH_VARIABLE, id);
  removeFolder(root);
}

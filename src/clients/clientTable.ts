import { isGone } from '../link/existence.js';
import { pathsOf } from './launcherPath.js';
import { claudeFolder } from './claudeFolder.js';
import { programOnPath } from './programOnPath.js';
import type { ClientWorld } from './world.js';

export type ClientId = 'claude-code' | 'claude-code-project' | 'claude-desktop' | 'cursor' | 'vscode';
/** What tells where files are. */
export type Places = Pick<ClientWorld, 'home' | 'platform' | 'env' | 'folder'>;

/** A program that starts servers, and how its configuration names them. */
export interface Client {
  readonly id: ClientId;
  readonly name: string;
  /** The property that holds the servers by name. */
  readonly servers: 'mcpServers' | 'servers';
  /** Whether an entry says that it is started and spoken to over stdio. */
  readonly hasType: boolean;
  /** Absolute path of the configuration file. */
  readonly file: (places: Places) => string;
  /** Files and folders that only an installed client leaves, and its program. */
  readonly marks: (places: Places) => readonly string[];
  readonly program: string | null;
  /** When what was written there is used. */
  readonly afterwards: string;
}

const CLAUDE_CODE = {
  servers: 'mcpServers',
  hasType: true,
  marks: (places: Places) => [claudeFolder(places), claudeFile(places)],
  program: 'claude',
} as const;

/** https://docs.claude.com/en/docs/claude-code/mcp, https://modelcontextprotocol.io/quickstart/user and so on. */
export const CLIENTS: readonly Client[] = [
  {
    ...CLAUDE_CODE,
    id: 'claude-code',
    name: 'Claude Code',
    file: claudeFile,
    afterwards: 'Sessions of Claude Code that start from now on use it, in every project.',
  },
  {
    ...CLAUDE_CODE,
    id: 'claude-code-project',
    name: 'Claude Code in this project',
    file: ({ folder, platform }) => pathsOf(platform).join(folder, '.mcp.json'),
    afterwards: 'Claude Code asks once whether the servers of this project may be started.',
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    servers: 'mcpServers',
    hasType: false,
    file: (places) =>
      pathsOf(places.platform).join(applicationFolder(places), 'Claude', 'claude_desktop_config.json'),
    marks: (places) => [
      pathsOf(places.platform).join(applicationFolder(places), 'Claude'),
      ...(places.platform === 'darwin' ? ['/Applications/Claude.app'] : []),
    ],
    program: null,
    afterwards: 'Quit Claude Desktop and start it again to use it.',
  },
  {
    id: 'cursor',
    name: 'Cursor',
    servers: 'mcpServers',
    hasType: true,
    file: ({ home, platform }) => pathsOf(platform).join(home, '.cursor', 'mcp.json'),
    marks: ({ home, platform }) => [pathsOf(platform).join(home, '.cursor')],
    program: 'cursor',
    afterwards: 'Cursor offers it under Settings, MCP; switch it on there if it is off.',
  },
  {
    id: 'vscode',
    name: 'VS Code',
    servers: 'servers',
    hasType: true,
    file: (places) => pathsOf(places.platform).join(applicationFolder(places), 'Code', 'User', 'mcp.json'),
    marks: (places) => [pathsOf(places.platform).join(applicationFolder(places), 'Code', 'User')],
    program: 'code',
    afterwards: 'VS Code asks once whether this server may be started.',
  },
];

/** null where there is no such client. */
export function clientOf(id: string): Client | null {
  return CLIENTS.find((client) => client.id === id) ?? null;
}

export function isInstalled({ marks, program }: Client, places: Places): boolean {
  return (
    (program !== null && programOnPath(program, places) !== null) ||
    marks(places).some((path) => !isGone(path))
  );
}

/** Claude Code's own file: beside its folder, or in it where the environment names one. */
function claudeFile({ home, platform, env }: Places): string {
  const paths = pathsOf(platform);
  const said = env['CLAUDE_CONFIG_DIR']?.trim() ?? '';
  return paths.join(said === '' ? home : paths.resolve(said), '.claude.json');
}

/** Where programs with a window keep what is the user's. */
function applicationFolder({ home, platform, env }: Places): string {
  const paths = pathsOf(platform);
  // Relative ones count as none.
  const said = (name: string) => (paths.isAbsolute(env[name] ?? '') ? env[name] : undefined);
  switch (platform) {
    case 'win32':
      return said('APPDATA') ?? paths.join(home, 'AppData', 'Roaming');
    case 'darwin':
      return paths.join(home, 'Library', 'Application Support');
    default:
      return said('XDG_CONFIG_HOME') ?? paths.join(home, '.config');
  }
}

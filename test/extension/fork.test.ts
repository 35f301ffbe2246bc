import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PALETTE_COMMANDS, VIEW_COMMANDS } from '../../src/extension/contributions.js';

const BUNDLE = fileURLToPath(new URL('../../dist/extension.js', import.meta.url));

const SOURCES = fileURLToPath(new URL('../../src/extension/', import.meta.url));
/** What of the interface the sources name. */
const USED = [
  ...new Set(
    readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...readFileSync(join(SOURCES, file), 'utf8').matchAll(/\bvscode\.([A-Za-z]\w*)/g)])
      .map(([, name = '']) => name),
  ),
];

/** A stand-in for an editor's interface: anything can be called, and `said` overrides what matters. */
function editorStub(said: Readonly<Record<string, unknown>>): unknown {
  const anything = (path: string): unknown =>
    new Proxy(function stub() {}, {
      get: (_target, name) => {
        const full = `${path}.${String(name)}`;
        if (full in said) return said[full];
        return name === Symbol.toPrimitive ? () => '' : anything(full);
      },
      apply: () => anything(path),
      construct: () => anything(path) as object,
    });
  return Object.fromEntries(USED.map((name) => [name, name in said ? said[name] : anything(name)]));
}

async function activateWith(said: Readonly<Record<string, unknown>>) {
  const commands: string[] = [];
  const views: string[] = [];
  const servers: string[] = [];
  const vscode = editorStub({
    'commands.registerCommand': (id: string) => commands.push(id),
    'window.createTreeView': (id: string) => {
      views.push(id);
      return {};
    },
    'lm.registerMcpServerDefinitionProvider': (id: string) => {
      servers.push(id);
      return { dispose: () => undefined };
    },
    McpStdioServerDefinition: Object,
    'workspace.workspaceFolders': undefined,
    ...said,
  });
  const loader = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown };
  const load = loader._load;
  loader._load = (request, ...rest) => (request === 'vscode' ? vscode : load(request, ...rest));
  try {
    const require = createRequire(import.meta.url);
    Reflect.deleteProperty(require.cache, BUNDLE);
    const { activate } = require(BUNDLE) as { activate: (context: object) => void };
    activate({
      subscriptions: [],
      extensionPath: '/nowhere',
      workspaceState: { get: (_key: string, fallback: unknown) => fallback, update: () => Promise.resolve() },
    });
  } finally {
    loader._load = load;
  }
  await Promise.resolve();
  return { commands, views, servers };
}

describe('the extension', () => {
  const names = [...PALETTE_COMMANDS, ...VIEW_COMMANDS].map((name) => `subconscious.${name}`).sort();

  it('registers exactly the commands it contributes, and offers its server', async () => {
    const { commands, servers } = await activateWith({});
    assert.deepEqual(commands.sort(), names);
    assert.deepEqual(servers, ['subconscious.server']);
  });

  for (const [editor, said] of [
    ['no interface for models', { lm: undefined }],
    [
      'no interface for MCP servers',
      { 'lm.registerMcpServerDefinitionProvider': undefined, McpStdioServerDefinition: undefined },
    ],
  ] as const) {
    it(`has its views and commands in an editor with ${editor}`, async () => {
      const { commands, views, servers } = await activateWith(said);
      assert.deepEqual(commands.sort(), names);
      assert.deepEqual(views, ['subconscious.memories', 'subconscious.inbox', 'subconscious.drift']);
      assert.deepEqual(servers, []);
    });
  }
});

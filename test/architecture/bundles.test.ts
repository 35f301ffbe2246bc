import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from './folders.js';

interface Output {
  readonly bytes: number;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports: readonly { readonly path: string; readonly external?: boolean }[];
}

const meta = JSON.parse(readFileSync(join(ROOT, 'dist', 'meta.json'), 'utf8')) as {
  outputs: Record<string, Output>;
};

function bundle(name: string): Output {
  const output = meta.outputs[`dist/${name}.js`];
  assert.ok(output, `dist/${name}.js is built`);
  return output;
}

const inputs = (name: string, part: string) =>
  Object.keys(bundle(name).inputs).filter((file) => file.includes(part));

const STORE = ['node_modules/sql.js', 'src/storage/'];
const MODEL = ['@xenova/transformers', 'onnxruntime', 'src/embedding/'];
const SDK = ['@modelcontextprotocol/sdk'];

const forbidden: Record<string, readonly string[]> = {
  server: [
    ...STORE,
    ...MODEL,
    ...SDK,
    'node_modules/zod',
    'src/core/',
    'src/search/',
    'src/tools/',
    'src/host/',
  ],
  standalone: ['@xenova/transformers/src/models', 'node_modules/onnxruntime', 'src/server/'],
  host: ['@xenova/transformers/src/models', 'node_modules/onnxruntime', 'src/server/'],
  embedder: [
    ...STORE,
    ...SDK,
    'src/core/engine',
    'src/tools/',
    'node_modules/sharp',
    '@xenova/transformers/src/models',
  ],
  hook: [
    ...STORE,
    ...MODEL,
    ...SDK,
    'node_modules/zod',
    'src/search/',
    'src/tools/',
    'src/host/',
    'src/link/',
    'src/server/',
    'src/clients/',
    'src/cli/',
  ],
  cli: [...STORE, ...MODEL, 'src/host/', 'src/server/'],
  nativeRuntime: [...STORE, ...SDK, 'src/core/', '@xenova/transformers', 'onnxruntime-web'],
  wasmRuntime: [...STORE, ...SDK, 'src/core/', '@xenova/transformers', 'onnxruntime-node'],
  extension: [...STORE, ...MODEL, ...SDK, 'src/host/', 'src/server/', 'src/tools/', 'src/core/engine'],
  mcp: [...STORE, ...MODEL, 'src/core/', 'src/search/', 'src/host/', 'src/server/', 'src/extension/'],
  uninstall: [...STORE, ...MODEL, ...SDK, 'src/core/', 'src/host/', 'src/server/', 'src/cli/', 'src/mcp/'],
};

/** What is not in a bundle and not in Node. Each runtime is a bundle of its own, read when it is used. */
const RUNTIMES = ['./nativeRuntime.js', './wasmRuntime.js'];
const loaded: Record<string, readonly string[]> = {
  standalone: RUNTIMES,
  host: RUNTIMES,
  embedder: RUNTIMES,
  extension: ['vscode'],
};

describe('the bundles', () => {
  it('are those whose contents are looked at here, and no other', () => {
    const built = Object.keys(meta.outputs).map((path) => path.replace(/^dist\/(.*)\.js$/, '$1'));
    assert.deepEqual(built.sort(), Object.keys(forbidden).sort());
  });

  for (const [name, parts] of Object.entries(forbidden)) {
    for (const part of parts) {
      it(`${name}.js holds nothing of ${part}`, () => assert.deepEqual(inputs(name, part), []));
    }
    it(`${name}.js leaves only ${['Node', ...(loaded[name] ?? [])].join(', ')} to be loaded`, () => {
      const left = bundle(name)
        .imports.filter((entry) => entry.external)
        .map((entry) => entry.path)
        .filter((path) => !isBuiltin(path));
      assert.deepEqual([...new Set(left)].sort(), loaded[name] ?? []);
    });
  }

  it('are small where every client starts one', () => {
    assert.ok(bundle('server').bytes < 100_000, `server.js has ${bundle('server').bytes} bytes`);
  });

  it('are small where the editor waits for one, of packages only the parser of settings', () => {
    assert.ok(bundle('uninstall').bytes < 100_000, `uninstall.js has ${bundle('uninstall').bytes} bytes`);
    const others = inputs('uninstall', 'node_modules/').filter((file) => !file.includes('/jsonc-parser/'));
    assert.deepEqual(others, []);
  });

  it('of the hook is small, as its minified file', () => {
    const { size } = statSync(join(ROOT, 'dist', 'hook.js'));
    assert.ok(size < 96_000, `hook.js has ${size} bytes`);
  });

  it('of the hook knows of the core only what it writes and reads', () => {
    const known = ['brief', 'episode', 'memory', 'text'].map((name) => `src/core/${name}.ts`);
    assert.deepEqual(inputs('hook', 'src/core/').sort(), known);
  });

  it('are what they are for: store in standalone and host, tokenizer in embedder, protocol in mcp', () => {
    assert.notDeepEqual(inputs('standalone', 'node_modules/sql.js'), []);
    assert.notDeepEqual(inputs('host', 'node_modules/sql.js'), []);
    assert.notDeepEqual(inputs('embedder', '@xenova/transformers/src/tokenizers'), []);
    assert.notDeepEqual(inputs('nativeRuntime', 'node_modules/onnxruntime-node'), []);
    assert.notDeepEqual(inputs('wasmRuntime', 'node_modules/onnxruntime-web'), []);
    assert.notDeepEqual(inputs('mcp', '@modelcontextprotocol/sdk/'), []);
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Sandbox } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { HERE, makePackage, pack, ROOT, type Package } from './packages.js';

const BUNDLES = [
  'cli',
  'embedder',
  'extension',
  'hook',
  'host',
  'mcp',
  'nativeRuntime',
  'server',
  'standalone',
  'uninstall',
  'wasmRuntime',
];
const MODEL = 'media/models/Xenova/all-MiniLM-L6-v2';

/** All there is, but for pictures the manifest names, which have to be there, and native code. */
const CONTENTS = [
  'LICENSE.txt',
  'changelog.md',
  'readme.md',
  'package.json',
  'package.nls.json',
  'l10n/bundle.l10n.json',
  'media/readme/sidebar.png',
  ...BUNDLES.map((name) => `dist/${name}.js`),
  'dist/ort-wasm-simd.wasm',
  'dist/package.json',
  'dist/sql-wasm.wasm',
  'dist/THIRD_PARTY_NOTICES.txt',
  ...['LICENSE', 'NOTICE', 'checksums.json', 'config.json', 'tokenizer.json', 'tokenizer_config.json'].map(
    (name) => `${MODEL}/${name}`,
  ),
  `${MODEL}/onnx/model_quantized.onnx`,
];

const NATIVE = 'onnxruntime-node 1.14.0';
const WASM = 'onnxruntime-web 1.14.0 (wasm)';
const MOST_BYTES = 60_000_000;

const TASK = 'Undo the last git commit but keep the changes in the working tree';
const PARAPHRASE = 'Take back my last git commit without losing the changes in the working tree';

/** Names of the native files for this platform, as the runtime's package has them. */
function nativeNames(): string[] {
  const runtime = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'));
  const names = readdirSync(join(runtime, 'bin', 'napi-v3', process.platform, process.arch));
  return names.map((name) => `dist/native/${HERE}/${name}`);
}

/** Pictures the manifest names. */
function pictures(manifest: object): string[] {
  const named = JSON.stringify(manifest).matchAll(/"(media\/[^"]+)"/g);
  return [...new Set([...named].map(([, path = '']) => path))];
}

/** What the server in a folder answers to a client with an empty home: stored, asked in other words, asked about itself. */
async function used(folder: string, box: Sandbox) {
  const client = new Client({ name: 'packaging-test', version: '1.0.0' });
  const call = async (name: string, given: Record<string, unknown>) => {
    const { structuredContent } = await client.callTool({ name, arguments: given });
    return Object(structuredContent) as Record<string, unknown>;
  };
  try {
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(folder, 'dist', 'server.js')],
        cwd: box.project,
        env: box.environment(),
        stderr: 'ignore',
      }),
    );
    await call('remember', { task: TASK, answer: 'git reset HEAD~1' });
    // A busy machine may need longer for the model than a call waits: the vector comes later then.
    await until(
      'the memory has its vector',
      async () => (await call('stats', {}))['without_vector'] === 0,
      60,
    );
    const { hit, answer, similarity } = await call('recall', { task: PARAPHRASE });
    const { runtime } = Object((await call('stats', {}))['model']) as Record<string, unknown>;
    return { hit, answer, isIdentical: similarity === 1, runtime };
  } finally {
    await client.close();
  }
}

for (const { title, target, native, runtime } of [
  { title: `the package for ${HERE}`, target: HERE, native: nativeNames(), runtime: NATIVE },
  { title: 'the package for all platforms', target: null, native: [], runtime: WASM },
]) {
  describe(title, () => {
    const root = mkdtempSync(join(tmpdir(), 'subconscious-vsix-'));
    let made: Package;

    before(async () => {
      made = await makePackage(root, target);
    });

    after(() => rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

    it('is made without a warning, and says for which platform it is', () => {
      assert.doesNotMatch(made.output, /warn/i);
      const description = made.files.get('extension.vsixmanifest')?.toString('utf8') ?? '';
      assert.equal(/TargetPlatform="([^"]*)"/.exec(description)?.[1] ?? null, target);
    });

    it('holds what an extension needs at run time, and nothing else', () => {
      const expected = new Set([...CONTENTS, ...native, ...pictures(made.manifest)]);
      const names = [...expected].map((name) => `extension/${name}`);
      assert.deepEqual(
        [...made.files.keys()].sort(),
        ['[Content_Types].xml', 'extension.vsixmanifest', ...names].sort(),
      );
    });

    it('has at most 60 MB', () => {
      assert.ok(made.bytes <= MOST_BYTES, `it has ${made.bytes} bytes`);
    });

    it('has a manifest for editors: a program that is there, nothing to install, nothing to run but the end', () => {
      assert.ok(made.files.has(join('extension', String(made.manifest['main'])).replaceAll('\\', '/')));
      assert.deepEqual(made.manifest['scripts'], { 'vscode:uninstall': 'node ./dist/uninstall.js' });
      for (const field of ['type', 'bin', 'files', 'dependencies', 'devDependencies', 'overrides']) {
        assert.equal(made.manifest[field], undefined, field);
      }
    });

    it('names neither places on the machine it was made on nor source maps', () => {
      const isTelling = (content: Buffer) =>
        [ROOT, 'subconscious-package-', '\n//# sourceMappingURL'].some((part) => content.includes(part));
      const telling = [...made.files].filter(([, content]) => isTelling(content)).map(([name]) => name);
      assert.deepEqual(telling, []);
    });

    it(`has a server that needs nothing else, and remembers with ${runtime}`, async (t) => {
      assert.deepEqual(await used(made.folder, new Sandbox(t, 'shared')), {
        hit: true,
        answer: 'git reset HEAD~1',
        isIdentical: false,
        runtime,
      });
    });
  });
}

it('A platform that no package can be made for is refused, with those that are known', async () => {
  await assert.rejects(pack('--target', 'solaris-sparc'), (error) => {
    const { code, stderr } = error as { code?: unknown; stderr?: unknown };
    assert.equal(code, 2);
    assert.match(String(stderr), /"solaris-sparc"\. Give one of win32-x64, .*alpine-arm64, or no target/);
    return true;
  });
});

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it, test, type TestContext } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import { defaultModelsRoot, findModel } from '../../src/embedding/modelFiles.js';
import { loadRuntime, RUNTIMES, runtimeName, type RuntimeChoice } from '../../src/embedding/runtime.js';
import { loadSession } from '../../src/embedding/session.js';
import { BUNDLE, embedderFor, temporaryFolder } from './builders.js';

const WASM = 'onnxruntime-web 1.14.0 (wasm)';
const NATIVE = 'onnxruntime-node 1.14.0';

function aChoice(name: string, { missing = false, broken = '' } = {}): RuntimeChoice {
  const load = async () => (await import('../../src/embedding/nativeRuntime.js')) as never;
  return {
    name,
    isInstalled: () => !missing,
    load: () => (broken === '' ? load() : Promise.reject(new Error(broken))),
  };
}

describe('the runtime', () => {
  it('is the first that can be loaded', async () => {
    const choices = [aChoice('first'), aChoice('second')];
    assert.equal((await loadRuntime(choices)).name, 'first');
  });

  it('is the next one where one cannot be loaded', async () => {
    const choices = [
      aChoice('gone', { broken: 'ENOENT' }),
      aChoice('old', { broken: 'GLIBC_2.28' }),
      aChoice('last'),
    ];
    assert.equal((await loadRuntime(choices)).name, 'last');
  });

  it('that cannot be had at all is an error that says why, for each', async () => {
    const choices = [
      aChoice('old', { broken: 'version GLIBC_2.28 not found\nRequire stack:\n- a.js' }),
      aChoice('gone', { broken: 'ENOENT' }),
    ];
    await assert.rejects(loadRuntime(choices), (error) => {
      assert.ok(error instanceof MemoryError && error.reason === 'no_model');
      assert.match(error.message, /\(old: version GLIBC_2\.28 not found; gone: ENOENT\)\. Search by words/);
      return true;
    });
  });

  it('is named after the first one installed before any is loaded', () => {
    assert.equal(runtimeName([aChoice('a', { missing: true }), aChoice('b'), aChoice('c')]), 'b');
    assert.equal(runtimeName([aChoice('a', { missing: true })]), 'not installed');
    assert.equal(runtimeName(), NATIVE);
  });

  it('has the version it tells, native or not', () => {
    const require = createRequire(import.meta.url);
    const versions = ['onnxruntime-node', 'onnxruntime-web'].map((name) => {
      const manifest: unknown = JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8'));
      return `${name} ${String(Reflect.get(Object(manifest) as object, 'version'))}`;
    });
    assert.deepEqual(
      RUNTIMES.map(({ name }) => name.replace(' (wasm)', '')),
      versions,
    );
  });
});

test('WebAssembly is read from disk, runs on this thread alone, and leaves errors of the process to the process', async (t) => {
  t.mock.method(globalThis, 'fetch', () => assert.fail('something was fetched'));
  const listeners = () =>
    ['uncaughtException', 'unhandledRejection'].map((event) => process.rawListeners(event));
  const before = listeners();
  const { folder } = findModel('all-MiniLM-L6-v2');
  const session = await loadSession(
    folder,
    RUNTIMES.filter(({ name }) => name === WASM),
  );
  assert.equal(session.runtime, WASM);
  assert.equal((await session.embed(['a text']))[0]?.length, 384);
  assert.deepEqual(listeners(), before);
  const threads = process.getActiveResourcesInfo().filter((kind) => /MessagePort|Worker/.test(kind));
  assert.deepEqual(threads, []);
});

/** The bundles alone, as in an extension for all platforms: no package of the runtime is in reach. */
function bundlesAlone(t: TestContext) {
  const folder = join(temporaryFolder(t), 'dist');
  mkdirSync(folder);
  for (const file of [
    'embedder.js',
    'nativeRuntime.js',
    'wasmRuntime.js',
    'package.json',
    'ort-wasm-simd.wasm',
  ])
    cpSync(join(dirname(BUNDLE), file), join(folder, file));
  return {
    script: join(folder, 'embedder.js'),
    native: join(folder, 'native', `${process.platform}-${process.arch}`),
  };
}

async function usedBy(t: TestContext, script: string): Promise<string> {
  const { embedder } = embedderFor(t, { script, modelsRoot: defaultModelsRoot() });
  const [vector] = await embedder.embed(['a text']);
  assert.equal(vector?.length, 384);
  return embedder.runtime;
}

test('the child takes WebAssembly where there is no native code, and says so', async (t) => {
  assert.equal(await usedBy(t, bundlesAlone(t).script), WASM);
});

test('the child takes WebAssembly where the native code beside it cannot be loaded here', async (t) => {
  const { script, native } = bundlesAlone(t);
  mkdirSync(native, { recursive: true });
  writeFileSync(join(native, 'onnxruntime_binding.node'), 'made for another machine');
  assert.equal(await usedBy(t, script), WASM);
});

test('the child takes the native code that lies beside it', async (t) => {
  const { script, native } = bundlesAlone(t);
  const runtime = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'));
  cpSync(join(runtime, 'bin', 'napi-v3', process.platform, process.arch), native, { recursive: true });
  assert.equal(await usedBy(t, script), NATIVE);
});

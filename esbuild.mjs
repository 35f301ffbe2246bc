import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const watch = process.argv.includes('--watch');
const require = createRequire(import.meta.url);

/** One bundle per process; the reason each exists is in docs/architecture.md. */
const entryPoints = {
  server: 'src/server/main.ts',
  standalone: 'src/host/standalone.ts',
  host: 'src/host/host.ts',
  embedder: 'src/embedding/embedder.ts',
  hook: 'src/hooks/hook.ts',
  cli: 'src/cli/main.ts',
  nativeRuntime: 'src/embedding/nativeRuntime.ts',
  wasmRuntime: 'src/embedding/wasmRuntime.ts',
  extension: 'src/extension/extension.ts',
  mcp: 'src/mcp/main.ts',
  uninstall: 'src/extension/uninstall.ts',
};

/** WebAssembly that is loaded from beside the bundles. */
const wasm = ['sql.js/dist/sql-wasm.wasm', 'onnxruntime-web/dist/ort-wasm-simd.wasm'];

/** @param {string} file */
const source = (file) => fileURLToPath(new URL(`src/embedding/${file}`, import.meta.url));

const runtimeLicence = source('onnxruntime.LICENSE.txt');

/**
 * The two embedding runtimes are bundles of their own, loaded when they are needed; the tokenizer's package imports
 * both and uses neither. In the native one's package a single file names the place of its native code.
 * @type {import('esbuild').Plugin}
 */
const runtimes = {
  name: 'runtimes',
  setup(build) {
    build.onResolve({ filter: /\/(native|wasm)Runtime\.js$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
    build.onResolve({ filter: /^onnxruntime-(node|web)$/ }, ({ importer }) =>
      importer.includes('transformers') ? { path: source('absent.ts') } : undefined,
    );
    build.onResolve({ filter: /^\.\/binding$/ }, ({ importer }) =>
      importer.includes('onnxruntime-node') ? { path: source('nativeBinding.ts') } : undefined,
    );
  },
};

/** @type {import('esbuild').BuildOptions} */
const options = {
  entryPoints,
  outdir: 'dist',
  bundle: true,
  // Node starts it 4 ms sooner than ESM: dist/package.json says so. Editors load nothing else.
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  // jsonc-parser's `main` is UMD, whose require() calls cannot be followed.
  mainFields: ['module', 'main'],
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
  // Only the editor has it, and only for its extensions.
  external: ['vscode'],
  // Put in where it is used.
  inject: [fileURLToPath(new URL('bundleUrl.mjs', import.meta.url))],
  define: { 'import.meta.url': 'bundleUrl' },
};

/**
 * Of the manifest, the programs want to know who they are. The rest of it is the editor's, and long.
 * @type {import('esbuild').Plugin}
 */
const manifest = {
  name: 'manifest',
  setup(build) {
    const file = fileURLToPath(new URL('package.json', import.meta.url));
    build.onLoad({ filter: /[/\\]package\.json$/ }, async ({ path }) => {
      if (path !== file) return undefined;
      const { name, version } = JSON.parse(await readFile(file, 'utf8'));
      return { contents: JSON.stringify({ name, version }), loader: 'json', watchFiles: [file] };
    });
  },
};

/** Prints what VS Code's watch task looks for, and writes what the bundle tests read. */
const report = {
  name: 'report',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onStart(() => console.log('[build] started'));
    build.onEnd(async (result) => {
      if (result.metafile) {
        await writeFile('dist/meta.json', JSON.stringify(result.metafile));
        await writeNotices(result.metafile);
        await removeOthers(result.metafile);
        // npm does this for an installed package; a clone is run as it is.
        await chmod('dist/server.js', 0o755);
        await minify('dist/hook.js');
      }
      console.log(`[build] finished, ${result.errors.length} errors`);
    });
  },
};

/**
 * For the program that somebody waits for each time it runs: half the text takes 3 ms less to load.
 * @param {string} file
 */
async function minify(file) {
  const options = { minify: true, format: 'cjs', target: 'node20' };
  await writeFile(file, (await esbuild.transform(await readFile(file, 'utf8'), options)).code);
}

/**
 * The licences of everything that was bundled, in one file beside the bundles: their authors ask for that.
 * @param {import('esbuild').Metafile} metafile
 */
async function writeNotices(metafile) {
  const folders = Object.keys(metafile.inputs).flatMap(
    (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [],
  );
  const notices = [...new Set(folders)].sort().map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    // The packages of ONNX Runtime name their licence and leave its text out.
    const path = file ? `${folder}/${file}` : name.startsWith('onnxruntime-') ? runtimeLicence : null;
    const text = path === null ? '' : await readFile(path, 'utf8');
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  await writeFile(
    'dist/THIRD_PARTY_NOTICES.txt',
    (await Promise.all(notices)).join(`\n${'-'.repeat(78)}\n\n`),
  );
}

/**
 * Takes out what an earlier build left. Afterwards and not before, because servers may be running from this folder.
 * @param {import('esbuild').Metafile} metafile
 */
async function removeOthers(metafile) {
  const built = Object.keys(metafile.outputs).map((path) => path.replace('dist/', ''));
  const kept = [
    ...built,
    'meta.json',
    'package.json',
    ...wasm.map((file) => basename(file)),
    'THIRD_PARTY_NOTICES.txt',
  ];
  for (const name of await readdir('dist')) {
    if (!kept.includes(name)) await rm(`dist/${name}`, { recursive: true });
  }
}

await mkdir('dist', { recursive: true });
await writeFile('dist/package.json', '{ "type": "commonjs" }\n');
for (const file of wasm) await copyFile(require.resolve(file), `dist/${basename(file)}`);

const context = await esbuild.context({ ...options, plugins: [runtimes, manifest, report] });
if (watch) {
  await context.watch();
} else {
  await context.rebuild();
  await context.dispose();
}

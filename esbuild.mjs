import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
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
};

const stub = fileURLToPath(new URL('src/embedding/absent.ts', import.meta.url));

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
  // The tokenizer's package imports both runtimes and uses neither here. The native one is loaded from its own
  // package folder by a require that is not followed (src/embedding/runtime.ts), so that it may be missing.
  alias: { 'onnxruntime-node': stub, 'onnxruntime-web': stub },
  // Put in where it is used.
  inject: [fileURLToPath(new URL('bundleUrl.mjs', import.meta.url))],
  define: { 'import.meta.url': 'bundleUrl' },
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
    const text = file ? await readFile(`${folder}/${file}`, 'utf8') : '';
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
  const kept = [...built, 'meta.json', 'package.json', 'sql-wasm.wasm', 'THIRD_PARTY_NOTICES.txt'];
  for (const name of await readdir('dist')) {
    if (!kept.includes(name)) await rm(`dist/${name}`, { recursive: true });
  }
}

await mkdir('dist', { recursive: true });
await writeFile('dist/package.json', '{ "type": "commonjs" }\n');
await copyFile(require.resolve('sql.js/dist/sql-wasm.wasm'), 'dist/sql-wasm.wasm');

const context = await esbuild.context({ ...options, plugins: [report] });
if (watch) {
  await context.watch();
} else {
  await context.rebuild();
  await context.dispose();
}

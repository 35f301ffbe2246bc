// Test files as bundles: a process that reads one file, compiled once, starts in a fifth of the time that it takes
// to compile everything a test imports, file by file. What is tested is the same code.
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';

/** @type {import('esbuild').BuildOptions} */
const options = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: 'inline',
  sourcesContent: false,
  logLevel: 'warning',
};

/**
 * One bundle for each process. Every test file is in it as a suite of its own, called like the file.
 * @param {import('./bundleTests.mjs').Bundling} options
 * @returns {Promise<string[]>} The bundles, in the order of the processes.
 */
export async function bundleTests({ root, processes, timeout, outdir }) {
  await esbuild.build({
    ...options,
    entryPoints: [...processes.keys()].map((name) => ({ in: `suites:${name}`, out: name })),
    outdir,
    plugins: [suites({ root, processes, timeout }), packages, places],
  });
  return [...processes.keys()].map((name) => join(outdir, `${name}.mjs`));
}

/**
 * The bundle of a program that tests start.
 * @param {string} file Its source.
 * @param {string} outdir
 * @returns {Promise<string>}
 */
export async function bundleProgram(file, outdir) {
  const name = basename(file, '.ts');
  await esbuild.build({
    ...options,
    entryPoints: [{ in: file, out: name }],
    outdir,
    plugins: [packages, places],
  });
  return join(outdir, `${name}.mjs`);
}

/**
 * @param {Omit<import('./bundleTests.mjs').Bundling, 'outdir'>} options
 * @returns {import('esbuild').Plugin}
 */
function suites({ root, processes, timeout }) {
  return {
    name: 'suites',
    setup(build) {
      build.onResolve({ filter: /^suites:/ }, ({ path }) => ({ path: path.slice(7), namespace: 'suites' }));
      build.onLoad({ filter: /./, namespace: 'suites' }, ({ path }) => {
        const lines = (processes.get(path) ?? []).map((file) => {
          const name = JSON.stringify(file);
          return `describe(${name}, { timeout: ${timeout} }, () => import(${JSON.stringify(`./${file}`)}));`;
        });
        return { contents: `import { describe } from 'node:test';\n${lines.join('\n')}\n`, resolveDir: root };
      });
    },
  };
}

/**
 * Packages, and what needs no compiling, are loaded from where the sources would find them.
 * @type {import('esbuild').Plugin}
 */
const packages = {
  name: 'packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind, resolveDir }) => {
      if (kind === 'entry-point' || path.startsWith('suites:')) return undefined;
      if (path.startsWith('node:') || resolveDir === '') return { path, external: true };
      return { path: import.meta.resolve(path), external: true };
    });
    build.onResolve({ filter: /^\..*\.mjs$/ }, ({ path, resolveDir }) => ({
      path: pathToFileURL(join(resolveDir, path)).href,
      external: true,
    }));
  },
};

/**
 * Every file goes on being in its own place: fixtures and the built programs are found from there.
 * @type {import('esbuild').Plugin}
 */
const places = {
  name: 'places',
  setup(build) {
    build.onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('import.meta')) return undefined;
      const contents = source
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
      return { contents, loader: 'ts' };
    });
  },
};

// `npm run package [-- --target linux-x64] [--out FILE]`: builds, and packs the extension for one platform, or for all
// of them without native code. `--no-build` packs what is built.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';

const ROOT = dirname(fileURLToPath(import.meta.url));

/** Platforms an extension can be packed for, by whether the embedding runtime exists as native code there. */
const TARGETS = {
  'win32-x64': true,
  'win32-arm64': true,
  'linux-x64': true,
  'linux-arm64': true,
  'darwin-x64': true,
  'darwin-arm64': true,
  'linux-armhf': false,
  'alpine-x64': false,
  'alpine-arm64': false,
};

/** What an extension is made of, as paths below the root. Whatever else lies there stays out. */
const CONTENTS = [
  /^dist\/(\w+\.js|[\w-]+\.wasm|package\.json|THIRD_PARTY_NOTICES\.txt)$/,
  /^media\/(icon\.png|sidebar\.svg|walkthrough\/\w+\.svg|readme\/\w+\.png)$/,
  /^media\/models\/[^/]+\/[^/]+\/(onnx\/model_quantized\.onnx|\w+\.json|LICENSE|NOTICE)$/,
  /^(l10n\/bundle\.l10n|package\.nls)(\.[\w-]+)?\.json$/,
  /^(README\.md|CHANGELOG\.md|LICENSE)$/,
];

/** What the manifest says to npm and to those who build. `type` would have the editor load the bundles as modules. */
const NOT_FOR_EDITORS = ['type', 'bin', 'files', 'scripts', 'dependencies', 'devDependencies', 'overrides'];

const { values } = parseArgs({
  options: { target: { type: 'string' }, out: { type: 'string' }, 'no-build': { type: 'boolean' } },
});
const { target } = values;
if (target !== undefined && !Object.hasOwn(TARGETS, target)) {
  console.error(
    `No package can be made for "${target}". Give one of ${Object.keys(TARGETS).join(', ')}, ` +
      'or no target for a package that runs on all of them.',
  );
  process.exit(2);
}

if (values['no-build'] !== true) {
  execFileSync(process.execPath, ['esbuild.mjs'], { cwd: ROOT, stdio: 'inherit' });
}
const stage = await mkdtemp(join(tmpdir(), 'subconscious-package-'));
try {
  const manifest = await fill(stage);
  const ending = target === undefined ? '' : `-${target}`;
  const out = resolve(values.out ?? join(ROOT, `subconscious-${manifest.version}${ending}.vsix`));
  await createVSIX({
    cwd: stage,
    packagePath: out,
    ...(target !== undefined && { target }),
    dependencies: false,
    // Nothing is published yet that links could be completed from.
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  console.log(`${out}: ${((await stat(out)).size / 1e6).toFixed(1)} MB`);
} finally {
  await rm(stage, { recursive: true, force: true });
}

/**
 * Puts the extension together in a folder.
 * @param {string} stage
 * @returns {Promise<{ version: string }>} its manifest
 */
async function fill(stage) {
  const all = await readdir(ROOT);
  const folders = await Promise.all(['dist', 'media', 'l10n'].map(filesBelow));
  for (const file of [...all, ...folders.flat()]) {
    if (CONTENTS.some((pattern) => pattern.test(file))) await cp(join(ROOT, file), join(stage, file));
  }
  if (target !== undefined && Reflect.get(TARGETS, target)) {
    await cp(nativeFolder(target), join(stage, 'dist', 'native', target), { recursive: true });
  }
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  for (const name of NOT_FOR_EDITORS) delete manifest[name];
  // Run by the editor once the extension was removed.
  manifest.scripts = { 'vscode:uninstall': 'node ./dist/uninstall.js' };
  await writeFile(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  // The stage holds what is to be packed and nothing else; without this file vsce warns that nobody chose.
  await writeFile(join(stage, '.vscodeignore'), '');
  return manifest;
}

/**
 * @param {string} folder below the root
 * @returns {Promise<string[]>} with slashes, below the root
 */
async function filesBelow(folder) {
  if (!existsSync(join(ROOT, folder))) return [];
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'));
}

/**
 * The native code of the embedding runtime, which npm installs for every platform at once.
 * @param {string} target
 */
function nativeFolder(target) {
  const runtime = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'));
  return join(runtime, 'bin', 'napi-v3', ...target.split('-'));
}

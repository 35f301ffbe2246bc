import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MemoryError } from '../core/errors.js';
import { wording } from './wording.js';

const CHECKSUMS = 'checksums.json';
const MODEL = 'onnx/model_quantized.onnx';
const REQUIRED = ['config.json', 'tokenizer.json', 'tokenizer_config.json', MODEL] as const;

/** Organisation that models of this kind are published under before somebody converts them. */
const ORIGIN = 'sentence-transformers';

/** Where an installed model is, and the vector space it makes. */
export interface ModelFiles {
  /** `<organisation>/<name>`. */
  readonly name: string;
  readonly folder: string;
  /** Vector space id: the name and the first 8 hexadecimal digits of the ONNX file's SHA-256. */
  readonly modelId: string;
  readonly dimension: number;
}

/** Models shipped with the package: beside `dist/` for a bundle, beside `src/` when run from source. */
export function defaultModelsRoot(): string {
  const up = import.meta.url.endsWith('.ts') ? '../..' : '..';
  return fileURLToPath(new URL(`${up}/media/models`, import.meta.url));
}

/**
 * Finds a model by the name in the configuration: `<name>`, `<organisation>/<name>` as installed,
 * `sentence-transformers/<name>` for the model it was converted from, or the vector space id. Reads small files only.
 *
 * @throws MemoryError (`no_model`) for a name that is not installed, or a model folder that cannot be read.
 */
export function findModel(configured: string, modelsRoot: string = defaultModelsRoot()): ModelFiles {
  // Matching against what is there, instead of building a path from the name, leaves no way out of the root.
  const installed = installedModels(modelsRoot);
  const name =
    installed.find((candidate) => namesOf(candidate).includes(configured)) ??
    installed.find((candidate) => isSpaceOf(configured, candidate, modelsRoot));
  if (name === undefined) {
    const available = installed.length > 0 ? `Available: ${installed.join(', ')}` : 'None is installed';
    throw new MemoryError(
      'no_model',
      `Embedding model "${configured}" is not installed in ${modelsRoot}. ${available}. ` +
        'Search by words still works. Set embedding_model to an available one, or put its files there, and restart.',
    );
  }
  const folder = join(modelsRoot, name);
  return { name, folder, modelId: spaceId(name, modelsRoot), dimension: readDimension(folder) };
}

/**
 * Compares the four files of a model that are used here with `checksums.json` beside them.
 *
 * @throws MemoryError (`no_model`) naming the first file that differs, what was expected and what was found.
 */
export async function verifyModel(folder: string): Promise<void> {
  const expected = readChecksums(folder);
  for (const file of REQUIRED) {
    const found = await sha256(join(folder, file));
    if (found !== expected[file]) {
      throw damaged(join(folder, file), `expected SHA-256 ${expected[file]}, found ${found}`);
    }
  }
}

/** Installed models as `<organisation>/<name>`, sorted. A folder counts once it has its checksums. */
function installedModels(modelsRoot: string): string[] {
  return entries(modelsRoot)
    .flatMap((organisation) =>
      entries(join(modelsRoot, organisation)).map((name) => `${organisation}/${name}`),
    )
    .filter((name) => entries(join(modelsRoot, name)).includes(CHECKSUMS))
    .sort();
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Missing, a plain file, or not readable: no model can be used from there.
    return [];
  }
}

function namesOf(installed: string): string[] {
  return [installed, shortName(installed), `${ORIGIN}/${shortName(installed)}`];
}

function shortName(installed: string): string {
  return installed.slice(installed.indexOf('/') + 1);
}

/** Whether `configured` is the vector space id of this model. Other models' files, damaged ones say, are not read. */
function isSpaceOf(configured: string, installed: string, modelsRoot: string): boolean {
  return configured.startsWith(`${shortName(installed)}@`) && configured === spaceId(installed, modelsRoot);
}

function spaceId(installed: string, modelsRoot: string): string {
  const sum = readChecksums(join(modelsRoot, installed))[MODEL];
  return `${shortName(installed)}@${sum.slice(0, 8)}`;
}

function readChecksums(folder: string): Record<(typeof REQUIRED)[number], string> {
  const file = join(folder, CHECKSUMS);
  const sums = readJson(file);
  const sumOf = (name: string): string => {
    const sum: unknown = Reflect.get(sums, name);
    if (typeof sum === 'string' && /^[0-9a-f]{64}$/.test(sum)) return sum;
    throw damaged(file, `it has no SHA-256 for ${name}`);
  };
  return {
    'config.json': sumOf('config.json'),
    'tokenizer.json': sumOf('tokenizer.json'),
    'tokenizer_config.json': sumOf('tokenizer_config.json'),
    [MODEL]: sumOf(MODEL),
  };
}

function readDimension(folder: string): number {
  const file = join(folder, 'config.json');
  const dimension: unknown = Reflect.get(readJson(file), 'hidden_size');
  if (typeof dimension === 'number' && Number.isInteger(dimension) && dimension > 0) return dimension;
  throw damaged(file, 'it has no hidden_size');
}

function readJson(file: string): object {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch (cause) {
    throw damaged(file, wording(cause), cause);
  }
  throw damaged(file, 'it is not a JSON object');
}

/** Hexadecimal SHA-256 of a file. Read in parts: holding the whole model would cost its size in memory. */
async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }))
      hash.update(chunk as Buffer);
  } catch (cause) {
    throw damaged(file, wording(cause), cause);
  }
  return hash.digest('hex');
}

function damaged(file: string, why: string, cause?: unknown): MemoryError {
  return new MemoryError(
    'no_model',
    `The embedding model file ${file} is damaged or missing: ${why}. ` +
      'Search by words still works. Install the package anew, or replace that file.',
    { cause },
  );
}

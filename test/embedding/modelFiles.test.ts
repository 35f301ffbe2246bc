import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import { defaultModelsRoot, findModel, verifyModel } from '../../src/embedding/modelFiles.js';
import { copiedModels, MODEL, temporaryFolder } from './builders.js';

const noModel =
  (...parts: string[]) =>
  (error: unknown) => {
    assert.ok(error instanceof MemoryError);
    assert.equal(error.reason, 'no_model');
    for (const part of parts) assert.ok(error.message.includes(part), `${part} in: ${error.message}`);
    return true;
  };

test('every usual name of the shipped model finds it', () => {
  for (const name of [
    'all-MiniLM-L6-v2',
    'Xenova/all-MiniLM-L6-v2',
    'sentence-transformers/all-MiniLM-L6-v2',
    'all-MiniLM-L6-v2@afdb6f1a',
  ]) {
    assert.deepEqual(findModel(name), {
      name: MODEL,
      folder: join(defaultModelsRoot(), MODEL),
      modelId: 'all-MiniLM-L6-v2@afdb6f1a',
      dimension: 384,
    });
  }
});

test('a name that is not installed, or that tries to leave the folder, is answered with what there is', () => {
  for (const name of [
    'no-such-model',
    'all-MiniLM-L6-v2@00000000',
    'all-MiniLM-L6-v2@',
    '../x',
    `../models/${MODEL}`,
    `${MODEL}/onnx`,
    '/',
    '',
    '..',
    'Xenova',
  ]) {
    assert.throws(() => findModel(name), noModel(`"${name}"`, MODEL));
  }
});

test('a models folder that is missing or empty has no model', (t) => {
  const root = temporaryFolder(t);
  assert.throws(() => findModel('all-MiniLM-L6-v2', root), noModel('None is installed'));
  assert.throws(() => findModel('all-MiniLM-L6-v2', join(root, 'none')), noModel('None is installed'));
});

test('stray files and unfinished folders beside the models do not matter', (t) => {
  const root = copiedModels(t);
  writeFileSync(join(root, 'notes.txt'), '');
  writeFileSync(join(root, 'Xenova', '.DS_Store'), '');
  mkdirSync(join(root, 'Other', 'unfinished'), { recursive: true });
  assert.equal(findModel('all-MiniLM-L6-v2', root).name, MODEL);
  assert.throws(() => findModel('unfinished', root), noModel('"unfinished"', `Available: ${MODEL}.`));
});

test('a vector space id is found though another model is damaged', (t) => {
  const root = copiedModels(t);
  mkdirSync(join(root, 'Another', 'model'), { recursive: true });
  writeFileSync(join(root, 'Another', 'model', 'checksums.json'), '[');
  assert.equal(findModel('all-MiniLM-L6-v2@afdb6f1a', root).name, MODEL);
});

test('unusable checksums and configuration are named', (t) => {
  const root = copiedModels(t);
  const config = join(root, MODEL, 'config.json');
  writeFileSync(config, '{"hidden_size": "many"}');
  assert.throws(() => findModel(MODEL, root), noModel(config, 'hidden_size'));
  writeFileSync(config, '[');
  assert.throws(() => findModel(MODEL, root), noModel(config));
  const checksums = join(root, MODEL, 'checksums.json');
  writeFileSync(checksums, '{"config.json": "abc"}');
  assert.throws(() => findModel(MODEL, root), noModel(checksums, 'config.json'));
});

test('the shipped model passes its check', async () => {
  await verifyModel(findModel(MODEL).folder);
});

test('one flipped byte is found, with the file, what was expected and what is there', async (t) => {
  const folder = join(copiedModels(t), MODEL);
  const file = join(folder, 'tokenizer.json');
  const bytes = readFileSync(file);
  bytes[1000] = (bytes[1000] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  const expected = 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0';
  await assert.rejects(verifyModel(folder), noModel(file, expected, 'found '));
});

test('a missing file is found', async (t) => {
  const folder = join(copiedModels(t), MODEL);
  rmSync(join(folder, 'onnx'), { recursive: true });
  await assert.rejects(verifyModel(folder), noModel('model_quantized.onnx', 'ENOENT'));
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MemoryError } from '../../src/core/errors.js';
import type { Embedder } from '../../src/core/ports.js';
import { program } from '../program.js';
import {
  BUNDLE,
  copiedModels,
  embedderFor,
  fixture,
  isRunning,
  MODEL,
  pidOf,
  temporaryFolder,
  words,
} from './builders.js';

const noModel = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof MemoryError);
  assert.equal(error.reason, 'no_model');
  assert.match(error.message, pattern);
  return true;
};

function reasonOf({ state }: Embedder): string {
  if (state.status === 'unavailable') return state.reason;
  return assert.fail(`the embedder is ${state.status}`);
}

function sentences(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `Sentence ${index}: ${words(20)}`);
}

test('the child is started by the first request, and the state says so', async (t) => {
  const { embedder } = embedderFor(t);
  assert.deepEqual(embedder.state, { status: 'idle' });
  assert.equal(embedder.pid, undefined);
  const answer = embedder.embed(['one', 'two']);
  assert.deepEqual(embedder.state, { status: 'loading' });
  const vectors = await answer;
  assert.deepEqual(embedder.state, { status: 'ready' });
  assert.ok(isRunning(pidOf(embedder)));
  assert.deepEqual(
    vectors.map((vector) => [vector.constructor.name, vector.length]),
    [
      ['Float32Array', 384],
      ['Float32Array', 384],
    ],
  );
  assert.deepEqual(
    [embedder.model, embedder.dimension, embedder.runtime],
    ['all-MiniLM-L6-v2@afdb6f1a', 384, 'onnxruntime-node 1.14.0'],
  );
});

test('no texts need no child', async (t) => {
  const { embedder } = embedderFor(t);
  assert.deepEqual(await embedder.embed([]), []);
  assert.equal(embedder.pid, undefined);
});

test('an interactive request overtakes bulk work that began before it', async (t) => {
  const { embedder } = embedderFor(t);
  await embedder.embed(['warm']);
  const order: string[] = [];
  const bulk = embedder.embed(sentences(64), 'bulk').then(() => order.push('bulk'));
  await nextTurn();
  const interactive = embedder.embed(['now'], 'interactive').then(() => order.push('interactive'));
  await Promise.all([bulk, interactive]);
  assert.deepEqual(order, ['interactive', 'bulk']);
});

test('every request is answered though the child is killed in the middle of them', async (t) => {
  const { embedder } = embedderFor(t);
  const texts = sentences(24);
  const before = await embedder.embed(texts);
  const killed = pidOf(embedder);
  const answers = [
    embedder.embed(texts, 'bulk'),
    ...texts.map((text) => embedder.embed([text], 'interactive')),
  ];
  await nextTurn();
  process.kill(killed, 'SIGKILL');
  const [bulk, ...single] = await Promise.all(answers);
  assert.notEqual(pidOf(embedder), killed);
  assert.deepEqual(bulk, before);
  assert.deepEqual(single.flat(), before);
});

test('a child that died while idle is replaced by the next request', async (t) => {
  const { embedder, logged } = embedderFor(t);
  await embedder.embed(['one']);
  const ended = logged('ended');
  process.kill(pidOf(embedder), 'SIGKILL');
  await ended;
  assert.deepEqual(embedder.state, { status: 'idle' });
  assert.equal((await embedder.embed(['two'])).length, 1);
});

test('an idle child is ended and really gone, and the next request starts another', async (t) => {
  const { embedder, logged } = embedderFor(t, { idleSeconds: 0.02 });
  const ended = logged('ended');
  await embedder.embed(['one']);
  const first = pidOf(embedder);
  await ended;
  assert.equal(isRunning(first), false);
  assert.deepEqual(embedder.state, { status: 'idle' });
  assert.equal((await embedder.embed(['two'])).length, 1);
});

test('closing ends the child at once and rejects what waits', async (t) => {
  const { embedder } = embedderFor(t);
  await embedder.embed(['one']);
  const pid = pidOf(embedder);
  const waiting = [embedder.embed(sentences(64), 'bulk'), embedder.embed(['two'])].map((answer) =>
    assert.rejects(answer, noModel(/closed/)),
  );
  await embedder.close();
  assert.equal(isRunning(pid), false);
  await Promise.all(waiting);
  await assert.rejects(embedder.embed(['three']), noModel(/closed/));
});

test('closing while the model loads leaves no process', async (t) => {
  const { embedder } = embedderFor(t);
  const rejected = assert.rejects(embedder.embed(['one']), noModel(/closed/));
  const pid = pidOf(embedder);
  await embedder.close();
  await rejected;
  assert.equal(isRunning(pid), false);
  assert.equal(embedder.pid, undefined);
});

test('a child that always dies makes the embedder unavailable, with the reason', async (t) => {
  const { embedder } = embedderFor(t, { script: fixture('diesAtStart.mjs') });
  await assert.rejects(embedder.embed(['one']), noModel(/exit code 7/));
  assert.match(reasonOf(embedder), /exit code 7/);
  await assert.rejects(embedder.embed(['two']), noModel(/exit code 7/));
  assert.equal(embedder.pid, undefined, 'nothing is started before the pause is over');
});

test('a text that kills the child twice is rejected, and the others are answered', async (t) => {
  const { embedder } = embedderFor(t, { script: fixture('diesOnPoison.mjs') });
  const poison = assert.rejects(embedder.embed(['poison']), noModel(/exit code 7, twice/));
  const [vectors] = await Promise.all([embedder.embed(['text'], 'bulk'), poison]);
  assert.equal(vectors.length, 1);
  assert.deepEqual(embedder.state, { status: 'ready' });
});

test('texts that kill the child, however many, do not make the model unavailable', async (t) => {
  const { embedder } = embedderFor(t, { script: fixture('diesOnPoison.mjs') });
  for (const texts of [['one', 'poison'], ['poison'], ['poison', 'two']])
    await assert.rejects(embedder.embed(texts), noModel(/exit code 7, twice/));
  assert.equal((await embedder.embed(['text'])).length, 1);
  assert.deepEqual(embedder.state, { status: 'ready' });
});

test('a child that loads and dies on every text makes the embedder unavailable', async (t) => {
  const { embedder } = embedderFor(t, { script: fixture('diesOnEveryText.mjs') });
  await assert.rejects(embedder.embed(['one']), noModel(/exit code 7, twice/));
  await assert.rejects(embedder.embed(['two']), noModel(/3 starts/));
  assert.match(reasonOf(embedder), /exit code 7/);
  assert.equal(embedder.pid, undefined);
});

test('a child that never gets ready is replaced like a dead one', async (t) => {
  const { embedder } = embedderFor(t, { script: fixture('silent.mjs'), loadSeconds: 0.02 });
  await assert.rejects(embedder.embed(['one']), noModel(/SIGKILL/));
  assert.match(reasonOf(embedder), /SIGKILL/);
});

test('a request to a child that was stopped is answered by the next one', async (t) => {
  const { embedder } = embedderFor(t, { answerSeconds: 1 });
  const before = await embedder.embed(['one']);
  const stopped = pidOf(embedder);
  process.kill(stopped, 'SIGSTOP');
  assert.deepEqual(await embedder.embed(['one']), before);
  assert.notEqual(pidOf(embedder), stopped);
  assert.equal(isRunning(stopped), false);
});

test('loading may take longer than answering', async (t) => {
  const { embedder } = embedderFor(t, { script: fixture('loadsSlowly.mjs'), answerSeconds: 1 });
  assert.equal((await embedder.embed(['one'])).length, 1);
});

test('a child that says it is working may take longer than one that is silent', async (t) => {
  const { embedder } = embedderFor(t, { script: fixture('worksSlowly.mjs'), answerSeconds: 2 });
  const answer = embedder.embed(['one']);
  const first = pidOf(embedder);
  assert.equal((await answer).length, 1);
  assert.equal(pidOf(embedder), first);
});

test('a request that nobody waits for any more is not embedded', async (t) => {
  const { embedder } = embedderFor(t, { script: fixture('diesOnPoison.mjs') });
  let wanted = true;
  const abandoned = assert.rejects(
    embedder.embed(['poison'], 'interactive', () => wanted),
    noModel(/[Nn]obody waits/),
  );
  const first = pidOf(embedder);
  wanted = false;
  await embedder.embed(['text']);
  await abandoned;
  assert.equal(pidOf(embedder), first);
});

test('an error of the model rejects that request and nothing else', async (t) => {
  const { embedder } = embedderFor(t, { script: fixture('fails.mjs') });
  await assert.rejects(embedder.embed(['one']), noModel(/no such operator/));
  assert.deepEqual(embedder.state, { status: 'ready' });
});

test('an unknown model is unavailable from the start and names what there is', async (t) => {
  const { embedder } = embedderFor(t, { modelName: '../x' });
  assert.match(reasonOf(embedder), /"\.\.\/x".*Xenova\/all-MiniLM-L6-v2/);
  await assert.rejects(embedder.embed(['one']), noModel(/"\.\.\/x"/));
  assert.equal(embedder.pid, undefined);
});

test('a damaged model is unavailable until it is repaired and the pause is over', async (t) => {
  const modelsRoot = copiedModels(t);
  const file = join(modelsRoot, MODEL, 'tokenizer.json');
  const good = readFileSync(file);
  const bad = Buffer.from(good);
  bad[1000] = (bad[1000] ?? 0) ^ 1;
  writeFileSync(file, bad);
  let now = 0;
  const { embedder } = embedderFor(t, { modelsRoot, now: () => now });
  await assert.rejects(embedder.embed(['one']), noModel(/tokenizer\.json is damaged/));
  assert.match(reasonOf(embedder), /tokenizer\.json/);

  writeFileSync(file, good);
  now = 59_999;
  await assert.rejects(embedder.embed(['two']), noModel(/tokenizer\.json/));
  now = 60_000;
  assert.equal((await embedder.embed(['three'])).length, 1);
  assert.deepEqual(embedder.state, { status: 'ready' });
});

test('a missing runtime is unavailable, not a crash', async (t) => {
  const script = join(temporaryFolder(t), 'embedder.cjs');
  copyFileSync(BUNDLE, script);
  const { embedder } = embedderFor(t, { script });
  await assert.rejects(
    embedder.embed(['one']),
    noModel(/No embedding runtime can be loaded .*onnxruntime-node .*onnxruntime-web /),
  );
  assert.match(reasonOf(embedder), /onnxruntime-node/);
});

test('where no child can be started the model runs in this process, with the same vectors', async (t) => {
  const { embedder, logged } = embedderFor(t, { nodePath: join(temporaryFolder(t), 'no-such-node') });
  const said = logged('embedding in this process');
  const here = await embedder.embed(sentences(3));
  await said;
  assert.equal(embedder.pid, undefined);
  assert.deepEqual(embedder.state, { status: 'ready' });
  assert.deepEqual(await embedderFor(t).embedder.embed(sentences(3)), here);
});

test('an idle child does not keep its parent alive', { timeout: 60_000 }, async (t) => {
  const embedOnce = await program(fixture('embedOnce.ts'));
  const parent = spawn(process.execPath, [embedOnce, BUNDLE], { stdio: 'inherit' });
  t.after(() => parent.kill('SIGKILL'));
  assert.deepEqual(await once(parent, 'exit'), [0, null]);
});

test('the child exits when its parent lets go of it', { timeout: 60_000 }, async (t) => {
  const child = spawn(process.execPath, [BUNDLE, join(copiedModels(t), MODEL)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  t.after(() => child.kill('SIGKILL'));
  assert.deepEqual(await once(child, 'message'), [
    { kind: 'ready', runtime: 'onnxruntime-node 1.14.0' },
    undefined,
  ]);
  child.disconnect();
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { Engine } from '../../src/core/engine.js';
import type { Embedder } from '../../src/core/ports.js';
import { findModel } from '../../src/embedding/modelFiles.js';
import { RUNTIMES } from '../../src/embedding/runtime.js';
import { loadSession, type EmbeddingSession } from '../../src/embedding/session.js';
import { createInMemoryStore } from '../../src/storage/inMemoryStore.js';
import { asking, ENGINE_OPTIONS, ManualSources, storing } from '../core/fixture.js';
import { cosine, words } from './builders.js';

const { folder, modelId, dimension } = findModel('all-MiniLM-L6-v2');

function examples(name: string, key: string): string[] {
  const lines = readFileSync(new URL(`../../examples/${name}.jsonl`, import.meta.url), 'utf8').trim();
  return lines.split('\n').map((line) => String(Reflect.get(Object(JSON.parse(line)) as object, key)));
}

const TASKS = examples('tasks', 'task');
const QUESTIONS = examples('questions', 'question');
const OTHERS = ['', 'x', '🙂 ünïcode — Grüße', words(600), 'const a = await import("./b.js"); // {}'];

/** What recall says to each question: the task, or none. */
async function decisions(session: EmbeddingSession): Promise<(string | null)[]> {
  const embedder: Embedder = {
    model: modelId,
    dimension,
    runtime: session.runtime,
    state: { status: 'ready' },
    embed: (texts) => session.embed(texts),
    close: () => Promise.resolve(),
  };
  const engine = await Engine.open(createInMemoryStore(), embedder, new ManualSources(), ENGINE_OPTIONS);
  for (const task of TASKS) await engine.remember(storing(task));
  const answers: (string | null)[] = [];
  for (const question of QUESTIONS) {
    const answer = await engine.recall(asking(question));
    answers.push(answer.hit ? answer.task_text : null);
  }
  await engine.close();
  return answers;
}

describe('native code and WebAssembly', () => {
  let sessions: readonly EmbeddingSession[];

  before(async () => {
    sessions = await Promise.all(RUNTIMES.map((choice) => loadSession(folder, [choice])));
    assert.deepEqual(
      sessions.map(({ runtime }) => runtime.split(' ')[0]),
      ['onnxruntime-node', 'onnxruntime-web'],
    );
  });

  it('give every text the same vector, up to rounding', async () => {
    const texts = [...TASKS, ...QUESTIONS, ...OTHERS];
    const [native = [], wasm = []] = await Promise.all(sessions.map((session) => session.embed(texts)));
    const cosines = texts.map((text, index) => ({ text, cosine: cosine(native[index], wasm[index]) }));
    assert.deepEqual(
      cosines.filter((one) => !(one.cosine >= 0.98)),
      [],
    );
  });

  it('lead to the same answer to every question of the examples', async () => {
    const [native, wasm] = await Promise.all(sessions.map(decisions));
    assert.deepEqual(wasm, native);
    assert.ok(native?.some((task) => task === null) && native.some((task) => task !== null));
  });
});

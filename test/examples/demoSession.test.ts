import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import { isJson, serverFile, startServer, type Json } from './builtServer.js';

/** CPUs differ in how they round 8-bit arithmetic. */
const SIMILARITY_TOLERANCE = 0.01;
const ATTEMPTS = 3;

interface Step {
  readonly request: Json;
  /** null for a notification. */
  readonly answer: Json | null;
  readonly shortened: boolean;
}

async function steps(): Promise<Step[]> {
  const text = await readFile(new URL('../../examples/demo_session.md', import.meta.url), 'utf8');
  const found: Step[] = [];
  for (const [, kind, body] of text.matchAll(/^```json (request|answer|answer shortened)\n(.*?)^```$/gms)) {
    const message: unknown = JSON.parse(body ?? '');
    assert.ok(isJson(message));
    if (kind === 'request') found.push({ request: message, answer: null, shortened: false });
    else
      found.push({
        ...(found.pop() ?? assert.fail('an answer without a request')),
        answer: message,
        shortened: kind !== 'answer',
      });
  }
  return found;
}

test('the demo session shows every tool it talks about', async () => {
  const called = (await steps()).flatMap(({ request: { method, params } }) =>
    method === 'tools/call' && isJson(params) ? [params.name] : [method],
  );
  for (const name of [
    'initialize',
    'tools/list',
    'remember',
    'recall',
    'echo',
    'drift_report',
    'stats',
    'forget',
  ]) {
    assert.ok(called.includes(name), name);
  }
});

test('the built server answers every request of the demo session as the document says', async (t) => {
  const document = await steps();
  const answers = await replay(t, document);
  assert.deepEqual(
    answers,
    document.map(({ answer }) => answer && readable(answer)),
    'if the server is right, run: node examples/recordDemo.mjs',
  );
});

/** The answers, with what differs from run to run replaced by what the document says. */
async function replay(t: TestContext, document: readonly Step[], attempt = 1): Promise<(Json | null)[]> {
  const server = await startServer(t, { command: process.execPath, args: [serverFile] });
  const ids = new Map<string, string>();
  const answers: (Json | null)[] = [];
  for (const { request, answer, shortened } of document) {
    const sent = withIds(request, ids);
    if (!answer) {
      await server.notify(sent);
      answers.push(null);
      continue;
    }
    const received = await server.exchange(sent);
    // A machine that takes long to load the model answers without it at first; the recorded one did not.
    if (JSON.stringify(received).includes('"degraded"') && attempt < ATTEMPTS)
      return replay(t, document, attempt + 1);
    const comparable = readable(shortened ? withoutSchemas(received) : received);
    answers.push(align(readable(answer), comparable, '', ids) as Json); // an object in, an object out
  }
  return answers;
}

function withIds(request: Json, ids: ReadonlyMap<string, string>): Json {
  let text = JSON.stringify(request);
  for (const [recorded, actual] of ids) text = text.replaceAll(recorded, actual);
  return JSON.parse(text) as Json; // it was one before
}

function withoutSchemas(answer: Json): Json {
  assert.ok(isJson(answer.result) && Array.isArray(answer.result.tools));
  const tools = answer.result.tools.map((tool: unknown) => {
    assert.ok(isJson(tool));
    return { name: tool.name, title: tool.title, annotations: tool.annotations };
  });
  return { ...answer, result: { ...answer.result, tools } };
}

/** Tool results carry JSON as text: parsed, so that it is compared value by value. */
function readable(answer: Json): Json {
  const { result } = answer;
  if (!isJson(result) || !Array.isArray(result.content)) return answer;
  const content = result.content.map((part: unknown) => {
    assert.ok(isJson(part) && typeof part.text === 'string');
    return { ...part, text: JSON.parse(part.text) as unknown };
  });
  return { ...answer, result: { ...result, content } };
}

/** `actual`, where a value that may differ from run to run is replaced by the recorded one if it is of its kind. */
function align(recorded: unknown, actual: unknown, key: string, ids: Map<string, string>): unknown {
  if (Array.isArray(recorded) && Array.isArray(actual)) {
    return actual.map((value, index) => align(recorded[index], value, key, ids));
  }
  if (isJson(recorded) && isJson(actual)) {
    return Object.fromEntries(
      Object.entries(actual).map(([name, value]) => [name, align(recorded[name], value, name, ids)]),
    );
  }
  if (typeof recorded === 'string' && typeof actual === 'string') {
    if (key === 'version' || key === 'runtime') return recorded;
    if (!key.endsWith('entry_id')) return actual;
    if (!ids.has(recorded)) ids.set(recorded, actual);
    return ids.get(recorded) === actual ? recorded : actual;
  }
  if (typeof recorded === 'number' && typeof actual === 'number') return sameNumber(recorded, actual, key);
  return actual;
}

function sameNumber(recorded: number, actual: number, key: string): number {
  const measured = /_(?:at|bytes|ms)$/.test(key) && actual > 0;
  const near = key.includes('similarity') && Math.abs(recorded - actual) <= SIMILARITY_TOLERANCE;
  return measured || near ? recorded : actual;
}

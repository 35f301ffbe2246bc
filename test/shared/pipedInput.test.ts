import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { copyProgram } from '../server/programCopy.js';
import { processesOf, Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { CallResult, Results, ServerProcess } from '../server/serverProcess.js';
import { toolCall } from './ask.js';
import { recordIn } from './hosts.js';
import { HANDSHAKE } from './refusals.js';

const TASK = 'Deploy the documentation site';
const PARAPHRASE = 'Deploy the site of the documentation';

const TOO_LATE = /has not answered in the time that leaves/;
/** A host that starts on a busy machine can be too late for a client that is leaving. */
const ATTEMPTS = 5;

/** Pipes a handshake and these lines in, closes stdin at once, and waits for the front to leave. */
async function pipe(front: ServerProcess, lines: readonly string[]): Promise<void> {
  const initialize = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: HANDSHAKE });
  const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  // The last line has no newline, as `printf` and many scripts leave it.
  front.write([initialize, '\n', initialized, '\n', ...lines].join('').trimEnd());
  assert.deepEqual(await front.end(), { code: 0, signal: null });
}

/** What a tool answered to a request that has been piped in. */
async function answered<Name extends keyof Results>(
  front: ServerProcess,
  id: number,
  name: Name,
): Promise<Results[Name]> {
  const answer = await front.answerTo(id);
  const { isError, content, structuredContent } = answer.result as CallResult; // The method's result.
  assert.notEqual(isError, true, `${name}: ${content[0]?.text ?? ''}`);
  return structuredContent as Results[Name]; // Checked against the output schemas elsewhere.
}

/** The embedder of the sandbox's host. */
function embedderOf(box: Sandbox): number {
  const [pid, ...others] = processesOf(box.root).filter((id) =>
    readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('embedder.js'),
  );
  assert.ok(pid !== undefined && others.length === 0, 'there is one embedder');
  return pid;
}

const remember = (id: number) =>
  toolCall(id, 'remember', { task: `piped task ${id}`, answer: `answer ${id}` });

describe('everything piped in at once is answered although stdin ends at once', () => {
  for (const [model, env] of [
    ['without a model', WITHOUT_MODEL],
    ['with a model that is still cold', {}],
  ] as const) {
    test(`where there is no host yet, ${model}`, async (t) => {
      for (let attempt = 1; ; attempt += 1) {
        const box = new Sandbox(t, 'shared');
        const front = await box.start({ env, initialize: false });
        const ids = [1, 2, 3, 4, 5];
        const list = `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' })}\n`;
        await pipe(front, [...ids.map(remember), toolCall(6, 'recall', { task: 'piped task 3' }), list]);
        const answers = await Promise.all([0, ...ids, 6, 7].map((id) => front.answerTo(id)));
        assert.deepEqual(front.unclaimed, []);

        const refusals = answers.flatMap(({ error }) => error?.message ?? []);
        for (const refusal of refusals) assert.match(refusal, TOO_LATE);
        if (refusals.length > 0 && attempt < ATTEMPTS) continue;
        assert.equal(refusals.length, 0, `${refusals.length} were too late, ${attempt} times`);
        for (const { result } of answers) assert.notEqual((result as Partial<CallResult>).isError, true);
        const next = await box.start({ env: WITHOUT_MODEL });
        assert.equal((await next.call('stats')).total_entries, ids.length);
        return;
      }
    });
  }
});

describe('what is piped in is answered in time, whatever hangs', { concurrency: true }, () => {
  test('the embedder: without the model', async (t) => {
    const box = new Sandbox(t, 'shared');
    const other = await box.start();
    await other.modelSettled();
    await other.call('remember', { task: TASK, answer: 'x' });
    assert.equal((await other.call('recall', { task: PARAPHRASE })).hit, true);
    const embedder = embedderOf(box);
    process.kill(embedder, 'SIGSTOP');

    const front = await box.start({ initialize: false });
    await pipe(front, [
      toolCall(1, 'recall', { task: PARAPHRASE }),
      remember(2),
      toolCall(3, 'recall', { task: TASK }),
    ]);
    const { hit, degraded } = await answered(front, 1, 'recall');
    assert.deepEqual({ hit, degraded }, { hit: false, degraded: 'no_model' });
    assert.equal((await answered(front, 2, 'remember')).degraded, 'no_model');
    assert.equal((await answered(front, 3, 'recall')).hit, true);

    process.kill(embedder, 'SIGCONT');
    assert.equal((await other.call('recall', { task: PARAPHRASE })).hit, true);
  });

  test('the embedder from its start on: without the model', async (t) => {
    const box = new Sandbox(t, 'shared');
    const { server: program } = copyProgram(box);
    const script = join(dirname(program), 'embedder.js');
    writeFileSync(script, `process.kill(process.pid, 'SIGSTOP');\n${readFileSync(script, 'utf8')}`);
    await box.start({ program }); // Starts the host.
    const front = await box.start({ program, initialize: false });
    await pipe(front, [remember(1), toolCall(2, 'recall', { task: PARAPHRASE })]);
    assert.equal((await answered(front, 1, 'remember')).degraded, 'no_model');
    assert.equal((await answered(front, 2, 'recall')).hit, false);
    assert.ok(embedderOf(box) > 0);
  });

  test('the host: with an error that says so', async (t) => {
    const box = new Sandbox(t, 'shared');
    const other = await box.start({ env: WITHOUT_MODEL });
    const { pid } = recordIn(box.storage);
    const connected = await box.start({ env: WITHOUT_MODEL });
    process.kill(pid, 'SIGSTOP');
    const late = await box.start({ env: WITHOUT_MODEL, initialize: false });
    await Promise.all(
      [connected, late].map(async (front) => {
        front.write(remember(1));
        assert.deepEqual(await front.end(), { code: 0, signal: null });
        const { error } = await front.answerTo(1);
        assert.match(error?.message ?? '', TOO_LATE);
      }),
    );
    process.kill(pid, 'SIGCONT');
    assert.ok((await other.call('stats')).total_entries <= 2);
  });
});

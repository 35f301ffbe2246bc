import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import { isOnlyPrivate, maskSecrets } from '../../src/core/maskSecrets.js';
import { redactWords } from './episodeFixture.js';
import { asking, openBench, PROJECT, rememberId, storing } from './fixture.js';

const PRIVATE = '<private>nobody knows this</private>';
/** Of everything in this file that must be stored nowhere. */
const SECRETS = /secret-|alpha|beta|gamma|nobody|private>/;

const openMaskingBench = (options: Parameters<typeof openBench>[0] = {}) =>
  openBench({ ...options, engine: { redact: redactWords } });

describe('secrets that are masked', () => {
  const texts = { task: 'task', answer: 'answer', tags: ['tag'], more: 7 };

  it('leave texts without one as they are, and nothing to say', () => {
    assert.deepEqual(maskSecrets(redactWords, texts), { masked: texts, warnings: [] });
  });

  it('are said of each text: how many, and by which rules, never what', () => {
    const { masked, warnings } = maskSecrets(redactWords, {
      ...texts,
      task: 'deploy with secret-alpha',
      answer: `secret-beta, secret-gamma, ${PRIVATE}, secret-beta`,
      tags: ['secret-alpha', 'plain', 'with secret-beta'],
    });
    assert.deepEqual(masked, {
      task: 'deploy with [REDACTED:token]',
      answer: '[REDACTED:token], [REDACTED:token], [REDACTED:private], [REDACTED:token]',
      tags: ['[REDACTED:token]', 'plain', 'with [REDACTED:token]'],
      more: 7,
    });
    assert.deepEqual(warnings, [
      'task: a secret or private part was masked (token); the rest is stored.',
      'answer: 4 secrets or private parts were masked (token, private); the rest is stored.',
      'tags: 2 secrets or private parts were masked (token); the rest is stored.',
    ]);
  });
});

describe('a text that is only private', () => {
  it('has nothing but private parts and blanks', () => {
    for (const [text, only] of [
      [PRIVATE, true],
      [` ${PRIVATE}\n${PRIVATE}`, true],
      [`${PRIVATE}?`, false],
      [`${PRIVATE} secret-alpha`, false],
      ['secret-alpha', false],
      ['', false],
      ['[REDACTED:private]', false],
    ] as const) {
      assert.equal(isOnlyPrivate(redactWords(text)), only, text);
    }
  });

  it('is no task: it is refused with what to do, and nothing is stored', async () => {
    const bench = await openMaskingBench();
    await assert.rejects(bench.engine.remember(storing(PRIVATE, { idempotencyKey: 'key' })), (error) => {
      assert.ok(error instanceof MemoryError && error.reason === 'invalid');
      assert.match(error.message, /^task: .*outside of <private>/);
      return true;
    });
    assert.equal((await bench.engine.stats(PROJECT)).total_entries, 0);
    assert.deepEqual(bench.embedder.calls, []);
    assert.equal((await bench.engine.remember(storing('a task', { idempotencyKey: 'key' }))).stored, true);
  });

  it('may be an answer', async () => {
    const bench = await openMaskingBench();
    await rememberId(bench, 'a task', { answer: PRIVATE });
    assert.equal((await bench.engine.recall(asking('a task'))).answer, '[REDACTED:private]');
  });
});

describe('what is remembered', () => {
  it('has its secrets masked in task, answer and tags, wherever it is kept, and its caller is told', async () => {
    const bench = await openMaskingBench();
    const call = { key: 'front 1', digest: 'digest', repeatedSince: null };
    const request = storing('deploy with secret-alpha', {
      answer: `use secret-beta ${PRIVATE}`,
      tags: ['secret-gamma'],
      idempotencyKey: 'key',
      call,
    });
    const { entry_id = '', warnings } = await bench.engine.remember(request);
    assert.deepEqual(warnings, [
      'task: a secret or private part was masked (token); the rest is stored.',
      'answer: 2 secrets or private parts were masked (token, private); the rest is stored.',
      'tags: a secret or private part was masked (token); the rest is stored.',
    ]);
    const memory = await bench.store.get(entry_id);
    assert.deepEqual(
      [memory?.task, memory?.answer, memory?.tags],
      ['deploy with [REDACTED:token]', 'use [REDACTED:token] [REDACTED:private]', ['[REDACTED:token]']],
    );
    const receipt = await bench.store.receipt(
      `idempotency:${bench.sources.digest(JSON.stringify([PROJECT, 'key']))}`,
    );
    assert.notEqual(receipt, null);
    assert.doesNotMatch(JSON.stringify([receipt, await bench.store.ledgerRow('front 1')]), SECRETS);
    assert.doesNotMatch(JSON.stringify(bench.embedder.calls), SECRETS, 'nor does the model see any');
  });

  it('says nothing of masking where nothing was masked', async () => {
    const { engine } = await openMaskingBench();
    assert.equal((await engine.remember(storing('a task'))).warnings, undefined);
  });

  it('gives the same warnings to who sends the call again, and is stored once', async () => {
    const bench = await openMaskingBench();
    const call = { key: 'front 1', digest: 'digest', repeatedSince: null };
    const first = await bench.engine.remember(storing('use secret-alpha', { answer: 'yes', call }));
    const again = storing('use secret-alpha', { answer: 'yes', call: { ...call, repeatedSince: 0 } });
    assert.deepEqual(await (await bench.reopen()).engine.remember(again), first);
    assert.equal(first.warnings?.length, 1);
  });

  it('is the same as what was stored masked already: it is renewed', async () => {
    const bench = await openMaskingBench();
    const id = await rememberId(bench, 'use secret-alpha', { answer: 'yes' });
    const { entry_id, refreshed } = await bench.engine.remember(
      storing('use secret-beta', { answer: 'yes' }),
    );
    assert.deepEqual([entry_id, refreshed], [id, true]);
  });

  it('tells what was masked also where it is not stored, and in a neighbour it is warned of', async () => {
    const bench = await openMaskingBench();
    bench.embedder.place('use [REDACTED:token] again', { 'use [REDACTED:token]': 0.8 });
    await rememberId(bench, 'use secret-alpha');
    const result = await bench.engine.remember(storing('use secret-beta again', { skipIfDuplicate: true }));
    assert.deepEqual([result.stored, result.nearest_task], [false, 'use [REDACTED:token]']);
    assert.equal(result.warnings?.length, 2, 'its answer repeats the task');
  });
});

describe('what is asked', () => {
  it('finds itself by recall although it holds a secret, and is written down without it', async () => {
    const bench = await openMaskingBench();
    const id = await rememberId(bench, 'deploy with secret-alpha');
    const { hit, entry_id, task_text } = await bench.engine.recall(asking(' Deploy with secret-alpha'));
    assert.deepEqual([hit, entry_id, task_text], [true, id, 'deploy with [REDACTED:token]']);
    await bench.engine.recall(asking(`why is secret-beta ${PRIVATE} here`));
    assert.deepEqual(
      (await bench.store.recalls(PROJECT)).map(({ query }) => query),
      [' Deploy with [REDACTED:token]', 'why is [REDACTED:token] [REDACTED:private] here'],
    );
    assert.doesNotMatch(JSON.stringify(bench.embedder.calls), SECRETS);
  });

  it('finds itself by echo, too', async () => {
    const bench = await openMaskingBench();
    const id = await rememberId(bench, 'deploy with secret-alpha');
    const { echoes } = await bench.engine.echo({
      task: 'deploy with secret-alpha',
      project: PROJECT,
      topK: 1,
    });
    assert.deepEqual(
      echoes.map(({ entry_id, similarity, task_text }) => [entry_id, similarity, task_text]),
      [[id, 1, 'deploy with [REDACTED:token]']],
    );
    assert.doesNotMatch(JSON.stringify(bench.embedder.calls), SECRETS);
  });
});

describe('what older versions have stored', () => {
  async function searched(rows: readonly { task: string; answer: string }[]) {
    const { engine } = await openMaskingBench({ rows });
    const request = {
      query: 'zebra',
      project: PROJECT,
      limit: 5,
      maxTokens: 2000,
      scope: 'project',
    } as const;
    return (await engine.search(request)).results[0];
  }

  it('is masked where search shows it', async () => {
    const rows = [{ task: 'zebra secret-alpha', answer: `clover secret-beta ${PRIVATE}` }];
    const hit = await searched(rows);
    assert.equal(hit?.task_text, 'zebra [REDACTED:token]');
    assert.equal(hit.snippet, 'clover [REDACTED:token] [REDACTED:private]');
  });

  it('is masked there before it is cut: no half of a secret is shown', async () => {
    const rows = [
      { task: `zebra ${'x'.repeat(280)} ${PRIVATE}`, answer: `zebra ${'words '.repeat(37)} ${PRIVATE} more` },
    ];
    const hit = await searched(rows);
    assert.doesNotMatch(JSON.stringify(hit), SECRETS);
  });
});

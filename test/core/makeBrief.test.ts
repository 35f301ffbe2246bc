import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { briefText } from '../../src/capture/briefText.js';
import { BRIEF_TOKENS } from '../../src/core/brief.js';
import { estimateTokens } from '../../src/core/text.js';
import { aSession, aTurn, keeping, ofProject, redactWords } from './episodeFixture.js';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId, type Bench } from './fixture.js';

/** The task of each item, in order. */
async function tasksIn({ engine }: Bench, project = PROJECT): Promise<string[]> {
  return (await engine.brief(project)).items.map(({ text }) => /^Task: (.*)$/m.exec(text)?.[1] ?? text);
}

async function recallTimes({ engine }: Bench, task: string, times: number, project = PROJECT): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    assert.equal((await engine.recall(asking(task, { project }))).hit, true, task);
  }
}

describe('the brief of a project', () => {
  it('is empty where there is nothing to tell', async () => {
    const { engine } = await openBench({ rows: [{ project: OTHER_PROJECT }] });
    assert.deepEqual(await engine.brief(PROJECT), { project: PROJECT, memories: 0, episodes: 0, items: [] });
  });

  it('tells what memories say, and what sessions were about and came to', async () => {
    const bench = await openBench();
    await bench.engine.ingest(
      aSession([
        aTurn(1, { task: 'feed\nthe  zebra', outcome: 'it eats' }),
        aTurn(2, { task: 'clean\tthe stable', outcome: 'it\n\nshines' }),
      ]),
    );
    await bench.engine.ingest(aSession([aTurn(1)], { sessionId: 'session-2' }));
    await rememberId(bench, 'which\nport', { answer: ' 8080,\n\n not 80 ', ttlSeconds: 60 });
    const now = bench.sources.time;
    const none = { expiresAt: null };
    assert.deepEqual(await bench.engine.brief(PROJECT), {
      project: PROJECT,
      memories: 1,
      episodes: 2,
      items: [
        {
          kind: 'episode',
          text: 'Session: feed the zebra\nTask: clean the stable\nOutcome: it shines',
          storedAt: aTurn(2).at,
          ...none,
        },
        { kind: 'episode', text: 'Task: task 1\nOutcome: outcome 1', storedAt: aTurn(1).at, ...none },
        {
          kind: 'memory',
          text: 'Task: which port\nAnswer: 8080, not 80',
          storedAt: now,
          expiresAt: now + 60,
        },
      ],
    });
  });

  it('shows the newest three episodes, and counts all', async () => {
    const bench = await openBench();
    for (const n of [2, 5, 1, 4, 3]) {
      await bench.engine.ingest(aSession([aTurn(n)], { sessionId: `session-${n}` }));
    }
    assert.deepEqual(await tasksIn(bench), ['task 5', 'task 4', 'task 3']);
    assert.equal((await bench.engine.brief(PROJECT)).episodes, 5);
  });

  it('shows the memories that were recalled most often first, then the newest', async () => {
    const bench = await openBench();
    for (const task of ['one', 'two', 'three', 'four', 'five']) {
      bench.sources.time += 1;
      await rememberId(bench, task);
    }
    await recallTimes(bench, 'two', 2);
    await recallTimes(bench, 'one', 3);
    await recallTimes(bench, 'three', 2);
    await bench.engine.recall(asking('a stranger'));
    const expected = ['one', 'three', 'two', 'five', 'four'];
    assert.deepEqual(await tasksIn(bench), expected);
    assert.deepEqual(await tasksIn(await bench.reopen()), expected);
  });

  it('counts what its own sessions recalled, of memories all projects share as well', async () => {
    const bench = await openBench();
    for (const task of ['shared', 'also shared']) await rememberId(bench, task, { scope: 'global' });
    bench.sources.time += 1;
    await rememberId(bench, 'mine');
    await recallTimes(bench, 'also shared', 5, OTHER_PROJECT);
    await recallTimes(bench, 'shared', 1);
    assert.deepEqual(await tasksIn(bench), ['shared', 'mine', 'also shared']);
    assert.deepEqual(await tasksIn(bench, OTHER_PROJECT), ['also shared', 'shared']);
  });

  it('shows what is recalled often behind any number of more often recalled ones that are gone', async () => {
    const gone = Array.from({ length: 40 }, (_, n) => ({
      id: `gone-${n}`,
      task: `gone ${n}`,
      expiresAt: 10,
    }));
    const newer = Array.from({ length: 40 }, (_, n) => ({ task: `newer ${n}`, storedAt: 2_000_000 + n }));
    const useful = { id: 'useful', task: 'useful', storedAt: 1 };
    const bench = await openBench({ rows: [...gone, useful, ...newer] });
    for (const { id, times } of [...gone.map(({ id }) => ({ id, times: 2 })), { id: 'useful', times: 1 }]) {
      const outcome = { at: 5, project: PROJECT, query: 'question', similarity: 1, threshold: 0.85 };
      for (let n = 0; n < times; n += 1) {
        await bench.store.appendRecall({ ...outcome, entryId: id, hit: true }, 1e6);
      }
    }
    assert.equal((await tasksIn(bench))[0], 'useful');
  });

  it('leaves out what is expired, replaced, forgotten, discarded or kept', async () => {
    const bench = await openBench();
    for (const n of [1, 2]) await bench.engine.ingest(aSession([aTurn(n)], { sessionId: `session-${n}` }));
    const old = await rememberId(bench, 'replaced');
    const gone = await rememberId(bench, 'forgotten');
    await rememberId(bench, 'expired', { ttlSeconds: 60 });
    for (const task of ['replaced', 'forgotten', 'expired']) await recallTimes(bench, task, 3);
    await rememberId(bench, 'replacing', { supersedes: old });
    await bench.engine.forget(gone, PROJECT);
    await bench.engine.keep(keeping('episode-1', { task: 'made of it' }));
    await bench.engine.discard(['episode-2']);
    bench.sources.time += 60;
    for (const again of [bench, await bench.reopen()]) {
      assert.deepEqual((await tasksIn(again)).sort(), ['made of it', 'replacing']);
      const { memories, episodes } = await again.engine.brief(PROJECT);
      assert.deepEqual([memories, episodes], [2, 0]);
    }
  });

  it('shows the memories all projects share, but episodes of no project there alone', async () => {
    const bench = await openBench();
    for (const project of [PROJECT, OTHER_PROJECT, '']) {
      const task = `episode of ${project}`;
      await bench.engine.ingest(aSession([aTurn(1, { task })], ofProject(project)));
      await rememberId(bench, `memory of ${project}`, { project });
    }
    assert.deepEqual(await tasksIn(bench), ['episode of project-a', 'memory of', 'memory of project-a']);
    assert.deepEqual(await tasksIn(bench, ''), ['episode of', 'memory of']);
    const { memories, episodes } = await bench.engine.brief(PROJECT);
    assert.deepEqual([memories, episodes], [2, 1]);
  });

  it('masks what older versions have stored, before it is cut', async () => {
    const secret = '<private>nobody knows this</private>';
    const rows = [
      { task: `x${' '.repeat(185)}${secret}`, answer: `${'y'.repeat(390)} ${secret}` },
      { task: 'another', answer: 'secret-alpha' },
    ];
    const bench = await openBench({ rows, engine: { redact: redactWords } });
    const { items } = await bench.engine.brief(PROJECT);
    assert.equal(items.length, 2);
    assert.doesNotMatch(JSON.stringify(items), /secret|private>|nobody|alpha/);
  });
});

describe('the size of a brief', () => {
  const CASES = {
    'answers of 4 MiB': { count: 3, task: 'x'.repeat(60_000), answer: 'words '.repeat(700_000) },
    'Japanese texts': { count: 60, task: '東京の天気'.repeat(100), answer: '晴れのち曇り'.repeat(200) },
    'a thousand memories': { count: 1000, task: 'a task', answer: 'an answer' },
    'a thousand long memories': { count: 1000, task: 'a task '.repeat(50), answer: 'an answer '.repeat(90) },
    'blank texts': { count: 5, task: 'x', answer: ' \n'.repeat(1_000_000) },
  };
  for (const [name, { count, task, answer }] of Object.entries(CASES)) {
    it(`stays within its tokens with ${name}`, async () => {
      const rows = Array.from({ length: count }, (_, n) => ({ task: `${n} ${task}`, answer, storedAt: n }));
      const bench = await openBench({ rows: rows.map((row) => ({ ...row, vector: false })) });
      for (const n of [1, 2, 3]) {
        const turns = [aTurn(n, { task: `${task} at first` }), aTurn(n + 1, { task, outcome: answer })];
        await bench.engine.ingest(aSession(turns, { sessionId: `session-${n}` }));
      }
      const brief = await bench.engine.brief(PROJECT);
      const printed = briefText(brief, { now: bench.sources.time, marker: 'x'.repeat(32) });
      assert.ok(estimateTokens(printed) <= BRIEF_TOKENS, `${estimateTokens(printed)} tokens`);
      const shown = printed.match(/^- \[(memory|episode), /gm)?.length;
      assert.equal(shown, brief.items.length, 'there is room for all that it holds');
      assert.ok(brief.items.length > 0);
      assert.deepEqual([brief.memories, brief.episodes], [count, 3]);
    });
  }

  it('shows an outcome also where the task is long', async () => {
    const bench = await openBench();
    const task = 'long '.repeat(200);
    await rememberId(bench, task, { answer: 'the answer' });
    await bench.engine.ingest(aSession([aTurn(1, { task, outcome: 'the outcome' })]));
    const [episode, memory] = (await bench.engine.brief(PROJECT)).items;
    assert.match(episode?.text ?? '', /^Task: (long )+.*…\nOutcome: the outcome$/);
    assert.match(memory?.text ?? '', /^Task: (long )+.*…\nAnswer: the answer$/);
  });

  it('passes a long memory over for shorter ones behind it', async () => {
    const wide = '長'.repeat(200);
    const rows = [
      ...[9, 8, 7].map((storedAt) => ({ task: `${storedAt}${wide}`, answer: '答'.repeat(350), storedAt })),
      { task: 'short', answer: 'one', storedAt: 1 },
    ];
    const tasks = await tasksIn(await openBench({ rows }));
    assert.equal(tasks.at(-1), 'short');
    assert.ok(tasks.length < rows.length, 'there was no room for all');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { GLOBAL_PROJECT } from '../../src/core/memory.js';
import { asking, openBench, OTHER_PROJECT, PROJECT, storing, type Bench } from './fixture.js';

const TASKS = ['restart the worker', 'rotate the keys', 'tag a release'] as const;
/** What may be asked about a task, and how near that lies. */
const QUESTIONS = { itself: 1, paraphrase: 0.9, stranger: 0.6 } as const;

interface Row {
  readonly task: string;
  readonly answer: string;
  readonly project: string;
  storedAt: number;
  expiresAt: number;
  current: boolean;
  /** What replaced it. */
  by: string | null;
}
type Model = Map<string, Row>;

const project = fc.constantFrom(PROJECT, OTHER_PROJECT);
const task = fc.constantFrom(...TASKS);
const remembering = fc.record({
  task,
  project,
  answer: fc.constantFrom('one', 'two'),
  scope: fc.constantFrom('project' as const, 'global' as const),
  ttlSeconds: fc.constantFrom(null, 3, 0),
  /** Which of the rows so far it supersedes, if any. */
  replaces: fc.option(fc.nat(), { nil: undefined }),
});
const step = fc.oneof(
  remembering.map((value) => ({ kind: 'remember' as const, ...value })),
  fc.record({ kind: fc.constant('forget' as const), project, which: fc.nat() }),
  fc.record({
    kind: fc.constant('recall' as const),
    project,
    task,
    question: fc.constantFrom('itself' as const, 'paraphrase' as const, 'stranger' as const),
  }),
  fc.constant({ kind: 'reopen' as const }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const sees = (row: Row, from: string) => row.project === GLOBAL_PROJECT || row.project === from;

async function remember(
  bench: Bench,
  model: Model,
  given: Extract<Step, { kind: 'remember' }>,
): Promise<void> {
  const now = bench.sources.time;
  const home = given.scope === 'global' ? GLOBAL_PROJECT : given.project;
  const replaced = given.replaces === undefined ? undefined : pick(model, given.replaces);
  const old = replaced && model.get(replaced);
  const call = bench.engine.remember(storing(given.task, { ...given, supersedes: replaced }));
  const lost = old && old.project === GLOBAL_PROJECT && home !== GLOBAL_PROJECT;
  if (
    replaced !== undefined &&
    (!old || !sees(old, given.project) || (old.by !== null && model.has(old.by)) || lost)
  ) {
    await assert.rejects(call, /supersedes/);
    return;
  }
  const twin = [...model].find(
    ([, row]) =>
      row.current && row.task === given.task && row.answer === given.answer && row.project === home,
  );
  const { entry_id = '', refreshed = false } = await call;
  assert.equal(refreshed, twin !== undefined);
  const expiresAt = given.ttlSeconds === null ? Infinity : now + given.ttlSeconds;
  if (twin) Object.assign(twin[1], { storedAt: now, expiresAt: Math.max(expiresAt, twin[1].expiresAt) });
  else model.set(entry_id, { ...given, project: home, storedAt: now, expiresAt, current: true, by: null });
  assert.equal(entry_id, twin?.[0] ?? entry_id);
  if (old && replaced !== entry_id) Object.assign(old, { current: false, by: entry_id });
}

async function recall(bench: Bench, model: Model, given: Extract<Step, { kind: 'recall' }>): Promise<void> {
  const text = given.question === 'itself' ? given.task : `${given.question} of: ${given.task}`;
  const { hit, entry_id, answer } = await bench.engine.recall(asking(text, { project: given.project }));
  const [expected] = [...model]
    .filter(([, row]) => row.current && sees(row, given.project) && row.expiresAt > bench.sources.time)
    .filter(([, row]) => row.task === given.task && QUESTIONS[given.question] >= 0.85)
    .sort(([, a], [, b]) => b.storedAt - a.storedAt);
  const wanted = expected ? [true, expected[0], expected[1].answer] : [false, null, null];
  assert.deepEqual([hit, entry_id, answer], wanted);
}

/** Any id the model has, or one that nobody has. */
function pick(model: Model, which: number): string {
  return [...model.keys()][which % (model.size + 1)] ?? 'unknown';
}

describe('any sequence of remember, supersede, forget and recall', () => {
  it('agrees with a list of rows kept by hand', async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      let bench = await openBench();
      for (const one of TASKS) {
        bench.embedder.place(`paraphrase of: ${one}`, { [one]: QUESTIONS.paraphrase });
        bench.embedder.place(`stranger of: ${one}`, { [one]: QUESTIONS.stranger });
      }
      const model: Model = new Map();
      for (const given of steps) {
        bench.sources.time += 1;
        if (given.kind === 'remember') await remember(bench, model, given);
        else if (given.kind === 'recall') await recall(bench, model, given);
        else if (given.kind === 'reopen') bench = await bench.reopen();
        else {
          const id = pick(model, given.which);
          const row = model.get(id);
          const expected = row !== undefined && sees(row, given.project);
          assert.equal(await bench.engine.forget(id, given.project), expected);
          if (expected) model.delete(id);
        }
      }
      const stats = await bench.engine.stats(PROJECT);
      const rows = [...model.values()].filter((row) => sees(row, PROJECT));
      assert.equal(stats.total_entries, rows.filter((row) => row.current).length);
      assert.equal(stats.superseded, rows.filter((row) => !row.current).length);
    });
    await fc.assert(property, { numRuns: 200 });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Memory, RecallRecord } from '../../src/core/memory.js';
import { createInMemoryStore } from '../../src/storage/inMemoryStore.js';
import { aMemory, openBench } from './fixture.js';

const PROJECTS = ['project-a', 'project-b', ''] as const;
const NOW = 1000;

interface Recalled {
  readonly row: number;
  readonly project: string;
  readonly hit: boolean;
}

const project = fc.constantFrom(...PROJECTS);
const rows = fc
  .array(
    fc.record({
      project,
      kind: fc.constantFrom('memory' as const, 'episode' as const),
      expiresAt: fc.constantFrom(null, null, NOW, NOW + 1),
      supersededBy: fc.constantFrom(null, null, null, 'another'),
      deletedAt: fc.constantFrom(null, null, null, 5),
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all.map((row, n) => aMemory({ ...row, id: `row-${n}`, task: `row-${n}`, storedAt: (n * 7) % 13 })),
  );
const recalls = fc.array(fc.record({ row: fc.nat(11), project, hit: fc.boolean() }), { maxLength: 20 });

/** What a brief of this project is to show, in order. */
function expected(all: readonly Memory[], recalled: readonly Recalled[], of: string): string[] {
  const shown = all.filter(
    ({ deletedAt, supersededBy, expiresAt, project: home, kind }) =>
      deletedAt === null &&
      supersededBy === null &&
      (expiresAt === null || expiresAt > NOW) &&
      (home === of || (home === '' && kind === 'memory')),
  );
  const newest = shown.toSorted((a, b) => b.storedAt - a.storedAt);
  const hits = recalled
    .filter(({ project: asker, hit }) => asker === of && hit)
    .map(({ row }) => `row-${row}`);
  const often = [...new Set(hits.toReversed())]
    .map((id) => ({ id, count: hits.filter((hit) => hit === id).length }))
    .sort((a, b) => b.count - a.count)
    .flatMap(({ id }) => shown.find((memory) => memory.id === id && memory.kind === 'memory') ?? []);
  const episodes = newest.filter(({ kind }) => kind === 'episode').slice(0, 3);
  const memories = newest.filter(({ kind }) => kind === 'memory');
  return [...new Set([...episodes, ...often, ...memories].map(({ id }) => id))];
}

describe('the brief of a project', () => {
  it('shows what it should of any rows, in order, and nothing of another project ever', async () => {
    await fc.assert(
      fc.asyncProperty(rows, recalls, async (all, recalled) => {
        const store = createInMemoryStore();
        for (const memory of all) await store.insert({ memory, vector: null });
        for (const { row, project: asker, hit } of recalled) {
          // Only memories are ever recalled.
          const entryId = all[row]?.kind === 'memory' ? `row-${row}` : null;
          const outcome = { at: 1, query: 'question', similarity: 1, threshold: 0.85 };
          const record: RecallRecord = { ...outcome, project: asker, hit, entryId };
          await store.appendRecall(record, 1e6);
        }
        const bench = await openBench({ store });
        bench.sources.time = NOW;
        for (const of of PROJECTS) {
          const { items, memories, episodes } = await bench.engine.brief(of);
          const shown = items.map(({ text }) => /^Task: (row-\d+)$/m.exec(text)?.[1] ?? text);
          assert.deepEqual(shown, expected(all, recalled, of));
          assert.equal(memories, items.filter(({ kind }) => kind === 'memory').length);
          assert.ok(episodes >= items.filter(({ kind }) => kind === 'episode').length);
        }
      }),
      { numRuns: 300 },
    );
  });
});

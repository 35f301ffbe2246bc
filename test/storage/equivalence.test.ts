import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { MemoryStore } from '../../src/core/ports.js';
import { createInMemoryStore } from '../../src/storage/inMemoryStore.js';
import { openSqlStore } from '../../src/storage/sqlStore.js';
import { contents, ledgerRow, memory, recall, receipt, temporaryDirectory, vector } from './builders.js';
import { episode, episodeContents, turn } from './episodeBuilders.js';
import { withoutSync } from './faults.js';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const EPISODES = [1, 2, 3];
const NAMES = {
  ids: [...IDS, ...EPISODES.map((number) => `episode-${number}`)],
  keys: ['k1', 'k2', 'k3'],
  models: ['model-a', 'model-b'],
  projects: ['project-a', 'project-b', ''],
  sessions: ['session-1', 'session-2'],
};

type Step = (store: MemoryStore) => Promise<unknown>;
type Command =
  | { readonly kind: 'step'; readonly text: string; readonly step: Step }
  | { readonly kind: 'reopen' | 'crash'; readonly text: string };

const id = fc.constantFrom(...NAMES.ids);
const time = fc.double({ min: 0, max: 1e10, noNaN: true });
const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const project = fc.constantFrom(...NAMES.projects);
const aVector = fc.option(
  fc.tuple(fc.nat(99), fc.constantFrom(...NAMES.models)).map(([seed, model]) => vector(seed, model)),
);
const aMemory = fc
  .record({
    id: fc.constantFrom(...IDS),
    kind: fc.constantFrom('memory' as const, 'episode' as const),
    project,
    task: text,
    answer: text,
    tags: fc.array(text, { maxLength: 3 }),
    source: text,
    storedAt: time,
    expiresAt: fc.option(time),
    supersededBy: fc.option(id),
    deletedAt: fc.option(time),
  })
  .map((fields) => memory(fields.id, fields));
const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
const anEpisode = fc
  .record({
    number: fc.constantFrom(...EPISODES),
    row: fc.record({
      task: text,
      storedAt: time,
      supersededBy: rarely(id),
      deletedAt: rarely(time),
    }),
    record: fc.record({
      project: fc.record({ key: project, name: text }),
      directory: text,
      sessionId: fc.constantFrom(...NAMES.sessions),
      turns: fc.array(
        fc.tuple(fc.nat(9), text).map(([n, outcome]) => turn(n, { outcome })),
        { maxLength: 3 },
      ),
    }),
  })
  .map(({ number, row, record }) => episode(number, row, record));
const ledger = fc.option(
  fc
    .tuple(fc.constantFrom(...NAMES.keys), time, id)
    .map(([key, at, named]) => ledgerRow(key, { at, result: `{"id":"${named}"}` })),
  { nil: undefined },
);
const options = fc.record({
  supersedes: fc.option(id, { nil: undefined }),
  ledger,
  receipt: fc.option(
    fc
      .tuple(fc.constantFrom(...NAMES.keys), time, id)
      .map(([key, at, named]) => receipt(key, at, `{"id":"${named}"}`)),
    { nil: undefined },
  ),
});

function step(name: string, run: Step, ...args: unknown[]): Command {
  return { kind: 'step', text: `${name} ${JSON.stringify(args)}`, step: run };
}

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(aMemory, aVector, options)
      .map(([row, of, how]) =>
        step('insert', (store) => store.insert({ memory: row, vector: of }, how), row, how),
      ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(aMemory, fc.option(aMemory, { nil: undefined }), options)
      .map(([row, version, how]) =>
        step('update', (store) => store.update(row, { ...how, version }), row, version, how),
      ),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(anEpisode, aVector, options)
      .map(([{ memory: row, record }, of, how]) =>
        step(
          'insert episode',
          (store) => store.insert({ memory: row, vector: of }, { ...how, episode: record }),
          row,
          record,
          how,
        ),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(anEpisode, options)
      .map(([{ memory: row, record }, how]) =>
        step('update episode', (store) => store.update(row, { ...how, episode: record }), row, record, how),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(id, time, ledger)
      .map(([of, at, row]) =>
        step('trash', (store) => store.trash(of, at, { ledger: row }), of, at, row?.key),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(project, fc.array(id, { maxLength: 3 }), time)
      .map(([of, ids, at]) => step('markReviewed', (store) => store.markReviewed(of, ids, at), of, ids, at)),
  },
  { weight: 2, arbitrary: id.map((of) => step('restore', (store) => store.restore(of), of)) },
  {
    weight: 1,
    arbitrary: fc.array(id, { maxLength: 3 }).map((ids) => step('purge', (store) => store.purge(ids), ids)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(id, fc.nat(99))
      .map(([of, seed]) =>
        step('setVectors', (store) => store.setVectors([{ id: of, vector: vector(seed) }]), of, seed),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ at: time, project, query: fc.option(text), entryId: fc.option(id), hit: fc.boolean() })
      .map((of) => step('appendRecall', (store) => store.appendRecall(recall(of.at, of), 700), of)),
  },
  { weight: 2, arbitrary: fc.constant(step('snapshot', (store) => store.snapshot())) },
  { weight: 1, arbitrary: fc.constant<Command>({ kind: 'reopen', text: 'reopen' }) },
  { weight: 1, arbitrary: fc.constant<Command>({ kind: 'crash', text: 'crash' }) },
);

/** Result or refusal, so that both stores can be compared. */
async function outcome(store: MemoryStore, run: Step): Promise<unknown> {
  try {
    return await run(store);
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

describe('sql store', () => {
  it('does the same as the in-memory store, through snapshots, reopenings and crashes', async (t) => {
    const root = temporaryDirectory(t);
    let runs = 0;
    const property = fc.asyncProperty(
      fc.array(command, { minLength: 1, maxLength: 30 }),
      async (commands) => {
        runs += 1;
        const directory = join(root, String(runs));
        mkdirSync(directory);
        const model = createInMemoryStore();
        let store = await openSqlStore(directory, { fs: withoutSync });
        for (const next of commands) {
          if (next.kind === 'step') {
            assert.deepEqual(await outcome(store, next.step), await outcome(model, next.step));
          } else {
            // A crash leaves the old store as it is: its process would be gone.
            if (next.kind === 'reopen') await store.close();
            store = await openSqlStore(directory, { fs: withoutSync });
          }
          assert.deepEqual(await contents(store, NAMES), await contents(model, NAMES));
          assert.deepEqual(await episodeContents(store, NAMES), await episodeContents(model, NAMES));
        }
        await store.close();
        assert.deepEqual((await (await openSqlStore(directory)).state()).notes, []);
      },
    );
    await fc.assert(property, { numRuns: 100 });
  });
});

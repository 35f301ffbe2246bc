import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import type { UpdateRequest } from '../../src/core/update.js';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId, untilFilled, type Bench } from './fixture.js';
import { listening, redactWords } from './episodeFixture.js';

const OWN = { key: PROJECT, name: 'Project A' };

const update = ({ engine }: Bench, id: string, given: Partial<UpdateRequest> = {}) =>
  engine.update({ id, project: PROJECT, anyProject: false, ...given });
const recalled = async ({ engine }: Bench, task: string, project = PROJECT) =>
  (await engine.recall(asking(task, { project, threshold: 0.99 }))).entry_id;
/** How many live rows there are, old versions included. */
const rowsOf = async ({ store }: Bench) => {
  let count = 0;
  for await (const { memory } of store.all('any')) count += memory.deletedAt === null ? 1 : 0;
  return count;
};

async function rejected(bench: Bench, id: string, reason: string, sentence: RegExp, given = {}) {
  const before = await bench.store.get(id);
  await assert.rejects(update(bench, id, { answer: 'edited', ...given }), (error) => {
    assert.ok(error instanceof MemoryError);
    assert.equal(error.reason, reason);
    assert.match(error.message, sentence);
    assert.match(error.message, /Nothing was changed/);
    return true;
  });
  assert.deepEqual(await bench.store.get(id), before);
}

describe('an edit of task or answer', () => {
  it('keeps the id, and the version before as newest history', async () => {
    const bench = await openBench();
    const older = await rememberId(bench, 'the task', { answer: 'old' });
    bench.sources.time += 10;
    const id = await rememberId(bench, 'the task', {
      answer: 'one',
      supersedes: older,
      tags: ['x'],
      ttlSeconds: 900,
    });
    const before = await bench.store.get(id);
    bench.sources.time += 10;
    const result = await update(bench, id, { answer: 'two' });
    const { previous } = result;
    const details = await bench.engine.details(id, OWN);
    assert.deepEqual(result, { entry_id: id, changed: true, revision: details.revision, previous });
    assert.deepEqual(await bench.store.get(id), { ...before, answer: 'two', storedAt: bench.sources.time });
    assert.deepEqual(await bench.store.get(previous ?? ''), {
      ...before,
      id: previous,
      source: 'edit',
      supersededBy: id,
    });
    bench.sources.time += 10;
    const next = await update(bench, id, { task: 'another task' });
    const { history } = await bench.engine.get({ id, project: PROJECT, scope: 'project' });
    assert.deepEqual(
      history.map(({ entry_id, answer }) => [entry_id, answer]),
      [
        [next.previous, 'two'],
        [previous, 'one'],
        [older, 'old'],
      ],
    );
  });

  it('is history in order also where the clock was set back', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task', { answer: 'one' });
    bench.sources.time -= 1000;
    const first = await update(bench, id, { answer: 'two' });
    const second = await update(bench, id, { answer: 'three' });
    const { history } = await bench.engine.details(id, OWN);
    assert.deepEqual(
      history.map(({ entry_id }) => entry_id),
      [second.previous, first.previous],
    );
  });

  it('is found by its new task alone, by words and by meaning, at once and after a restart', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'feed the zebra');
    const { previous } = await update(bench, id, { task: 'water the plants' });
    for (const one of [bench, await bench.reopen()]) {
      assert.equal(await recalled(one, 'water the plants'), id);
      assert.equal(await recalled(one, 'feed the zebra'), null);
      const { results } = await one.engine.search({
        query: 'plants',
        project: PROJECT,
        scope: 'project',
        limit: 10,
        maxTokens: 2000,
      });
      assert.deepEqual(
        results.map(({ entry_id }) => entry_id),
        [id],
      );
      assert.equal((await one.engine.stats(PROJECT)).without_vector, 0);
    }
    const vectors = new Map<string, Float32Array | undefined>();
    for await (const { memory, vector } of bench.store.all(bench.embedder.model))
      vectors.set(memory.id, vector?.values);
    assert.deepEqual(vectors.get(id), bench.embedder.vectorOf('water the plants'));
    assert.deepEqual(vectors.get(previous ?? ''), bench.embedder.vectorOf('feed the zebra'));
  });

  it('gets its vector later where the model cannot be had', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'feed the zebra');
    bench.embedder.unavailable = 'gone';
    assert.equal((await update(bench, id, { task: 'water the plants' })).changed, true);
    assert.equal(await recalled(bench, 'water the plants'), id, 'the identical text');
    assert.equal((await bench.engine.stats(PROJECT)).without_vector, 1);
    bench.embedder.unavailable = null;
    await bench.engine.tidy();
    assert.equal(await untilFilled(bench), 0);
  });

  it('embeds nothing where the task stays', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task');
    bench.embedder.embed = () => assert.fail('embedded');
    assert.equal((await update(bench, id, { answer: 'two', task: 'the task' })).changed, true);
    assert.equal((await bench.engine.stats(PROJECT)).without_vector, 0);
  });

  it('is masked like what is remembered, and only what is given', async () => {
    const id = 'row';
    const bench = await openBench({ rows: [{ id, answer: 'secret-old' }], engine: { redact: redactWords } });
    const { warnings } = await update(bench, id, { task: 'use secret-one', tags: ['secret-two', 'ops'] });
    assert.equal(warnings?.length, 2);
    const { task, answer, tags } = (await bench.store.get(id)) ?? assert.fail();
    assert.deepEqual(
      [task, answer, tags],
      ['use [REDACTED:token]', 'secret-old', ['[REDACTED:token]', 'ops']],
    );
    await assert.rejects(update(bench, id, { task: '<private>x</private>' }), /nothing is left of it/);
  });
});

describe('an edit that keeps no version', () => {
  it('changes text, time and revision, and leaves the history as it was', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'feed the zebra', { answer: 'one' });
    const { previous } = await update(bench, id, { answer: 'two', keepVersion: true });
    bench.sources.time += 10;
    const typed = await update(bench, id, { task: 'water the plants', keepVersion: false });
    const { revision, answer, stored_at, history } = await bench.engine.details(id, OWN);
    assert.deepEqual(typed, { entry_id: id, changed: true, revision });
    assert.deepEqual([answer, stored_at], ['two', bench.sources.time]);
    assert.deepEqual(
      history.map(({ entry_id }) => entry_id),
      [previous],
    );
    assert.equal(await rowsOf(bench), 2);
    for (const one of [bench, await bench.reopen()]) {
      assert.equal(await recalled(one, 'water the plants'), id);
      assert.equal(await recalled(one, 'feed the zebra'), null);
    }
  });

  it('is refused all the same where somebody else has changed the entry', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task', { answer: 'one' });
    const { revision } = await bench.engine.details(id, OWN);
    await update(bench, id, { answer: 'two', keepVersion: false });
    assert.equal((await update(bench, id, { answer: 'three', revision, keepVersion: false })).conflict, true);
    assert.equal((await bench.store.get(id))?.answer, 'two');
  });
});

describe('an edit of anything else', () => {
  it('keeps no version, and the time of storing', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task', { ttlSeconds: 900 });
    const before = await bench.store.get(id);
    bench.sources.time += 10;
    const expiresAt = bench.sources.time + 5.5;
    for (const [edit, expected] of [
      [{ tags: ['b', 'a'] }, { tags: ['b', 'a'] }],
      [{ expiresAt }, { tags: ['b', 'a'], expiresAt }],
      [{ expiresAt: null }, { tags: ['b', 'a'], expiresAt: null }],
      [{ scope: 'global' }, { tags: ['b', 'a'], expiresAt: null, project: '' }],
    ] as const) {
      const result = await update(bench, id, edit);
      assert.deepEqual([result.changed, result.previous], [true, undefined]);
      assert.deepEqual(await bench.store.get(id), { ...before, ...expected });
    }
    assert.equal(await rowsOf(bench), 1);
  });

  it('shows at once: a tag, an end of life, another project', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task');
    await update(bench, id, { tags: ['x'] });
    assert.equal((await bench.engine.recall(asking('the task', { tags: ['x'] }))).hit, true);
    assert.equal(await recalled(bench, 'the task', OTHER_PROJECT), null);
    await update(bench, id, { scope: 'global' });
    assert.equal(await recalled(bench, 'the task', OTHER_PROJECT), id);
    await update(bench, id, { scope: 'project', project: OTHER_PROJECT });
    assert.equal(await recalled(bench, 'the task', OTHER_PROJECT), id);
    assert.equal(await recalled(bench, 'the task'), null);
    await update(bench, id, { expiresAt: bench.sources.time, anyProject: true });
    assert.equal(await recalled(bench, 'the task', OTHER_PROJECT), null);
  });

  it('leaves the entry in its project where scope says project and it has one', async () => {
    const bench = await openBench({ rows: [{ id: 'foreign', project: OTHER_PROJECT }] });
    const result = await update(bench, 'foreign', { scope: 'project', anyProject: true });
    assert.equal(result.changed, false);
    assert.equal((await bench.store.get('foreign'))?.project, OTHER_PROJECT);
  });
});

describe('an edit that changes nothing', () => {
  it('writes nothing and tells nobody', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task', { tags: ['x'] });
    const heard = listening(bench);
    bench.store.update = () => assert.fail('written');
    const { revision } = await bench.engine.details(id, OWN);
    const same = { task: 'the task', answer: 'answer to the task', tags: ['x'], expiresAt: null };
    for (const edit of [{}, { ...same, scope: 'project' as const, revision }])
      assert.deepEqual(await update(bench, id, edit), { entry_id: id, changed: false, revision });
    assert.deepEqual(heard, []);
  });
});

describe('an edit of a revision that somebody else has changed', () => {
  it('changes nothing and says which one it is now', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task', { answer: 'one' });
    const { revision } = await bench.engine.details(id, OWN);
    const { revision: newer } = await update(bench, id, { answer: 'two', revision });
    assert.notEqual(newer, revision);
    const refused = { entry_id: id, changed: false, conflict: true, revision: newer };
    assert.deepEqual(await update(bench, id, { answer: 'three', revision }), refused);
    assert.equal((await bench.store.get(id))?.answer, 'two');
    assert.equal((await update(bench, id, { answer: 'three', revision: newer })).changed, true);
  });

  it('is refused also where the other one came first while the task was being embedded', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task');
    const { revision } = await bench.engine.details(id, OWN);
    const both = await Promise.all([
      update(bench, id, { task: 'one', revision }),
      update(bench, id, { task: 'two', revision }),
    ]);
    assert.deepEqual(both.map(({ changed, conflict }) => changed || conflict).length, 2);
    assert.equal(both.filter(({ changed }) => changed).length, 1);
    assert.equal(both.filter(({ conflict }) => conflict).length, 1);
  });
});

describe('an entry that cannot be edited', () => {
  it('is unknown, forgotten, replaced or an episode: the sentence says which, and what to do', async () => {
    const bench = await openBench({
      rows: [
        { id: 'episode', kind: 'episode' },
        { id: 'gone', deletedAt: 5 },
      ],
    });
    const old = await rememberId(bench, 'the task', { answer: 'one' });
    const middle = await rememberId(bench, 'the task', { answer: 'two', supersedes: old });
    const current = await rememberId(bench, 'the task', { answer: 'three', supersedes: middle });
    await rejected(bench, 'unknown', 'not_found', /take an entry_id/);
    await rejected(bench, 'gone', 'invalid', /lies in the trash.*restore it first/);
    await rejected(bench, 'episode', 'invalid', /is an episode.*keep it/);
    await rejected(bench, old, 'invalid', new RegExp(`replaced by ${current}.*edit ${current} instead`));
    await bench.engine.forget(current, PROJECT);
    await rejected(bench, middle, 'invalid', new RegExp(`${current} was forgotten`));
  });

  it('is one of another project, unless that is meant', async () => {
    const bench = await openBench({
      rows: [
        { id: 'foreign', project: OTHER_PROJECT },
        { id: 'global', project: '' },
      ],
    });
    await rejected(bench, 'foreign', 'not_found', /in this project.*any_project/);
    assert.equal((await update(bench, 'foreign', { answer: 'x', anyProject: true })).changed, true);
    assert.equal((await update(bench, 'global', { answer: 'x' })).changed, true);
  });
});

describe('an edit', () => {
  it('is told with the version it left, and with both projects where it moved', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task');
    const heard = listening(bench);
    const { previous } = await update(bench, id, { answer: 'two' });
    await update(bench, id, { scope: 'global' });
    await update(bench, id, { scope: 'project', project: OTHER_PROJECT });
    assert.deepEqual(heard, [
      { ids: [id, previous], projects: [PROJECT] },
      { ids: [id, id], projects: ['', PROJECT], shared: true },
      { ids: [id, id], projects: [OTHER_PROJECT, ''], shared: true, forgotten: true },
    ]);
  });

  it('that its sender repeats is done once', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task', { answer: 'one' });
    const { revision } = await bench.engine.details(id, OWN);
    const call = { key: 'front 1', digest: 'digest', repeatedSince: null };
    const edit = { answer: 'two', revision };
    const first = await update(bench, id, { ...edit, call });
    const reopened = await bench.reopen();
    assert.deepEqual(await update(reopened, id, { ...edit, call: { ...call, repeatedSince: 0 } }), first);
    assert.equal(await rowsOf(bench), 2);
  });
});

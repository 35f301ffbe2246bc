import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Change } from '../../src/core/changes.js';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId, storing, type Bench } from './fixture.js';

/** What the engine tells from now on. */
function listening({ engine }: Bench): Change[] {
  const heard: Change[] = [];
  engine.onChange((change) => heard.push(change));
  return heard;
}

describe('who listens for changes', () => {
  it('hears of what was stored, renewed and forgotten, with the project it belongs to', async () => {
    const bench = await openBench();
    const heard = listening(bench);
    const id = await rememberId(bench, 'the task');
    await rememberId(bench, 'the task');
    await bench.engine.forget(id, PROJECT);
    const shared = await rememberId(bench, 'shared', { scope: 'global' });
    const other = await rememberId(bench, 'other', { project: OTHER_PROJECT });
    const mine = { ids: [id], projects: [PROJECT] };
    assert.deepEqual(heard, [
      mine,
      mine,
      { ...mine, forgotten: true },
      { ids: [shared], projects: [''], shared: true },
      { ids: [other], projects: [OTHER_PROJECT] },
    ]);
  });

  it('hears of the entry that was replaced as well, and of both projects where they differ', async () => {
    const bench = await openBench();
    const old = await rememberId(bench, 'the task');
    const heard = listening(bench);
    const next = await rememberId(bench, 'the task', { answer: 'better', supersedes: old });
    const last = await rememberId(bench, 'the task', { answer: 'best', supersedes: next, scope: 'global' });
    assert.deepEqual(heard, [
      { ids: [next, old], projects: [PROJECT] },
      { ids: [last, next], projects: ['', PROJECT], shared: true },
    ]);
  });

  it('hears that an entry has lost a version of its history', async () => {
    const bench = await openBench();
    const one = await rememberId(bench, 'the task', { answer: 'one' });
    const two = await rememberId(bench, 'the task', { answer: 'two', supersedes: one });
    const three = await rememberId(bench, 'the task', { answer: 'three', supersedes: two });
    const heard = listening(bench);
    await bench.engine.forget(one, PROJECT);
    assert.deepEqual(heard, [{ ids: [one, two, three], projects: [PROJECT], forgotten: true }]);
  });

  it('can find what it hears of, and what is told is on disk', async () => {
    const bench = await openBench();
    const found: Promise<boolean>[] = [];
    let acknowledged = false;
    const insert = bench.store.insert.bind(bench.store);
    bench.store.insert = async (...given) => {
      await insert(...given);
      acknowledged = true;
    };
    bench.engine.onChange(({ bookkeeping }) => {
      // Of the recall below.
      if (bookkeeping) return;
      assert.ok(acknowledged);
      found.push(bench.engine.recall(asking('the task')).then(({ hit }) => hit));
    });
    const id = await rememberId(bench, 'the task');
    await bench.engine.forget(id, PROJECT);
    assert.deepEqual(await Promise.all(found), [true, false]);
    assert.deepEqual(bench.reported, []);
  });

  it('hears of what is known of entries as bookkeeping: a recall that hit, a review, the trash that was emptied', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task', { project: OTHER_PROJECT, scope: 'global' });
    const heard = listening(bench);
    await bench.engine.recall(asking('the task'));
    await bench.engine.markReviewed([id], PROJECT);
    await bench.engine.forget(id, PROJECT);
    await bench.engine.emptyTrash({ dryRun: true });
    await bench.engine.emptyTrash({ dryRun: false });
    const change = { ids: [id], projects: [''], shared: true };
    const bookkeeping = { ...change, bookkeeping: true };
    assert.deepEqual(heard, [bookkeeping, bookkeeping, { ...change, forgotten: true }, bookkeeping]);
  });

  it('hears nothing of a hit that could not be written down', async () => {
    const bench = await openBench();
    await rememberId(bench, 'the task');
    const heard = listening(bench);
    bench.store.appendRecall = () => Promise.reject(new Error('disk full'));
    assert.equal((await bench.engine.recall(asking('the task'))).hit, true);
    assert.deepEqual(heard, []);
  });

  it('hears nothing where nothing changed', async () => {
    const bench = await openBench();
    bench.embedder.place('near', { 'the task': 0.8 });
    const call = { key: 'front 1', digest: 'digest', repeatedSince: null };
    await bench.engine.remember(storing('the task', { idempotencyKey: 'key', call }));
    const heard = listening(bench);
    await bench.engine.remember(storing('near', { skipIfDuplicate: true }));
    await bench.engine.remember(storing('the task', { idempotencyKey: 'key' }));
    await bench.engine.remember(storing('the task', { call: { ...call, repeatedSince: 0 } }));
    await assert.rejects(bench.engine.remember(storing('x', { supersedes: 'unknown' })));
    await bench.engine.forget('unknown', PROJECT);
    await bench.engine.recall(asking('a stranger'));
    await bench.engine.markReviewed(['unknown'], PROJECT);
    assert.equal(await bench.engine.emptyTrash({ dryRun: false }), 0);
    assert.deepEqual(await bench.engine.forgetEntries({ ids: ['unknown'], project: PROJECT }), []);
    bench.store.insert = () => Promise.reject(new Error('disk full'));
    await assert.rejects(bench.engine.remember(storing('another')), /disk full/);
    assert.deepEqual(heard, []);
  });

  it('hears nothing after it has stopped; others do', async () => {
    const bench = await openBench();
    const first: Change[] = [];
    const hear = (change: Change) => void first.push(change);
    const stop = bench.engine.onChange(hear);
    bench.engine.onChange(hear);
    stop();
    stop();
    await rememberId(bench, 'the task');
    assert.equal(first.length, 1);
  });

  it('disturbs neither the caller nor other listeners when it throws; the failure is reported', async () => {
    const bench = await openBench();
    const failure = new Error('cannot hear');
    bench.engine.onChange(() => {
      throw failure;
    });
    const heard = listening(bench);
    await rememberId(bench, 'the task');
    assert.equal(heard.length, 1);
    assert.deepEqual(bench.reported, [failure]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import { asking, openBench, OTHER_PROJECT, PROJECT, rememberId, storing, type Bench } from './fixture.js';

async function refusal(bench: Bench, given: Parameters<typeof storing>[1]): Promise<string> {
  const before = await bench.engine.stats(PROJECT);
  const error: unknown = await bench.engine.remember(storing('correction', given)).then(
    () => assert.fail('it was stored'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof MemoryError, String(error));
  assert.deepEqual(await bench.engine.stats(PROJECT), before, 'nothing was stored');
  return error.message;
}

describe('an entry that supersedes another', () => {
  it('is recalled in its place, and keeps it as history', async () => {
    const bench = await openBench();
    const old = await rememberId(bench, 'which port', { answer: '8080' });
    bench.sources.time += 1;
    const result = await bench.engine.remember(storing('which port', { answer: '8081', supersedes: old }));
    assert.deepEqual(result, { stored: true, entry_id: 'id-2', embedding_dim: 64, superseded: old });

    const { entry_id, answer } = await bench.engine.recall(asking('which port'));
    assert.deepEqual({ entry_id, answer }, { entry_id: 'id-2', answer: '8081' });
    assert.equal(
      (await bench.engine.get({ id: old, project: PROJECT, scope: 'project' })).superseded_by,
      'id-2',
    );
    assert.deepEqual((await bench.engine.get({ id: 'id-2', project: PROJECT, scope: 'project' })).history, [
      { entry_id: old, task_text: 'which port', answer: '8080', stored_at: bench.sources.time - 1 },
    ]);
  });

  it('still does after a restart', async () => {
    const bench = await openBench();
    const old = await rememberId(bench, 'which port', { answer: '8080' });
    const next = await rememberId(bench, 'which port', { answer: '8081', supersedes: old });
    const { engine } = await bench.reopen();
    assert.equal((await engine.recall(asking('which port'))).entry_id, next);
  });

  it('is not warned about the very entry it replaces, but about others', async () => {
    const bench = await openBench();
    bench.embedder.place('replaced', { correction: 0.8 });
    const old = await rememberId(bench, 'replaced');
    const alone = await bench.engine.remember(
      storing('correction', { supersedes: old, skipIfDuplicate: true }),
    );
    assert.deepEqual([alone.stored, alone.warning], [true, undefined]);

    bench.embedder.place('once more', { correction: 0.9 });
    const other = await rememberId(bench, 'unrelated');
    const warned = await bench.engine.remember(
      storing('once more', { supersedes: other, skipIfDuplicate: true }),
    );
    assert.deepEqual([warned.stored, warned.nearest_entry_id], [false, alone.entry_id]);
    assert.equal(
      (await bench.engine.get({ id: other, project: PROJECT, scope: 'project' })).superseded_by,
      null,
      'skipped is skipped altogether',
    );
  });

  it('stands at the end of a chain, the history newest first', async () => {
    const bench = await openBench();
    const ids: string[] = [];
    for (const answer of ['one', 'two', 'three', 'four']) {
      bench.sources.time += 1;
      ids.push(await rememberId(bench, 'the task', { answer, supersedes: ids.at(-1) }));
    }
    const [one, two, three, four] = ids;
    assert.equal((await bench.engine.recall(asking('the task'))).entry_id, four);
    const { history } = await bench.engine.get({ id: four ?? '', project: PROJECT, scope: 'project' });
    assert.deepEqual(
      history.map((version) => version.entry_id),
      [three, two, one],
    );
    const stats = await bench.engine.stats(PROJECT);
    assert.deepEqual([stats.total_entries, stats.superseded], [1, 3]);
  });

  it('may be one that was there already, word for word', async () => {
    const bench = await openBench();
    const wrong = await rememberId(bench, 'which port', { answer: '8080' });
    const right = await rememberId(bench, 'which port', { answer: '8081' });
    const result = await bench.engine.remember(storing('which port', { answer: '8081', supersedes: wrong }));
    assert.deepEqual([result.entry_id, result.refreshed, result.superseded], [right, true, wrong]);
    assert.equal(
      (await bench.engine.get({ id: wrong, project: PROJECT, scope: 'project' })).superseded_by,
      right,
    );
  });

  it('never supersedes itself: the same task and answer is a renewal', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'which port');
    const result = await bench.engine.remember(storing('which port', { supersedes: id }));
    assert.deepEqual([result.entry_id, result.refreshed, result.superseded], [id, true, undefined]);
    assert.equal((await bench.engine.recall(asking('which port'))).entry_id, id);
  });

  it('must name an entry of this project', async () => {
    const bench = await openBench();
    const foreign = await rememberId(bench, 'foreign', { project: OTHER_PROJECT });
    const forgotten = await rememberId(bench, 'forgotten');
    await bench.engine.forget(forgotten, PROJECT);
    for (const supersedes of ['unknown', foreign, forgotten]) {
      assert.match(
        await refusal(bench, { supersedes }),
        new RegExp(`supersedes: no entry ${supersedes} in this project`),
      );
    }
  });

  it('must name the newest version', async () => {
    const bench = await openBench();
    const one = await rememberId(bench, 'the task', { answer: 'one' });
    const two = await rememberId(bench, 'the task', { answer: 'two', supersedes: one });
    assert.match(await refusal(bench, { supersedes: one }), new RegExp(`already replaced by ${two}`));
  });

  it('must name the newest version also where one in the middle was forgotten', async () => {
    const bench = await openBench();
    const first = await rememberId(bench, 'the task', { answer: 'one' });
    const middle = await rememberId(bench, 'the task', { answer: 'two', supersedes: first });
    const last = await rememberId(bench, 'the task', { answer: 'three', supersedes: middle });
    await bench.engine.forget(middle, PROJECT);
    const request = storing('the task', { answer: 'four', supersedes: first });
    await assert.rejects(bench.engine.remember(request), new RegExp(`already replaced by ${last}`));
  });

  it('may take the place of a correction that was forgotten', async () => {
    const bench = await openBench();
    const first = await rememberId(bench, 'the task', { answer: 'one' });
    const wrong = await rememberId(bench, 'the task', { answer: 'wrong', supersedes: first });
    await bench.engine.forget(wrong, PROJECT);
    assert.equal(
      (await bench.engine.recall(asking('the task'))).hit,
      false,
      'the outdated one does not return',
    );
    const right = await rememberId(bench, 'the task', { answer: 'right', supersedes: first });
    assert.equal((await bench.engine.recall(asking('the task'))).answer, 'right');
    const { history } = await bench.engine.get({ id: right, project: PROJECT, scope: 'project' });
    assert.deepEqual(
      history.map(({ answer }) => answer),
      ['one'],
    );
  });

  it('must be global where the replaced one is: no project takes a memory away from the others', async () => {
    const bench = await openBench();
    const shared = await rememberId(bench, 'the task', { answer: 'one', scope: 'global' });
    assert.match(await refusal(bench, { supersedes: shared }), /global.*scope/);
    const next = await rememberId(bench, 'the task', { answer: 'two', supersedes: shared, scope: 'global' });
    assert.equal((await bench.engine.recall(asking('the task', { project: OTHER_PROJECT }))).entry_id, next);
  });

  it('shows other projects nothing of what it was before it became global', async () => {
    const bench = await openBench();
    const mine = await rememberId(bench, 'the task', { answer: 'private' });
    const shared = await rememberId(bench, 'the task', {
      answer: 'public',
      supersedes: mine,
      scope: 'global',
    });
    assert.equal(
      (await bench.engine.get({ id: shared, project: PROJECT, scope: 'project' })).history.length,
      1,
    );
    assert.deepEqual(
      (await bench.engine.get({ id: shared, project: OTHER_PROJECT, scope: 'project' })).history,
      [],
    );
  });

  it('replaces an entry once, even when two corrections arrive together', async () => {
    const bench = await openBench();
    const old = await rememberId(bench, 'the task');
    const outcomes = await Promise.allSettled(
      ['two', 'three'].map((answer) =>
        bench.engine.remember(storing('the task', { answer, supersedes: old })),
      ),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    assert.equal((await bench.engine.stats(PROJECT)).total_entries, 1);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MemoryError } from '../../src/core/errors.js';
import { asking, openBench, PROJECT, rememberId, storing } from './fixture.js';

const range = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('many calls at once on one engine', () => {
  it('end in exactly the state they describe, and a restart finds the same', async () => {
    const bench = await openBench();
    const { engine } = bench;
    const seeds: string[] = [];
    for (const n of range(20)) seeds.push(await rememberId(bench, `seed ${n}`));

    bench.embedder.hold();
    const calls = [
      range(40).map((n) => engine.remember(storing(`new ${n}`))),
      range(10).map(() => engine.remember(storing('twin'))),
      range(10).map((n) => engine.remember(storing(`keyed ${n}`, { idempotencyKey: 'key' }))),
      range(10).map((n) =>
        engine.remember(storing(`seed ${n}`, { answer: 'corrected', supersedes: seeds[n] })),
      ),
      seeds.slice(10, 20).map((id) => engine.forget(id, PROJECT)),
      seeds.slice(10, 20).map((id) => engine.forget(id, PROJECT)),
      range(10).map((n) => engine.recall(asking(`seed ${n}`))),
    ].flat();
    assert.equal(calls.length, 100);
    bench.embedder.release();
    const results = await Promise.all(calls);

    assert.equal(results.filter((result) => result === true).length, 10, 'each entry is forgotten once');
    const keyed = new Set(results.slice(50, 60).map((result) => JSON.stringify(result)));
    assert.equal(keyed.size, 1);
    for (const { engine: each } of [bench, await bench.reopen()]) {
      const stats = await each.stats(PROJECT);
      const { total_entries, superseded, trash, without_vector } = stats;
      assert.deepEqual(
        { total_entries, superseded, trash, without_vector },
        { total_entries: 40 + 1 + 1 + 10, superseded: 10, trash: 10, without_vector: 0 },
      );
      for (const n of range(10)) {
        assert.equal((await each.recall(asking(`seed ${n}`))).answer, 'corrected');
        assert.notEqual((await each.recall(asking(`seed ${n + 10}`))).task_text, `seed ${n + 10}`);
      }
      for (const n of range(40)) {
        assert.equal((await each.recall(asking(`new ${n}`))).task_text, `new ${n}`);
      }
    }
  });
});

describe('closing an engine', () => {
  it('settles every call under way, and keeps what it acknowledged', async () => {
    const bench = await openBench();
    const { engine, store } = bench;
    let closings = 0;
    store.close = () => {
      closings += 1;
      return Promise.resolve();
    };
    bench.embedder.hold();
    const running = range(50).map((n) => engine.remember(storing(`task ${n}`)));
    const asking50 = range(50).map((n) => engine.recall(asking(`task ${n}`)));
    await engine.close();
    const outcomes = await Promise.allSettled([...running, ...asking50]);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        assert.ok(outcome.reason instanceof MemoryError, String(outcome.reason));
    }
    assert.equal(closings, 1);
    for (const outcome of await Promise.allSettled(running)) {
      if (outcome.status === 'rejected') continue;
      assert.notEqual(await store.get(outcome.value.entry_id ?? ''), null);
    }
  });

  it('lets the change under way finish first', async () => {
    const { engine, store } = await openBench();
    const order: string[] = [];
    const insert = store.insert.bind(store);
    const close = store.close.bind(store);
    store.close = () => {
      order.push('close');
      return close();
    };
    let goOn = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const begun = new Promise<void>((resolve) => {
      store.insert = async (...given) => {
        resolve();
        await released;
        await insert(...given);
        order.push('inserted');
      };
    });
    const pending = engine.remember(storing('the task'));
    await begun;
    const closing = engine.close();
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    goOn();
    await closing;
    assert.equal((await pending).stored, true);
    assert.deepEqual(order, ['inserted', 'close']);
  });

  it('stops the background work', async () => {
    const bench = await openBench({ rows: range(100).map((n) => ({ task: `task ${n}`, vector: false })) });
    await bench.engine.close();
    const asked = bench.embedder.calls.length;
    assert.ok(asked < 4, `${asked} batches`);
    await assert.rejects(bench.engine.remember(storing('the task')), MemoryError);
    assert.deepEqual(
      bench.embedder.calls.slice(asked).map(({ priority }) => priority),
      ['interactive'],
    );
  });
});

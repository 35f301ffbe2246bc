import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Liveness } from '../../src/server/liveness.js';

/** A liveness whose clock and ticks are the test's. */
class Watched {
  readonly seen: string[] = [];
  private now = 0;
  readonly liveness = new Liveness(
    { ask: () => this.seen.push('ask'), hanging: () => this.seen.push('hanging') },
    () => this.now,
  );

  constructor(t: TestContext) {
    t.mock.timers.enable({ apis: ['setInterval'] });
  }

  /** Lets so many seconds pass, and returns what happened in them. */
  pass(t: TestContext, seconds: number): string[] {
    this.seen.length = 0;
    for (let second = 0; second < seconds; second += 1) {
      this.now += 1000;
      t.mock.timers.tick(1000);
    }
    return [...this.seen];
  }

  /** Time passes while this process does not run. */
  sleep(seconds: number): void {
    this.now += seconds * 1000;
  }
}

test('a silent host is asked once, and hangs when it says nothing to that either', (t) => {
  const watched = new Watched(t);
  watched.liveness.watch();
  assert.deepEqual(watched.pass(t, 3), []);
  assert.deepEqual(watched.pass(t, 1), ['ask']);
  assert.deepEqual(watched.pass(t, 5), []);
  assert.deepEqual(watched.pass(t, 1), ['hanging']);
});

test('a host that works long and answers the question is not hanging', (t) => {
  const watched = new Watched(t);
  watched.liveness.watch();
  for (let round = 0; round < 10; round += 1) {
    assert.deepEqual(watched.pass(t, 4), ['ask']);
    watched.liveness.heard();
  }
});

test('waiting for one thing more does not start the silence anew', (t) => {
  const watched = new Watched(t);
  watched.liveness.watch();
  watched.pass(t, 3);
  watched.liveness.watch();
  assert.deepEqual(watched.pass(t, 1), ['ask']);
});

test('nothing happens while nobody waits, and that silence proves nothing', (t) => {
  const watched = new Watched(t);
  watched.liveness.watch();
  watched.liveness.heard();
  watched.liveness.rest();
  assert.deepEqual(watched.pass(t, 100), []);
  watched.liveness.watch();
  assert.deepEqual(watched.pass(t, 3), []);
  assert.deepEqual(watched.pass(t, 1), ['ask']);
});

test('a host that owes an answer to the question is known to hang when the next one waits', (t) => {
  const watched = new Watched(t);
  watched.liveness.watch();
  assert.deepEqual(watched.pass(t, 10), ['ask', 'hanging']);
  watched.liveness.rest();
  watched.sleep(60);
  watched.liveness.watch();
  assert.deepEqual(watched.pass(t, 1), ['hanging']);
  watched.liveness.heard();
  assert.deepEqual(watched.pass(t, 4), ['ask']);
});

test('a machine that slept is no hanging host', (t) => {
  const watched = new Watched(t);
  watched.liveness.watch();
  assert.deepEqual(watched.pass(t, 9), ['ask']);
  watched.sleep(3600);
  assert.deepEqual(watched.pass(t, 10), []);
  assert.deepEqual(watched.pass(t, 1), ['hanging']);
});

test('a tick that is late by a little is no sleep', (t) => {
  const watched = new Watched(t);
  watched.liveness.watch();
  assert.deepEqual(watched.pass(t, 8), ['ask']);
  watched.sleep(1.5);
  assert.deepEqual(watched.pass(t, 1), ['hanging']);
});

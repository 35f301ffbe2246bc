import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EmbedQueue, type Batch, type Priority } from '../../src/embedding/queue.js';

const texts = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}${index}`);

function queueOf(...jobs: [texts: string[], priority: Priority][]): EmbedQueue {
  const queue = new EmbedQueue();
  for (const [job, priority] of jobs) void queue.add(job, priority);
  return queue;
}

function complete(queue: EmbedQueue): string[] {
  const batch = next(queue);
  queue.complete(
    batch,
    batch.texts.map(() => new Float32Array(1)),
  );
  return [...batch.texts];
}

function next(queue: EmbedQueue): Batch {
  const batch = queue.next();
  assert.ok(batch);
  return batch;
}

test('bulk work is handed out in batches of eight, in order', () => {
  const queue = queueOf([texts(10, 'a'), 'bulk']);
  assert.deepEqual(complete(queue), texts(8, 'a'));
  assert.deepEqual(complete(queue), ['a8', 'a9']);
  assert.equal(queue.next(), undefined);
});

test('an interactive request goes before the rest of a bulk one', () => {
  const queue = queueOf([texts(10, 'bulk'), 'bulk']);
  complete(queue);
  void queue.add(['now'], 'interactive');
  assert.deepEqual(complete(queue), ['now']);
  assert.deepEqual(complete(queue), ['bulk8', 'bulk9']);
});

test('requests of one priority are served in order of arrival', () => {
  const queue = queueOf([['first'], 'interactive'], [['second'], 'interactive']);
  assert.deepEqual([complete(queue), complete(queue)], [['first'], ['second']]);
});

test('long texts make smaller batches, and a text longer than a batch goes alone', () => {
  const queue = queueOf([['a'.repeat(10_000), 'b'.repeat(3_000), 'c'.repeat(3_000), 'd'], 'bulk']);
  const sizes = [complete(queue), complete(queue), complete(queue)].map((batch) => batch.length);
  assert.deepEqual(sizes, [1, 1, 2]);
});

test('a text of megabytes is cut before it is handed out', () => {
  const batch = next(queueOf([['x'.repeat(4 << 20)], 'interactive']));
  assert.ok((batch.texts[0]?.length ?? Infinity) < 40_000);
});

test('vectors of several batches come back together, in order', async () => {
  const queue = new EmbedQueue();
  const answer = queue.add(texts(10, 'a'), 'bulk');
  for (let batch = queue.next(); batch !== undefined; batch = queue.next()) {
    queue.complete(
      batch,
      batch.texts.map((text) => new Float32Array([Number(text.slice(1))])),
    );
  }
  assert.deepEqual(
    (await answer).map((vector) => vector[0]),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
});

test('a batch over which the process died comes again once, and is rejected the second time', async () => {
  const queue = new EmbedQueue();
  const answer = queue.add(['text'], 'interactive');
  queue.died(next(queue), new Error('died once'));
  queue.died(next(queue), new Error('died twice'));
  await assert.rejects(answer, /died twice/);
  assert.equal(queue.size, 0);
});

test('a death counts against one batch, not against the whole request', () => {
  const queue = queueOf([texts(20, 'a'), 'bulk']);
  queue.died(next(queue), new Error('died'));
  complete(queue);
  queue.died(next(queue), new Error('died'));
  assert.deepEqual(complete(queue), ['a8', 'a9', 'a10', 'a11', 'a12', 'a13', 'a14', 'a15']);
});

test('requests that nobody waits for any more are passed over and rejected', async () => {
  const queue = new EmbedQueue();
  const wanted = new Set(['a', 'c']);
  const [a, b] = ['a', 'b', 'c'].map((text) => queue.add([text], 'interactive', () => wanted.has(text)));
  wanted.delete('a');
  assert.deepEqual(complete(queue), ['c']);
  await assert.rejects(a ?? Promise.resolve(), /nobody waits/i);
  await assert.rejects(b ?? Promise.resolve(), /nobody waits/i);
  assert.equal(queue.size, 0);
});

test('rejecting all leaves nothing behind', async () => {
  const queue = new EmbedQueue();
  const answers = [queue.add(['a'], 'interactive'), queue.add(['b'], 'bulk')];
  queue.rejectAll(new Error('closed'));
  for (const answer of answers) await assert.rejects(answer, /closed/);
  assert.equal(queue.next(), undefined);
});

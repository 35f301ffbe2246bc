import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { scale } from '../scale.js';
import { Sandbox, WITHOUT_MODEL } from './sandbox.js';
import type { ServerProcess } from './serverProcess.js';
import { until } from './until.js';

const ROUNDS = scale.writerKills;
const CALLS_IN_FLIGHT = 4;

/** Acknowledged entries: id and what must be in them. */
type Acknowledged = Map<string, { readonly task: string; readonly answer: string }>;

/** Remembers one row after the other in several streams until the server is gone. */
async function stream(server: ServerProcess, round: number, acknowledged: Acknowledged): Promise<void> {
  const streams = Array.from({ length: CALLS_IN_FLIGHT }, async (_, lane) => {
    for (let at = 0; ; at += 1) {
      const row = {
        task: `round ${round} lane ${lane} row ${at}`,
        answer: `${at} `.repeat(1 + ((at * 37) % 400)),
      };
      const { entry_id } = await server.call('remember', row);
      acknowledged.set(entry_id ?? '', row);
    }
  });
  await Promise.allSettled(streams);
}

async function checkAll(server: ServerProcess, acknowledged: Acknowledged): Promise<void> {
  const { total_entries, health } = await server.call('stats');
  assert.ok(
    total_entries >= acknowledged.size,
    `${total_entries} rows of ${acknowledged.size} acknowledged ones`,
  );
  assert.deepEqual(
    health.filter(({ code }) => code !== 'no_model'),
    [],
  );
  const entries = [...acknowledged];
  const found = await Promise.all(entries.map(([entry_id]) => server.call('get', { entry_id })));
  found.forEach(({ task_text: task, answer }, at) => assert.deepEqual({ task, answer }, entries[at]?.[1]));
}

test('killed again and again in a stream of remembers, the store keeps every acknowledged row', async (t) => {
  const box = new Sandbox(t);
  const acknowledged: Acknowledged = new Map();
  for (let round = 0; round < ROUNDS; round += 1) {
    // Without the model rows come fast, and are left for a later round to embed.
    const server = await box.start({ env: round % 4 === 3 ? {} : WITHOUT_MODEL });
    await checkAll(server, acknowledged);
    const before = acknowledged.size;
    const streaming = stream(server, round, acknowledged);
    await until('a row is acknowledged', () => acknowledged.size > before);
    // The one wait that is meant: any moment may be the last.
    await sleep(Math.random() * 60);
    await server.kill();
    await streaming;
  }
  assert.ok(acknowledged.size >= ROUNDS);

  const last = await box.start();
  await checkAll(last, acknowledged);
  await until('every row has a vector', async () => (await last.call('stats')).without_vector === 0, 60);
  const [first] = acknowledged.values();
  assert.equal((await last.call('recall', { task: first?.task ?? '' })).hit, true);
});

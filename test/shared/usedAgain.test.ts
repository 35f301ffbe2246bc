import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MAX_LINE } from '../../src/link/lines.js';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { Answer, CallResult, Results, ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';
import { toolCall, unexpected } from './ask.js';
import { killHost, recordIn } from './hosts.js';

const ROW = { task: 'stored, forgotten and stored again', answer: 'x' };
const AGAIN = toolCall('again', 'remember', ROW);
const OPEN = toolCall('open', 'stats', {});
const MALFORMED =
  '{"jsonrpc":"2.0","id":"open","method":"tools/call","params":{"name":"stats","arguments":[]}}\n';
const CANCEL = `${JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId: 'open' },
})}\n`;

/** A client that has stored and forgotten the row, and whose host is stopped. */
async function forgotten(
  box: Sandbox,
): Promise<{ client: ServerProcess; first: string | undefined; pid: number }> {
  const client = await box.start({ env: WITHOUT_MODEL });
  const { entry_id: first } = await store(client);
  assert.deepEqual(await client.call('forget', { entry_id: first }), { forgotten: true });
  const { pid } = recordIn(box.storage);
  process.kill(pid, 'SIGSTOP');
  return { client, first, pid };
}

/** Resolves when the front has read everything so far: what is too long it refuses by itself. */
async function isRead(client: ServerProcess): Promise<void> {
  assert.ok((await client.request('x'.repeat(MAX_LINE))).error);
}

/** Stores the row under the id `again`, as every client may that has an answer to the one before. */
async function store(client: ServerProcess): Promise<Results['remember']> {
  const answer = client.answerTo('again');
  client.write(AGAIN);
  return resultOf(await answer);
}

function resultOf({ result }: Answer): Results['remember'] {
  const content = (result as CallResult).structuredContent; // The protocol's type for this method.
  return content as Results['remember'];
}

/** The row was stored anew. */
async function isNew(
  client: ServerProcess,
  first: string | undefined,
  result: Results['remember'],
): Promise<void> {
  const { stored, refreshed, entry_id } = result;
  assert.deepEqual({ stored, refreshed }, { stored: true, refreshed: undefined });
  assert.notEqual(entry_id, first);
  assert.equal((await client.call('recall', { task: ROW.task })).entry_id, entry_id);
  assert.equal((await client.call('stats')).total_entries, 1);
}

describe(
  'an id that is used again, for the same words, after its host was killed',
  { concurrency: true },
  () => {
    for (const [kind, line] of [
      ['answered', OPEN],
      ['malformed', MALFORMED],
    ] as const) {
      test(`means a new request, although one that was ${kind} had been open`, async (t) => {
        const box = new Sandbox(t, 'shared');
        const { client, first, pid } = await forgotten(box);
        client.write(line);
        await isRead(client);
        await killHost(box, pid);
        await client.answerTo('open');
        await isNew(client, first, await store(client));
        assert.deepEqual(unexpected([client]), []);
      });
    }

    test('means a new request, although one had been open and was cancelled before', async (t) => {
      const box = new Sandbox(t, 'shared');
      const { client, first, pid } = await forgotten(box);
      client.write(OPEN + CANCEL);
      await isRead(client);
      await killHost(box, pid);
      await client.call('stats');
      await isNew(client, first, await store(client));
      assert.deepEqual(unexpected([client]), []);
    });

    test('means a new request, although one is open and cancelled while the next host comes up', async (t) => {
      const box = new Sandbox(t, 'shared');
      const { client, first, pid } = await forgotten(box);
      client.write(OPEN);
      await isRead(client);
      await killHost(box, pid);
      await until('the next host says where it is', () => recordIn(box.storage).pid !== pid);
      client.write(CANCEL);
      await isNew(client, first, await store(client));
      assert.ok(unexpected([client]).length <= 1);
    });

    test('means a new request, also where the dead host had been sent it and had not begun', async (t) => {
      const box = new Sandbox(t, 'shared');
      const { client, first, pid } = await forgotten(box);
      const answer = client.answerTo('again');
      client.write(AGAIN);
      await isRead(client);
      await killHost(box, pid);
      await isNew(client, first, resultOf(await answer));
      assert.deepEqual(unexpected([client]), []);
    });
  },
);

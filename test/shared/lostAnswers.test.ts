import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { Answer, CallResult } from '../server/serverProcess.js';
import { until } from '../server/until.js';
import { numbered, toolCall, unexpected } from './ask.js';
import { Book } from './book.js';
import { killHost } from './hosts.js';

const PAIRS = 16;
/** Of these so many have more answers than fit between host and client; the host stops at 5 or 6 to wait for a reader. */
const DONE = 4;

function contentOf(answer: Answer): unknown {
  return (answer.result as CallResult | undefined)?.structuredContent; // The protocol's type for this method.
}

test('a write that was done, and whose answer died with the host, is answered as if it had been done just now', async (t) => {
  const box = new Sandbox(t, 'shared');
  const [client, other] = await Promise.all([
    box.start({ env: WITHOUT_MODEL }),
    box.start({ env: WITHOUT_MODEL }),
  ]);
  const book = new Book();
  const store = async (task: string, answer: string) => {
    const { entry_id = '' } = await numbered(other)('remember', { task, answer });
    book.stored(entry_id, { task, answer });
    return entry_id;
  };
  const big = await store('big', 'b'.repeat(200_000));
  const doomed: string[] = [];
  for (let at = 0; at < PAIRS; at += 1) doomed.push(await store(`to be forgotten ${at}`, 'x'));

  client.child.stdout.pause();
  const row = (at: number) => ({ task: `stored meanwhile ${at}`, answer: 'y' });
  const remembered = doomed.map((_, at) => client.answerTo(`remember ${at}`));
  const forgotten = doomed.map((_, at) => client.answerTo(`forget ${at}`));
  const read = doomed.map((_, at) => client.answerTo(`get ${at}`));
  const lines = doomed.flatMap((entry_id, at) => [
    toolCall(`remember ${at}`, 'remember', row(at)),
    toolCall(`forget ${at}`, 'forget', { entry_id }),
    toolCall(`get ${at}`, 'get', { entry_id: big }),
  ]);
  client.write(lines.join(''));
  await until('so many are done', async () => (await other.call('stats')).trash >= DONE);
  await killHost(box);
  client.child.stdout.resume();

  for (const [at, answer] of (await Promise.all(remembered)).entries()) {
    const {
      stored,
      refreshed,
      entry_id = '',
    } = contentOf(answer) as { stored: boolean; refreshed?: boolean; entry_id?: string };
    assert.deepEqual({ stored, refreshed }, { stored: true, refreshed: undefined }, `remember ${at}`);
    book.stored(entry_id, row(at));
  }
  for (const answer of await Promise.all(forgotten)) assert.deepEqual(contentOf(answer), { forgotten: true });
  for (const answer of await Promise.all(read)) {
    assert.equal((contentOf(answer) as { answer: string }).answer.length, 200_000);
  }
  for (const id of doomed) book.forget(id);
  await book.check(client);
  assert.deepEqual(unexpected([client, other]), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_LINE } from '../../src/link/lines.js';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { Answer, CallResult, ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';
import { toolCall, unexpected } from './ask.js';
import { damage } from './book.js';
import { killHost, recordIn } from './hosts.js';
import { seeded } from './random.js';
import { scale } from '../scale.js';

const STORED_BEFORE = { task: 'stored before', answer: 'x' };

/** One of every kind of line a client may have open at a time. */
class Round {
  private readonly ids: Record<
    'text' | 'number' | 'progress' | 'cancelled' | 'refused' | 'huge',
    string | number
  >;

  constructor(
    private readonly client: ServerProcess,
    private readonly number: number,
  ) {
    const id = (what: string) => `${what} ${number}`;
    this.ids = {
      text: id('text'),
      number: 1_000_000 + number,
      progress: id('progress'),
      cancelled: id('cancelled'),
      refused: id('refused'),
      huge: id('huge'),
    };
  }

  send(): void {
    const { ids, number } = this;
    const cancel = { requestId: ids.cancelled, reason: 'changed my mind' };
    const lines = [
      toolCall(ids.text, 'recall', { task: STORED_BEFORE.task }),
      toolCall(ids.number, 'remember', { task: `number ${number}`, answer: 'x' }),
      toolCall(
        ids.progress,
        'remember',
        { task: `progress ${number}`, answer: 'x' },
        { _meta: { progressToken: number } },
      ),
      toolCall(ids.cancelled, 'search', { query: 'before' }),
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: cancel })}\n`,
      '{"jsonrpc":"2.0","id":"half a message\n',
      toolCall(ids.refused, 'get', { entry_id: 'nobody' }),
      toolCall(ids.huge, 'search', { query: 'y'.repeat(MAX_LINE) }),
    ];
    for (const line of lines) this.client.write(line);
  }

  /** Whether the front, which answers the last line itself, has read everything. */
  get isRead(): boolean {
    return this.answersTo(this.ids.huge).length > 0;
  }

  /** Resolves when every line is answered that must be; fails where an answer is wrong or came twice. */
  async check(): Promise<void> {
    const { client, ids, number } = this;
    const { cancelled, ...expected } = ids;
    const open = [...Object.values(expected), null];
    await until(`round ${number} is answered`, () => open.every((id) => this.answersTo(id).length > 0));
    // What is said twice would be said by now.
    assert.deepEqual(await damage(client), []);
    const said = client.unclaimed.map(({ id }) => id).filter((id) => id !== cancelled);
    assert.deepEqual(new Set(said), new Set(open));
    assert.equal(said.length, open.length, JSON.stringify(said));
    assert.ok(this.answersTo(cancelled).length <= 1);

    assert.equal(this.resultOf('text')['hit'], true);
    for (const id of ['number', 'progress'] as const) {
      const { stored, refreshed } = this.resultOf(id);
      assert.deepEqual({ stored, refreshed }, { stored: true, refreshed: undefined });
    }
    assert.equal(this.answersTo(null)[0]?.error?.code, -32700);
    assert.equal(this.answersTo(ids.huge)[0]?.error?.code, -32600);
    assert.equal((this.answersTo(ids.refused)[0]?.result as CallResult).isError, true);
    client.unclaimed.length = 0;
  }

  private answersTo(id: string | number | null): Answer[] {
    return this.client.unclaimed.filter((answer) => answer.id === id);
  }

  private resultOf(what: 'text' | 'number' | 'progress'): Record<string, unknown> {
    const result = this.answersTo(this.ids[what])[0]?.result as CallResult; // The protocol's type for this method.
    return result.structuredContent as Record<string, unknown>;
  }
}

test('whatever is open when its host is killed is answered once', (t) =>
  seeded(async (random) => {
    const box = new Sandbox(t, 'shared');
    const client = await box.start({ env: WITHOUT_MODEL });
    await client.call('remember', STORED_BEFORE);
    for (let number = 0; number < scale.openRequestRounds; number += 1) {
      const round = new Round(client, number);
      // In the first round the host has seen nothing of it, in the others anything.
      if (number === 0) process.kill(recordIn(box.storage).pid, 'SIGSTOP');
      round.send();
      if (number === 0) await until('the front has read all of it', () => round.isRead);
      else await sleep(random() * 60);
      await killHost(box);
      await round.check();
    }
    assert.equal((await client.call('stats')).total_entries, 1 + 2 * scale.openRequestRounds);
    assert.deepEqual(unexpected([client]), []);
  }));

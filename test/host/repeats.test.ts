import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import { markRepeated, repeatedSince } from '../../src/host/repeats.js';
import { REPEATED, REPEATING } from '../../src/link/hello.js';
import { until } from '../server/until.js';
import { streams } from './transportRig.js';

/** What a server is handed of these messages: of each its id or method, and since when it is repeated. */
async function handed(...messages: readonly object[]) {
  const { input, transport } = streams();
  const seen: [unknown, number | null][] = [];
  transport.onmessage = (message: object, extra?: MessageExtraInfo) => {
    const name = 'id' in message ? message.id : 'method' in message && message.method;
    seen.push([name, repeatedSince(extra ?? {})]);
  };
  markRepeated(transport);
  await transport.start();
  for (const message of [...messages, { id: 'last', method: 'ping' }]) {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
  await until('all is handed over', () => seen.at(-1)?.[0] === 'last');
  return seen.slice(0, -1);
}

const call = (id: unknown) => ({ id, method: 'tools/call' });
const repeating = (since: unknown) => ({ method: REPEATING, params: { since } });

test('requests between the marks are those that are repeated, each with its time', async () => {
  const seen = await handed(
    call(1),
    repeating({ '1': 10.5, '"1"': 20 }),
    call(1),
    call('1'),
    call(2),
    { method: 'notifications/initialized' },
    { method: REPEATED },
    call(1),
  );
  assert.deepEqual(seen, [
    [1, null],
    [1, 10.5],
    ['1', 20],
    [2, null],
    ['notifications/initialized', null],
    [1, null],
  ]);
});

test('marks that say no times mark nothing', async () => {
  for (const since of [undefined, 5, { '1': 'yesterday' }]) {
    assert.deepEqual(await handed(repeating(since), call(1)), [[1, null]]);
  }
});

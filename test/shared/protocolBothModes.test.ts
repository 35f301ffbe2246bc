import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, WITHOUT_MODEL, type Mode } from '../server/sandbox.js';
import { toolCall } from './ask.js';
import { HANDSHAKE } from './refusals.js';

// What a client can say and what it is answered must not depend on the mode: the suites of the standalone server,
// behind a front.
Sandbox.usualMode = 'shared';
await import('../server/protocol.test.js');
await import('../server/inputs.test.js');
await import('../server/longLines.test.js');
await import('../server/recallRemember.test.js');

const message = (id: unknown, method: string, params?: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

/** One after the other; the ids tell which line is answered. */
const LINES: readonly string[] = [
  message('early', 'tools/list'),
  message('ping before', 'ping'),
  message('wrong', 'initialize', {}),
  message('first', 'initialize', HANDSHAKE),
  message(undefined, 'notifications/initialized'),
  message('again', 'initialize', HANDSHAKE),
  message('tools', 'tools/list'),
  message('templates', 'resources/templates/list'),
  message('resources', 'resources/list'),
  message('subscribe', 'resources/subscribe', { uri: 'memory://entries' }),
  message('unsubscribe', 'resources/unsubscribe', { uri: 'memory://entries' }),
  message('no uri', 'resources/subscribe', { uri: 5 }),
  message('no such', 'resources/read', { uri: 'memory://entries/nobody' }),
  message('prompts', 'prompts/list'),
  message('__proto__', 'constructor', { __proto__: null }),
  message(7, 'ping'),
  message('7', 'ping'),
  message(1.5, 'ping'),
  message(-0.0, 'ping'),
  message('', 'ping'),
  message(true, 'ping'),
  message(null, 'ping'),
  message({}, 'ping'),
  message([1], 'ping'),
  '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1e3,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1e999,"method":"ping"}',
  '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
  '{"jsonrpc":"2.0","id":"\\u0041","id":"twice","method":"ping"}',
  '{"jsonrpc":"2.0","id":"both","method":"ping","result":{}}',
  '{"jsonrpc":"2.0","id":"number","method":5}',
  '{"jsonrpc":"2.0","id":"nothing"}',
  '{"jsonrpc":"2.0","id":"an answer","result":{}}',
  '{"jsonrpc":"2.0","id":"an error","error":{"code":1,"message":"x"}}',
  '{"jsonrpc":"2.0","id":"half an error","error":5}',
  '{"jsonrpc":"2.0","result":{}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
  '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"stats"}}',
  '{"jsonrpc":"1.0","id":"old","method":"ping"}',
  '{"id":"no version","method":"ping"}',
  '{"method":"neither"}',
  '\ufeff{"jsonrpc":"2.0","id":"with a mark","method":"ping"}',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  '[]',
  '{}',
  'true',
  '{"jsonrpc":"2.0","id":"cut',
  `{"jsonrpc":"2.0","id":"${'i'.repeat(5000)}","method":"ping"}`,
  '{"jsonrpc":"2.0","id":"progress","method":"ping","params":{"_meta":{"progressToken":1}}}',
  toolCall('bad', 'remember', { task: '' }).trimEnd(),
  toolCall('first', 'remember', { task: 'an id that was used before', answer: 'x' }).trimEnd(),
  toolCall('none', 'drift_report', {}).trimEnd(),
];

/** What a server says to these lines, one after the other; ids of entries and times left out. */
async function said(box: Sandbox): Promise<string[]> {
  const server = await box.start({ env: WITHOUT_MODEL, initialize: false });
  for (const [at, line] of LINES.entries()) {
    server.write(`${line}\n`);
    await server.request('ping', { after: at });
  }
  await server.end();
  return server.unclaimed
    .map((answer) =>
      JSON.stringify(answer)
        .replace(/[0-9a-f]{8}-[-0-9a-f]{27}/g, 'ID')
        .replace(/\d{10}\.\d+/g, 'TIME'),
    )
    .sort();
}

test('both modes say the same to the same lines', async (t) => {
  const modes: readonly Mode[] = ['standalone', 'shared'];
  const [alone = [], shared = []] = await Promise.all(modes.map((mode) => said(new Sandbox(t, mode))));
  assert.ok(alone.length > 40, `${alone.length} answers`);
  assert.deepEqual(shared, alone);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from './sandbox.js';
import type { CallResult } from './serverProcess.js';

function line(id: number | null, method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', ...(id === null ? {} : { id }), method, params });
}

const HANDSHAKE = [
  line(0, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'pipe', version: '1' },
  }),
  line(null, 'notifications/initialized'),
];
const remember = (id: number) =>
  line(id, 'tools/call', {
    name: 'remember',
    arguments: { task: `piped task ${id}`, answer: `answer ${id}` },
  });

for (const [model, env] of [
  ['without a model', WITHOUT_MODEL],
  ['with a model that is still cold', {}],
] as const) {
  test(`everything piped in is answered although stdin ends at once, ${model}`, async (t) => {
    const box = new Sandbox(t);
    const server = await box.start({ env, initialize: false });
    const ids = [1, 2, 3, 4, 5];
    // The last line has no newline, as `printf` and many scripts leave it.
    server.write([...HANDSHAKE, ...ids.map(remember), line(6, 'tools/list')].join('\n'));
    assert.deepEqual(await server.end(), { code: 0, signal: null });
    for (const id of ids) {
      const result = (await server.answerTo(id)).result as CallResult; // The method's result.
      assert.notEqual(result.isError, true, result.content[0]?.text);
    }
    assert.ok((await server.answerTo(6)).result);
    const next = await box.start({ env: WITHOUT_MODEL });
    assert.equal((await next.call('stats')).total_entries, ids.length);
  });
}

test('stdin that ends before a word was said is a normal end', async (t) => {
  const server = await new Sandbox(t).start({ initialize: false });
  assert.deepEqual(await server.end(), { code: 0, signal: null });
  assert.deepEqual(server.unclaimed, []);
});
